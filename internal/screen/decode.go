package screen

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	shortestCode = 24      // letters of base64 or hexadecimal
	longestCode  = 8 << 10 // that are decoded
)

// encoded looks for text that has to be decoded first: base64, hexadecimal, and runs of escapes.
func (r *reader) encoded(text string) {
	for i := 0; i+shortestCode <= len(text); {
		last := i + shortestCode - 1
		start := last + 1
		for start > i && codes[text[start-1]] {
			start--
		}
		if start > i {
			i = start
			continue
		}
		end := last + 1
		for end < len(text) && codes[text[end]] {
			end++
		}
		end = wrapped(text, i, end)
		r.decode(text[i:min(end, i+longestCode)])
		i = end
	}
	for _, e := range escapes {
		r.escaped(text, e)
	}
	r.numbered(text)
}

// codes are the letters of base64, in both alphabets.
var codes = func() (of [256]bool) {
	for c := range of {
		of[c] = isLetter(byte(c)) || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
	}
	return of
}()

// wrapped is where a code ends that goes on in the next lines.
func wrapped(text string, start, end int) int {
	const line = 40
	for width := end - start; width >= line; {
		next := end
		if next < len(text) && text[next] == '\r' {
			next++
		}
		if next == len(text) || text[next] != '\n' {
			return end
		}
		next++
		from := next
		for next < len(text) && codes[text[next]] {
			next++
		}
		if next == from || next-from > width || next < len(text) && strings.IndexByte("\r\n=", text[next]) < 0 {
			return end
		}
		end, width = next, next-from
	}
	return end
}

// decode reads what a code says, if it says anything.
func (r *reader) decode(code string) {
	if plain, ok := decodeHex(code); ok {
		r.unseal(plain)
		return
	}
	code = strings.Map(func(c rune) rune {
		switch c {
		case '\r', '\n':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return c
	}, code)
	if plain, ok := decodeBase32(code); ok {
		r.unseal(plain)
		return
	}
	code = code[:len(code)&^3]
	plain := make([]byte, base64.StdEncoding.DecodedLen(len(code)))
	n, err := base64.StdEncoding.Decode(plain, []byte(code))
	switch {
	case err != nil:
	case isProse(plain[:n]):
		r.unseal(string(plain[:n]))
	case isCode(plain[:n]):
		r.decode(string(plain[:n])) // it is shorter
	}
}

// unseal reads what a code says, and notes where it says a sentence.
func (r *reader) unseal(plain string) {
	const spaces = 4
	if r.sealed == "" && strings.Count(plain, " ") >= spaces {
		r.sealed = plain
	}
	r.again(layerEncoded, plain)
}

// isCode tells whether bytes are a code again.
func isCode(b []byte) bool {
	for _, c := range bytes.TrimRight(b, "=") {
		if !codes[c] {
			return false
		}
	}
	return len(b) >= shortestCode
}

func decodeBase32(code string) (string, bool) {
	for i := range min(len(code), shortestCode) {
		if c := code[i]; (c < 'A' || c > 'Z') && (c < '2' || c > '7') {
			return "", false
		}
	}
	plain, err := base32.StdEncoding.DecodeString(code[:len(code)&^7])
	return string(plain), err == nil && isProse(plain)
}

func decodeHex(code string) (string, bool) {
	code = code[:len(code)&^1]
	for i := range min(len(code), shortestCode) {
		if c := code[i] | 0x20; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", false
		}
	}
	plain, err := hex.DecodeString(code)
	return string(plain), err == nil && isProse(plain)
}

// isProse tells whether bytes can be sentences: text in UTF-8, with spaces.
func isProse(b []byte) bool {
	if !utf8.Valid(b) {
		b = b[:max(0, len(b)-utf8.UTFMax)] // the last character may be cut
	}
	letters := 0
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		switch {
		case c == utf8.RuneError, c < ' ' && c != '\n' && c != '\r' && c != '\t':
			return false
		case unicode.IsLetter(c) || c == ' ':
			letters++
		}
		i += n
	}
	return letters >= shortest && letters*4 >= utf8.RuneCount(b)*3
}

// escape is a way to write characters by number.
type escape struct {
	prefix  string
	digits  int    // 0: decimal, up to a semicolon
	between string // what may stand for itself next to letters
}

var escapes = []escape{{"%", 2, " +,0123456789.-_~!'()*"}, {`\x`, 2, " +,"}, {`\u`, 4, " +,"}, {"&#", 0, " +,"},
	{"0x", 2, " +,"}}

// escaped decodes runs of one way of escaping.
func (r *reader) escaped(text string, e escape) {
	const fewest = 8
	done := 0
	for at := strings.Index(text, e.prefix); at >= 0; {
		var plain []byte
		if _, size := e.at(text[at:]); size > 0 {
			plain = append(plain, lettersBefore(text[done:at])...)
		}
		n, i := 0, at
		for len(plain) < longestCode {
			c, size := e.at(text[i:])
			if size == 0 {
				if n == 0 || i >= len(text) || text[i] >= utf8.RuneSelf ||
					!(isLetter(text[i]) || strings.IndexByte(e.between, text[i]) >= 0) {
					break
				}
				plain = append(plain, strings.Replace(string(text[i]), "+", " ", 1)...)
				i++
				continue
			}
			plain = e.append(plain, c)
			i += size
			n++
		}
		if n >= fewest && isProse(plain) {
			r.again(layerEncoded, string(plain))
		}
		i = max(i, at+len(e.prefix))
		done = i
		next := strings.Index(text[i:], e.prefix)
		if next < 0 {
			return
		}
		at = i + next
	}
}

// lettersBefore are the letters that a text ends in.
func lettersBefore(text string) string {
	i := len(text)
	for i > 0 && isLetter(text[i-1]) {
		i--
	}
	return text[i:]
}

// append writes a character: those of two digits are bytes.
func (e escape) append(dst []byte, c rune) []byte {
	if e.digits == 2 {
		return append(dst, byte(c))
	}
	return utf8.AppendRune(dst, c)
}

// at is the character that is escaped at the beginning of a text, and how long that is.
func (e escape) at(text string) (c rune, size int) {
	digits, ok := strings.CutPrefix(text, e.prefix)
	if !ok {
		return 0, 0
	}
	if e.digits == 0 {
		for n := 0; n < len(digits) && n < 7; n++ {
			if digits[n] == ';' {
				return c, len(e.prefix) + n + 1
			}
			if digits[n] < '0' || digits[n] > '9' {
				return 0, 0
			}
			c = c*10 + rune(digits[n]-'0')
		}
		return 0, 0
	}
	if len(digits) < e.digits {
		return 0, 0
	}
	for i := range e.digits {
		v := strings.IndexByte("0123456789abcdef", digits[i]|0x20)
		if v < 0 {
			return 0, 0
		}
		c = c<<4 | rune(v)
	}
	return c, len(e.prefix) + e.digits
}

// unscramble reads a sentence backwards and in rot13.
func (r *reader) unscramble(text string) {
	if r.depth > 0 {
		return
	}
	back := []rune(text)
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	r.again(layerEncoded, string(back))
	r.again(layerEncoded, strings.Map(rot13, text))
}

func rot13(c rune) rune {
	switch {
	case c >= 'a' && c <= 'z':
		return 'a' + (c-'a'+13)%26
	case c >= 'A' && c <= 'Z':
		return 'A' + (c-'A'+13)%26
	}
	return c
}
