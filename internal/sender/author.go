package sender

import (
	"net/netip"
	"strings"
)

// AuthorFault is why the From of a mail names nobody whose domain DMARC could be asked about.
type AuthorFault string

// The faults. Readers show such mail in different ways, and whoever writes it counts on that (RFC 9989 11.5).
const (
	OneAuthor      AuthorFault = ""
	NoAuthor       AuthorFault = "none"    // no From, or nothing in it that is a mail address
	SeveralAuthors AuthorFault = "several" // several From fields, or addresses of several domains
)

// Author gives the author of a mail that has so many From fields with these addresses, or says why there is none.
// Several addresses of one domain are one author domain (RFC 9989 5.3.1).
func Author(fields int, addresses []string) (address string, fault AuthorFault) {
	domain := ""
	for _, a := range addresses {
		if a == "" {
			continue
		}
		d, ok := authorDomain(a)
		switch {
		case !ok:
			fault = NoAuthor
		case address != "" && d != domain:
			fault = SeveralAuthors
		}
		if fault != OneAuthor {
			break
		}
		address, domain = a, d
	}
	switch {
	case fields > 1:
		fault = SeveralAuthors
	case address == "" && fault == OneAuthor:
		fault = NoAuthor
	}
	if fault != OneAuthor {
		return "", fault
	}
	return address, OneAuthor
}

// authorDomain is the domain of an author as it is compared with others. Mail of local programs has none, a single
// label, or an address literal. Nothing else is taken that the DNS has no name for: an address such as
// ann@bank.example@far.example, or one with a character that turns around what follows, is made to be read as another
// one.
func authorDomain(address string) (domain string, ok bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "", strings.IndexByte(address, '.') < 0 // bank.example is no local user
	}
	local, host := address[:at], strings.ToLower(address[at+1:])
	if strings.IndexByte(local, '@') >= 0 && !strings.HasPrefix(local, `"`) {
		return "", false
	}
	if domain, ok = domainOf(address); ok {
		return domain, true
	}
	if literal, ok := strings.CutPrefix(host, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		_, err := netip.ParseAddr(strings.TrimPrefix(literal, "ipv6:"))
		return host, ok && err == nil
	}
	for i := range len(host) {
		if !isAlnum(host[i]) && host[i] != '-' && host[i] != '_' {
			return "", false
		}
	}
	return host, host != ""
}
