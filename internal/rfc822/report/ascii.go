package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// lower is s in lower case, ASCII alone: places in the result are places in s.
func lower(s string) string {
	for i := range len(s) {
		if isUpper(s[i]) {
			b := []byte(s)
			for ; i < len(b); i++ {
				if isUpper(b[i]) {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isAlphanumeric(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// oneLine is s with every run of white space made one blank, cut between characters at max bytes.
func oneLine(s string, max int) string {
	out := make([]byte, 0, min(len(s), max+utf8.UTFMax))
	for w := range strings.FieldsSeq(s) {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		if out = append(out, w...); len(out) > max {
			break
		}
	}
	if len(out) <= max {
		return string(out)
	}
	return strings.TrimRight(mailbox.Cut(string(out), max), " ")
}
