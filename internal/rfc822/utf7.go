package rfc822

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeUTF7 reads RFC 2152: between "+" and the first byte that is no base64 letter lies UTF-16 in base64.
// "+-" is a plus. What is no UTF-7 is taken as it is.
func decodeUTF7(b []byte) string {
	var out strings.Builder
	out.Grow(len(b))
	for i := 0; i < len(b); {
		c := b[i]
		i++
		if c != '+' {
			if c < utf8.RuneSelf {
				out.WriteByte(c)
			} else {
				out.WriteString(guessCharset(b[i-1 : i]))
			}
			continue
		}
		if i < len(b) && b[i] == '-' {
			out.WriteByte('+')
			i++
			continue
		}
		end := i
		for end < len(b) && base64Value[b[end]] != notBase64 {
			end++
		}
		if end == i {
			out.WriteByte('+')
			continue
		}
		writeShifted(&out, b[i:end])
		if i = end; i < len(b) && b[i] == '-' {
			i++
		}
	}
	return out.String()
}

// writeShifted decodes one shifted sequence.
func writeShifted(out *strings.Builder, letters []byte) {
	var d base64Decoder
	units := d.flush(d.decode(nil, letters))
	var high rune
	for i := 0; i+1 < len(units); i += 2 {
		r := rune(units[i])<<8 | rune(units[i+1])
		switch {
		case high != 0:
			if pair := utf16.DecodeRune(high, r); pair != utf8.RuneError {
				out.WriteRune(pair)
				high = 0
				continue
			}
			out.WriteRune(utf8.RuneError)
			high = 0
			fallthrough
		default:
			if utf16.IsSurrogate(r) {
				high = r
				continue
			}
			out.WriteRune(r)
		}
	}
	if high != 0 {
		out.WriteRune(utf8.RuneError)
	}
}
