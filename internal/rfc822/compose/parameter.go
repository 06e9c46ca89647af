package compose

import (
	"strconv"
	"strings"
)

// extended writes a parameter that is not plain ASCII, or long, as RFC 2231 has it: percent-encoded UTF-8, in pieces
// where one line does not hold it. There is no second, plain form next to it, as HTTP has: RFC 2231 knows none, readers
// differ in which they take, and all that are in use today read this one.
func (h *header) extended(p param) {
	const charset = "utf-8''"
	if whole := p.name + "*=" + charset + percent(p.value); len(whole) < lineLength-1 {
		h.mark(';')
		h.word(whole)
		return
	}
	rest := p.value
	for i := 0; rest != ""; i++ {
		piece := p.name + "*" + strconv.Itoa(i) + "*="
		if i == 0 {
			piece += charset
		}
		n := fitting(rest, lineLength-2-len(piece), isAttribute)
		h.mark(';')
		h.word(piece + percent(rest[:n]))
		rest = rest[n:]
	}
}

// isAttribute is a character that is itself in an extended value (RFC 2231 7).
func isAttribute(c byte) bool {
	return isAlphanumeric(c) || strings.IndexByte("!#$&+-.^_`{|}~", c) >= 0
}

func percent(s string) string {
	out := make([]byte, 0, escapedLength(s, isAttribute))
	for i := range len(s) {
		if c := s[i]; isAttribute(c) {
			out = append(out, c)
		} else {
			out = append(out, '%', upperHexes[c>>4], upperHexes[c&15])
		}
	}
	return string(out)
}
