package compose

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Lengths of an address in octets, its domain in ASCII form. RFC 5321 4.5.3.1.3 gives a path 256 with its brackets, so
// that the 320 which the parts would add up to cannot occur.
const (
	maxLocal   = 64
	maxAddress = 254
)

// addrSpec is an address taken apart.
type addrSpec struct {
	local  string // in quotes where it needs them
	domain string // as typed
	ascii  string // the domain as the DNS has it, lower-case
}

// header is the address as it stands in a header: with its domain in ASCII, except where the local part needs RFC 6532
// anyway.
func (a addrSpec) header() string {
	if isASCII(a.local) && !isASCII(a.domain) {
		return a.local + "@" + a.ascii
	}
	return a.local + "@" + a.domain
}

// Canonical is the address with its domain in ASCII and lower-case, the form in which it is sent to and compared; the
// local part is kept, its case too. What is not an address comes back as it is.
func (a Address) Canonical() string {
	spec, err := splitAddress(a.Address)
	if err != nil {
		return a.Address
	}
	return spec.local + "@" + spec.ascii
}

// specError says what is wrong with an address that has no name.
type specError struct{ address, why string }

func (e *specError) Error() string { return notAddress(e.address, e.why).Error() }

// splitAddress takes apart an address without name, comments and blanks.
func splitAddress(s string) (addrSpec, error) {
	wrong := func(why string) (addrSpec, error) { return addrSpec{}, &specError{s, why} }
	local, domain, why := cutLocal(s)
	if why != "" {
		return wrong(why)
	}
	ascii, why := checkDomain(domain)
	switch {
	case why != "":
		return wrong(why)
	case len(local) > maxLocal:
		return wrong(fmt.Sprintf("the part before the @ has %d bytes, and %d is the most", len(local), maxLocal))
	case len(local)+1+max(len(ascii), len(domain)) > maxAddress:
		return wrong(fmt.Sprintf("it has %d bytes, and %d is the most", len(local)+1+max(len(ascii), len(domain)),
			maxAddress))
	}
	return addrSpec{local: local, domain: domain, ascii: ascii}, nil
}

// cutLocal finds the @ and checks what is before it.
func cutLocal(s string) (local, domain, why string) {
	switch {
	case s == "":
		return "", "", "it is empty"
	case !utf8.ValidString(s):
		return "", "", "it is not UTF-8"
	case strings.IndexFunc(s, isBreak) >= 0:
		return "", "", "it has a control character or line break in it"
	case strings.IndexFunc(s, isHidden) >= 0:
		return "", "", "it has an invisible character or a special blank in it"
	case s[0] == '"':
		return cutQuotedLocal(s)
	}
	local, domain, found := strings.Cut(s, "@")
	if !found {
		return "", "", "the @ and the domain are missing"
	}
	return local, domain, checkLocal(local)
}

// checkLocal says what is wrong with a local part without quotes.
func checkLocal(local string) (why string) {
	if local == "" {
		return "there is nothing before the @"
	}
	for i, c := range local {
		switch {
		case c == '.' && (i == 0 || i == len(local)-1 || local[i+1] == '.'):
			return "before the @, a dot at either end or next to another needs quotes around the whole part"
		case c == ' ':
			return "there is a blank in it"
		case c < utf8.RuneSelf && c != '.' && !isAtext(byte(c)):
			return fmt.Sprintf("before the @, the character %q needs quotes around the whole part", c)
		}
	}
	return ""
}

// cutQuotedLocal takes the quotes off where they are not needed (RFC 5321 4.1.2), so that an address has one spelling.
func cutQuotedLocal(s string) (local, domain, why string) {
	n := mailbox.QuotedLength(s)
	if n == 0 {
		return "", "", "a quote is not closed"
	}
	if n == len(s) || s[n] != '@' {
		return "", "", "the @ does not follow the quoted part"
	}
	local, domain = unquote(s[:n]), s[n+1:]
	if local == "" {
		return "", "", "there is nothing before the @"
	}
	if checkLocal(local) != "" {
		local = quote(local)
	}
	return local, domain, ""
}

// mailDomains maps names as browsers do, and takes those that the DNS has although no registry would: r3---sn, a_b.
var mailDomains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(false), idna.CheckHyphens(false))

// checkDomain returns a domain in ASCII, or says what is wrong with it.
func checkDomain(domain string) (ascii, why string) {
	switch {
	case domain == "":
		return "", "there is nothing after the @"
	case domain[0] == '[':
		return checkLiteral(domain)
	case strings.IndexByte(domain, '@') >= 0:
		return "", "it has more than one @"
	}
	ascii = strings.ToLower(domain)
	if !isASCII(domain) || strings.Contains(ascii, "xn--") {
		var err error
		if ascii, err = mailDomains.ToASCII(domain); err != nil {
			return "", "the domain is not a valid international name"
		}
	}
	if len(ascii) > 253 {
		return "", fmt.Sprintf("the domain has %d bytes, and 253 is the most", len(ascii))
	}
	last := ""
	for label := range strings.SplitSeq(ascii, ".") {
		if why = checkDomainLabel(label); why != "" {
			return "", why
		}
		last = label
	}
	if strings.Trim(last, "0123456789") == "" {
		return "", "the domain ends in a number; an IP address stands in brackets, as in a@[192.0.2.1]"
	}
	return ascii, ""
}

func checkDomainLabel(label string) (why string) {
	switch {
	case label == "":
		return "the domain has a dot at an end or two together"
	case len(label) > 63:
		return fmt.Sprintf("the domain has a label of %d bytes, and 63 is the most", len(label))
	case label[0] == '-' || label[len(label)-1] == '-':
		return "the domain has a label that begins or ends with a hyphen"
	}
	for _, c := range label {
		if c >= utf8.RuneSelf || !isAlphanumeric(byte(c)) && c != '-' && c != '_' {
			return fmt.Sprintf("the domain has the character %q", c)
		}
	}
	return ""
}

// checkLiteral reads an address literal (RFC 5321 4.1.3).
func checkLiteral(domain string) (ascii, why string) {
	const v6 = "ipv6:"
	inner, closed := strings.CutSuffix(domain[1:], "]")
	if !closed {
		return "", "the closing ] is missing"
	}
	lower := strings.ToLower(inner)
	if rest, ok := strings.CutPrefix(lower, v6); ok {
		if ip, err := netip.ParseAddr(rest); err == nil && ip.Is6() && ip.Zone() == "" {
			return "[IPv6:" + rest + "]", ""
		}
	} else if ip, err := netip.ParseAddr(inner); err == nil && ip.Is4() {
		return domain, ""
	}
	return "", "what stands in brackets is neither an IPv4 address nor IPv6: with one"
}

// isHidden is a character that nobody sees in an address, pasted with it or put there to deceive. The two joiners are
// part of some scripts.
func isHidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' || r >= utf8.RuneSelf && unicode.IsSpace(r)
}
