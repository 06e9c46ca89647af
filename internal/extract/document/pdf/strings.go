package pdf

import (
	"unicode/utf16"
	"unicode/utf8"
)

// maxString bounds one string. A line of text has a few hundred bytes.
const maxString = 64 << 10

// literal reads a string in parentheses.
func (l *lexer) literal() text {
	l.pos++
	var out []byte
	for open := 1; l.pos < len(l.b) && len(out) < maxString; l.pos++ {
		c := l.b[l.pos]
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				l.pos++
				return text(out)
			}
		case '\\':
			out = l.escape(out)
			continue
		case '\r':
			if l.peek(1) == '\n' {
				l.pos++
			}
			c = '\n'
		}
		out = append(out, c)
	}
	l.pos = min(l.pos, len(l.b)) // a backslash at the end has nothing after it
	return text(out)
}

// escape reads what follows a backslash. It stays on the last byte of it.
func (l *lexer) escape(out []byte) []byte {
	l.pos++
	switch c := l.peek(0); c {
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case '\r':
		if l.peek(1) == '\n' {
			l.pos++
		}
		return out
	case '\n':
		return out
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v := int(c - '0')
		for range 2 {
			if d := l.peek(1); d >= '0' && d <= '7' {
				v = v<<3 | int(d-'0')
				l.pos++
			}
		}
		return append(out, byte(v))
	default:
		return append(out, c)
	}
}

// hex reads a string in hexadecimal digits. What is no digit is passed over.
func (l *lexer) hex() text {
	l.pos++
	var out []byte
	high, half := byte(0), false
	for ; l.pos < len(l.b) && len(out) < maxString; l.pos++ {
		c := l.b[l.pos]
		if c == '>' {
			l.pos++
			break
		}
		d := hexDigit(c)
		switch {
		case d == 16:
		case half:
			out, half = append(out, high|d), false
		default:
			high, half = d<<4, true
		}
	}
	if half {
		out = append(out, high)
	}
	return text(out)
}

// decodeUTF16 reads big-endian UTF-16, as maps to Unicode and strings that begin with a mark have it.
func decodeUTF16(b string) string {
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return string(utf16.Decode(units))
}

// textString reads a string that is meant for people (ISO 32000 7.9.2.2), not for a font.
func textString(s text) string {
	switch {
	case len(s) >= 2 && s[:2] == "\xfe\xff":
		return decodeUTF16(string(s[2:]))
	case len(s) >= 3 && s[:3] == "\xef\xbb\xbf" && utf8.ValidString(string(s)):
		return string(s[3:])
	}
	out := make([]rune, 0, len(s))
	for i := range len(s) {
		if r := latin(s[i]); r != 0 {
			out = append(out, r)
		}
	}
	return string(out)
}
