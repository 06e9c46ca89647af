package pdf

import (
	"encoding/ascii85"
	"strings"
)

// encodeLZW writes every byte as a code of its own, and clears often enough for nine bits.
func encodeLZW(s string) string {
	var out []byte
	acc, bits := uint32(0), 0
	put := func(code uint32) {
		acc, bits = acc<<9|code, bits+9
		for bits >= 8 {
			bits -= 8
			out = append(out, byte(acc>>bits))
		}
	}
	for i := range len(s) {
		if i%200 == 0 {
			put(lzwClear)
		}
		put(uint32(s[i]))
	}
	put(lzwEnd)
	return string(append(out, byte(acc<<(8-bits))))
}

func encode85(s string) string {
	b := make([]byte, ascii85.MaxEncodedLen(len(s)))
	return string(b[:ascii85.Encode(b, []byte(s))]) + "~>"
}

func cutEnd(s string, n int) string { return s[:len(s)-n] }

// minus is a row as the difference from the one above.
func minus(row, above string) string {
	out := []byte(row)
	for i := range out {
		out[i] -= above[i]
	}
	return string(out)
}

// pngRows is a text in rows of ten, the first and second as in head, the rest without prediction.
func pngRows(s, head string) string {
	var b strings.Builder
	b.WriteString(head[:22])
	for rest := s[20:]; rest != ""; {
		n := min(10, len(rest))
		b.WriteString("\x00" + rest[:n])
		rest = rest[n:]
	}
	return b.String()
}
