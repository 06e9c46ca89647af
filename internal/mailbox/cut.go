package mailbox

import "unicode/utf8"

// Cut shortens a text to at most so many bytes, between two characters.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// QuotedLength is that of the quoted string that s begins with, 0 where it does not end (RFC 5321 4.1.2).
func QuotedLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
