package dns

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Lengths of names (RFC 1035 2.3.4), without the last dot.
const (
	MaxName  = 253
	maxLabel = 63
)

// Domain returns a domain as everything here compares it: A-labels (RFC 5890 2.3.2.1), lower-case, no last dot. ok is
// false for what can be no mail domain on the Internet: address literals, single labels, names that end in a number.
func Domain(s string) (name string, ok bool) {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 4*MaxName || !utf8.ValidString(s) {
		return "", false
	}
	for i := range len(s) {
		if s[i] >= 0x80 {
			ascii, err := idna.Lookup.ToASCII(s)
			if err != nil {
				return "", false
			}
			s = ascii
			break
		}
	}
	s = strings.ToLower(s)
	if !IsName(s) || !strings.Contains(s, ".") {
		return "", false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && !isDigit(c) && c != '-' && c != '.' && c != '_' {
			return "", false
		}
	}
	return s, !isNumber(s[strings.LastIndexByte(s, '.')+1:])
}

// IsName says whether the DNS can be asked for a name.
func IsName(name string) bool {
	if len(name) == 0 || len(name) > MaxName {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if len(label) == 0 || len(label) > maxLabel {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNumber(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
