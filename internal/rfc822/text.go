package rfc822

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// decodeText makes a text of the bytes of a body: valid UTF-8, lines ended by LF, no NUL. cut says that bytes
// are missing at the end. It may change b, and keep it.
func decodeText(b []byte, charset string, html, cut bool) (text string, known bool) {
	if charset == "" && html {
		charset = metaCharset(b)
	}
	if kind, _ := lookupCharset(charset); kind != charsetTable && kind != charsetUTF16 {
		if cut {
			b = trimHalfRune(b)
		}
		b = normalizeLines(b)
		if isASCII(b) && kind != charsetUTF7 && kind != charsetISO2022KR && bytes.IndexByte(b, 0) < 0 {
			return asString(b), kind != charsetUnknown
		}
	}
	text, known = decodeCharset(b, charset)
	return cleanText(text), known
}

// asString is b as a string. Nobody writes to b any more, so it is not copied, unless it would keep much more memory
// than it needs.
func asString(b []byte) string {
	if cap(b)-len(b) > len(b)/4 {
		return string(b)
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// cleanText normalises line ends and removes NULs.
func cleanText(s string) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = string(normalizeLines([]byte(s)))
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	return s
}

// normalizeLines makes LF of CR LF, CR CR LF and CR, in place.
func normalizeLines(b []byte) []byte {
	from := bytes.IndexByte(b, '\r')
	if from < 0 {
		return b
	}
	out := b[:from]
	for from < len(b) {
		end := from // of the line end that begins here
		for end < len(b) && b[end] == '\r' {
			end++
		}
		if end < len(b) && b[end] == '\n' {
			out = append(out, '\n')
			end++
		} else {
			for range end - from {
				out = append(out, '\n')
			}
		}
		n := bytes.IndexByte(b[end:], '\r')
		if n < 0 {
			n = len(b) - end
		}
		out = append(out, b[end:end+n]...)
		from = end + n
	}
	return out
}

// trimHalfRune removes the beginning of a character at the end of b.
func trimHalfRune(b []byte) []byte {
	for i := 1; i <= utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// cutText is s without what is beyond max bytes, cut between characters.
func cutText(s string, max int64) (cut string, truncated bool) {
	if int64(len(s)) <= max {
		return s, false
	}
	n := int(max)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

// isASCII looks at many bytes at a time.
func isASCII[T string | []byte](s T) bool {
	b := []byte(s)
	for len(b) >= 32 {
		if (binary.LittleEndian.Uint64(b)|binary.LittleEndian.Uint64(b[8:])|
			binary.LittleEndian.Uint64(b[16:])|binary.LittleEndian.Uint64(b[24:]))&0x8080808080808080 != 0 {
			return false
		}
		b = b[32:]
	}
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hasControl says whether there is a control character of ASCII in s. It looks at eight bytes at a time.
func hasControl(s string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	b := []byte(s)
	for len(b) >= 8 {
		v := binary.LittleEndian.Uint64(b)
		del := v ^ 0x7f*ones // zero where it is one
		if ((v-' '*ones)&^v|(del-ones)&^del)&highs != 0 {
			return true
		}
		b = b[8:]
	}
	for _, c := range b {
		if c < ' ' || c == 0x7f {
			return true
		}
	}
	return false
}

// metaCharset is the character set that an HTML document declares at its top.
func metaCharset(b []byte) string {
	const top = 1024
	head := bytes.ToLower(b[:min(len(b), top)])
	for {
		i := bytes.Index(head, []byte("charset="))
		if i < 0 {
			return ""
		}
		head = head[i+len("charset="):]
		name := bytes.TrimLeft(head, `"' `)
		if end := bytes.IndexAny(name, "\"'>; /\r\n"); end > 0 {
			return string(name[:end])
		}
	}
}
