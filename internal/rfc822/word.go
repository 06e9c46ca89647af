package rfc822

import (
	"strings"
	"unicode/utf8"
)

// decodeWords reads the encoded words of RFC 2047 in s, and raw 8-bit text around them. Spaces between two
// words vanish; the bytes of words in the same character set are joined before they are read, because writers
// cut characters in two.
func decodeWords(s, hint string) string {
	if !strings.Contains(s, "=?") {
		return cleanHeader(raw8bit(s, hint))
	}
	lex := lexer{s: s}
	from := 0 // of s in what lex looks through
	var out strings.Builder
	var run wordRun
	for {
		next := strings.Index(s, "=?")
		if next < 0 || lex.wordEnd(from+next) < 0 {
			break
		}
		w, ok := lex.word(from + next)
		if gap := s[:next]; !ok || !run.open || trimSpace(gap) != "" {
			run.end(&out)
			out.WriteString(raw8bit(gap, hint))
		}
		if ok {
			run.add(w, &out)
		} else {
			out.WriteString("=?")
			w.length = 2
		}
		s, from = s[next+w.length:], from+next+w.length
	}
	run.end(&out)
	out.WriteString(raw8bit(s, hint))
	return cleanHeader(out.String())
}

// word is one encoded word.
type word struct {
	charset string
	base64  bool
	text    string
	length  int // of the whole word in its string
}

// maxWord bounds the search for a word's end. Words may have 75 characters; some writers put a whole line in one.
const maxWord = 16 << 10

// word reads the word that begins at from.
func (l *lexer) word(from int) (w word, ok bool) {
	s := l.s[from:]
	i := 2
	for i < len(s) && s[i] != '?' {
		if s[i] <= ' ' || s[i] >= 0x7f || i > 2+64 {
			return w, false
		}
		i++
	}
	if i+2 >= len(s) || s[i+2] != '?' {
		return w, false
	}
	w.charset, _, _ = strings.Cut(strings.ToLower(s[2:i]), "*") // RFC 2231 5: the language
	switch s[i+1] {
	case 'b', 'B':
		w.base64 = true
	case 'q', 'Q':
	default:
		return w, false
	}
	start := i + 3
	if first := l.wordEnd(from + start); first < 0 || first > from+start+maxWord-2 {
		return w, false
	}
	end := wordEnd(s[start:min(len(s), start+maxWord)], w.base64)
	if end < 0 {
		return w, false
	}
	w.text, w.length = s[start:start+end], start+end+2
	return w, true
}

// wordEnd is where the text of a word ends, or -1.
//
// QUIRK: a writer of Q that leaves the question mark as it is makes "?=3D", which is no end.
func wordEnd(s string, base64 bool) int {
	for i := 0; ; {
		n := strings.Index(s[i:], "?=")
		if n < 0 {
			return -1
		}
		i += n
		if other := strings.Index(s[:i], "=?"); other >= 0 && base64 {
			return -1 // another word begins before this one has ended
		}
		escape := !base64 && i+4 <= len(s) && unhex(s[i+2]) >= 0 && unhex(s[i+3]) >= 0
		if escape {
			rest := s[i+2:]
			if end := strings.Index(rest, "?="); end >= 0 && !strings.ContainsAny(rest[:end], " \t") {
				i += 2
				continue
			}
		}
		return i
	}
}

// wordRun joins the bytes of neighbouring words.
type wordRun struct {
	open    bool
	charset string
	bytes   []byte
	b64     base64Decoder
}

func (r *wordRun) add(w word, out *strings.Builder) {
	if r.open && r.charset != w.charset {
		r.end(out)
	}
	r.open, r.charset = true, w.charset
	if !w.base64 {
		r.bytes = appendQ(r.b64.flush(r.bytes), w.text)
		return
	}
	// QUIRK: base64 cut inside a group of four goes on in the next word.
	if r.b64.padded || r.b64.stopped {
		r.b64 = base64Decoder{}
	}
	r.bytes = r.b64.decode(r.bytes, []byte(w.text))
}

// end writes what was joined.
func (r *wordRun) end(out *strings.Builder) {
	if !r.open {
		return
	}
	r.bytes = r.b64.flush(r.bytes)
	out.WriteString(decodeBytes(r.bytes, r.charset))
	*r = wordRun{bytes: r.bytes[:0]}
}

// appendQ decodes the Q encoding (RFC 2047 4.2).
func appendQ(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '_':
			dst = append(dst, ' ')
		case c == '=' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0:
			dst = append(dst, byte(unhex(s[i+1])<<4|unhex(s[i+2])))
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// raw8bit reads text that was put into a header as it is: UTF-8 (RFC 6532), else the hinted character set.
func raw8bit(s, hint string) string {
	if utf8.ValidString(s) {
		return s
	}
	return decodeBytes([]byte(s), hint)
}

// cleanHeader makes one line of s: what decoding brought in may not look like another field.
func cleanHeader(s string) string {
	if !hasControl(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0:
			return -1
		case r < ' ' || r == 0x7f:
			return ' '
		}
		return r
	}, s)
}
