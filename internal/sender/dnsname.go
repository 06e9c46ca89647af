package sender

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Lengths of names (RFC 1035 2.3.4), without the last dot.
const (
	maxName  = 253
	maxLabel = 63
)

// domainName gives a domain as everything here compares it: A-labels (RFC 5890 2.3.2.1), lower-case, no last dot. ok is false
// for what can be no mail domain on the Internet: address literals, single labels, names that end in a number.
func domainName(s string) (name string, ok bool) {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 4*maxName || !utf8.ValidString(s) {
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
	if !isQueryable(s) || !strings.Contains(s, ".") {
		return "", false
	}
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '-' && c != '.' && c != '_' {
			return "", false
		}
	}
	return s, !isNumber(s[strings.LastIndexByte(s, '.')+1:])
}

// isQueryable says whether the DNS can be asked for a name.
func isQueryable(name string) bool {
	if len(name) == 0 || len(name) > maxName {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if len(label) == 0 || len(label) > maxLabel {
			return false
		}
	}
	return true
}

// domainOf is the domain of an address. It is not ok where there is none.
func domainOf(address string) (domain string, ok bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "", false
	}
	return domainName(address[at+1:])
}

// isWithin says whether name is domain or under it.
func isWithin(name, domain string) bool {
	return name == domain ||
		len(name) > len(domain) && name[len(name)-len(domain)-1] == '.' && strings.HasSuffix(name, domain)
}

func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNumber(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
