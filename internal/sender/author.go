package sender

import (
	"net/netip"
	"strings"
	"unicode"
)

// AuthorFault is why the From of a mail names nobody whose domain DMARC could be asked about.
type AuthorFault string

// The faults. Readers show such mail in different ways, and attackers count on that (RFC 9989 11.5).
const (
	OneAuthor      AuthorFault = ""
	NoAuthor       AuthorFault = "none"    // no From, or nothing in it that is a mail address
	SeveralAuthors AuthorFault = "several" // several From fields, or addresses of several domains
)

// Author returns the author of a mail that has n From fields with these addresses, or says why there is
// none. Several addresses of one domain are one author domain (RFC 9989 5.3.1), whose first is the author. local is for
// mail of programs nearby, whose From may have no domain, a single label or an address literal. From anybody else such
// a From only evades the policies of domains.
func Author(fields int, addresses []string, local bool) (address string, fault AuthorFault) {
	domain := ""
	for _, a := range addresses {
		if a == "" {
			continue
		}
		d, ok := authorDomain(a, local)
		switch {
		case !ok:
			fault = NoAuthor
		case address != "" && d != domain:
			fault = SeveralAuthors
		case address == "":
			address, domain = a, d
		}
		if fault != OneAuthor {
			break
		}
	}
	switch {
	case fields > 1:
		fault = SeveralAuthors
	case address == "" && fault == OneAuthor:
		fault = NoAuthor
	}
	if fault == NoAuthor {
		return "", fault
	}
	return address, fault
}

// authorDomain is the domain of an author as it is compared with others. Nothing is taken that the DNS has no name for,
// but what local programs write: an address such as ann@bank.example@far.example, or one with a character that turns
// around what follows, is made to be read as another one.
func authorDomain(address string, local bool) (domain string, ok bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "", local && isLocalPart(address) && strings.IndexByte(address, '.') < 0 // bank.example is no local user
	}
	if !isLocalPart(address[:at]) {
		return "", false
	}
	if domain, ok = domainOf(address); ok || !local {
		return domain, ok
	}
	return localHost(strings.ToLower(address[at+1:]))
}

// isLocalPart tells whether what stands before the sign is one word, or one in quotes, and shows as it is written.
func isLocalPart(s string) bool {
	if n := len(s); n > 2 && s[0] == '"' && s[n-1] == '"' {
		return !strings.ContainsFunc(s, misleads)
	}
	return s != "" && !strings.ContainsAny(s, "@\"\\<> ") && !strings.ContainsFunc(s, misleads)
}

// misleads tells whether a character moves what stands around it.
func misleads(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// localHost is the host of a local program: an address literal, or a single label.
func localHost(host string) (domain string, ok bool) {
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
