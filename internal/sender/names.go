package sender

import (
	"strings"

	"github.com/mailkin/mailkin/internal/dns"
)

// domainOf is the domain of an address. It is not ok where there is none.
func domainOf(address string) (domain string, ok bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "", false
	}
	return dns.Domain(address[at+1:])
}

// isWithin says whether name is domain or under it.
func isWithin(name, domain string) bool {
	return name == domain ||
		len(name) > len(domain) && name[len(name)-len(domain)-1] == '.' && strings.HasSuffix(name, domain)
}

func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
