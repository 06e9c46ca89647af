package compose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// isAtext is a character of an atom (RFC 5322 3.2.3), beyond ASCII too (RFC 6532 3.2).
func isAtext(c byte) bool {
	return isAlphanumeric(c) || c >= utf8.RuneSelf || strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) >= 0
}

// isToken is a word of MIME (RFC 2045 5.1).
func isToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?=`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// isBreak is a character that has no place in a line: control characters, and those that Unicode ends lines with.
func isBreak(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// byteOrderMark is left over where a text was read from a file. It says nothing, and readers drop it in some places.
const byteOrderMark = "\uFEFF"

// oneLine makes valid UTF-8 on one line of s: a run of control characters becomes a blank, and there are none at the
// ends.
func oneLine(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), byteOrderMark, "")
	if strings.IndexFunc(s, isBreak) >= 0 {
		s = strings.Join(strings.FieldsFunc(s, isBreak), " ")
	}
	return strings.Trim(s, " ")
}
