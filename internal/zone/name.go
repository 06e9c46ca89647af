package zone

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Lengths of names (RFC 1035 2.3.4), without the last dot.
const (
	maxName  = 253
	maxLabel = 63
)

// Normalize returns a domain in ASCII, in lower case and without its last dot. The error is a [mailbox.Error] about the
// field domain, with a sentence for its author.
func Normalize(name string) (string, error) {
	name = strings.TrimSpace(name)
	if len(name) > 4*maxName {
		return "", refuse("The domain name is too long: it may have %d characters", maxName)
	}
	if err := refuseOther(name); err != nil {
		return "", err
	}
	ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(name, "."))
	if err != nil {
		return "", refuse("%s is not a domain name that can be registered", quoted(name))
	}
	ascii = strings.ToLower(ascii)
	if len(ascii) > maxName {
		return "", refuse("The domain name is too long: it may have %d characters", maxName)
	}
	labels := strings.Split(ascii, ".")
	if len(labels) < 2 {
		return "", refuse("%s is only one label: give the whole domain, such as mail.example.com", quoted(name))
	}
	for _, label := range labels {
		if !isLabel(label) {
			return "", refuse("%s is not a domain name: between its dots it needs 1 to %d letters, digits or hyphens",
				quoted(name), maxLabel)
		}
	}
	if isDigits(labels[len(labels)-1]) {
		return "", refuse("%s is an address, not a domain name", quoted(name))
	}
	// Suffixes of companies are another matter: the company may well want mail for its own name.
	if suffix, icann := publicsuffix.PublicSuffix(ascii); icann && suffix == ascii {
		return "", refuse("%s is a public suffix, under which others have their domains: give one of those",
			quoted(name))
	}
	return ascii, nil
}

func refuse(format string, args ...any) error {
	return mailbox.InvalidField("domain", format+".", args...)
}

// refuseOther tells what is no domain but something that people have near one.
func refuseOther(name string) error {
	_, notAddress := netip.ParseAddr(strings.Trim(name, "[]"))
	switch {
	case name == "":
		return refuse("The domain name is empty")
	case !utf8.ValidString(name):
		return refuse("%s is not a domain name", quoted(name))
	case notAddress == nil:
		return refuse("%s is an address, not a domain name", quoted(name))
	case strings.Contains(name, "@"):
		return refuse("%s is a mail address: give only what follows the @", quoted(name))
	case strings.ContainsAny(name, "/:"):
		return refuse("%s is a URL or has a port: give only the domain name", quoted(name))
	case strings.Contains(name, "*"):
		return refuse("%s stands for many names: give one domain", quoted(name))
	case strings.Contains(name, "_"):
		return refuse("%s has an underscore: names with one are for DNS records, not for mail", quoted(name))
	}
	return nil
}

// quoted is what was written, as far as it can be shown.
func quoted(name string) string { return `"` + printable(name, 80) + `"` }

func isLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && (c != '-' || i == 0 || i == len(s)-1) {
			return false
		}
	}
	return s != "" && len(s) <= maxLabel
}

func isAlnum(c byte) bool { return isAlpha(c) || c >= '0' && c <= '9' }

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// sameName compares names of the DNS.
func sameName(a, b string) bool { return canonName(a) == canonName(b) }

func canonName(s string) string { return strings.ToLower(strings.TrimSuffix(s, ".")) }

// isAskable says whether the DNS can be asked for a name.
func isAskable(name string) bool {
	name = canonName(name)
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > maxLabel || strings.Contains(label, "%") {
			return false
		}
	}
	return len(name) <= maxName
}
