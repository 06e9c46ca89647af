package service

import (
	"cmp"
	"strings"

	"golang.org/x/net/idna"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
)

// canonical returns an address in the one spelling under which it is stored and compared: ASCII letters in lower case,
// the domain in its ASCII form (API 1). What is not an address comes back in lower case and is found nowhere.
func canonical(address string) string {
	local, domain := split(address)
	if domain == "" {
		return local
	}
	return local + "@" + domain
}

// split returns the canonical local part and domain of an address; the domain is empty if there is none.
func split(address string) (local, domain string) {
	address = strings.TrimSpace(address)
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return lowerASCII(address), ""
	}
	return unquote(lowerASCII(address[:at])), asciiDomain(address[at+1:])
}

// lowerASCII makes ASCII letters lower case, and no others: Unicode has letters beside K and I whose lower case is k
// and i, and an address with one of them is somebody else's.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

func domainOf(address string) string {
	_, domain := split(address)
	return domain
}

// unquote takes the quotes off a local part that does not need them (RFC 5321 4.1.2): "jo"@x is jo@x.
func unquote(local string) string {
	if len(local) < 2 || local[0] != '"' || local[len(local)-1] != '"' {
		return local
	}
	return strings.ReplaceAll(local[1:len(local)-1], `\`, "")
}

// hostnames maps names as browsers do, and takes those that DNS has and the rules for registering do not allow: _dmarc,
// r3---sn.
var hostnames = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(false), idna.CheckHyphens(false))

func asciiDomain(domain string) string {
	domain = strings.TrimSuffix(strings.ToLower(domain), ".")
	if ascii, err := hostnames.ToASCII(domain); err == nil {
		return ascii
	}
	return domain
}

// pattern reads a pattern of addresses.
func pattern(text string) (mailbox.Pattern, error) {
	return mailbox.ParsePattern(text, func(name string) string {
		local, domain := "", name
		if at := strings.LastIndexByte(name, '@'); at >= 0 {
			local, domain = name[:at+1], name[at+1:]
		}
		a, err := compose.ParseAddress(cmp.Or(local, "any@") + domain)
		switch {
		case err != nil || a.Name != "":
			return ""
		case local == "":
			return domainOf(a.Address)
		}
		return canonical(a.Address)
	})
}

// untag takes the +tag off a canonical address.
func untag(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		at = len(address)
	}
	if plus := strings.IndexByte(address[:at], '+'); plus > 0 {
		return address[:plus] + address[at:]
	}
	return address
}

// newAddress returns the address for a new mailbox from what the caller asked for.
func (s *Service) newAddress(who mailbox.Caller, n NewMailbox) (string, error) {
	parse := mailbox.ParseName
	if who.Scope == mailbox.Operator {
		parse = mailbox.ParseOperatorName
	}
	switch {
	case n.AnyName && n.Name == "" && n.Address == "":
		domain := s.opt.Domains[0]
		if n.Domain != "" {
			domain = n.Domain
		}
		n.Address = randomName("inbox-") + "@" + domain
	case n.Name != "" && n.Address != "":
		return "", mailbox.InvalidField("name", "Give either name or address, not both.")
	case n.Address == "":
		name, err := parse(n.Name)
		return name + "@" + s.opt.Domains[0], err
	}
	local, domain := split(n.Address)
	if !s.serves(domain) {
		return "", mailbox.InvalidField("address", "The domain %q is not served here; it must be one of: %s.", domain,
			strings.Join(s.opt.Domains, ", "))
	}
	name, err := parse(local)
	return name + "@" + domain, err
}
