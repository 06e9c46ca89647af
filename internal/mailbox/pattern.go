package mailbox

import (
	"fmt"
	"strings"
)

// Pattern names addresses: one of them, all of a domain ("example.org", also written "*@example.org"), or all of the
// domains below one ("*.example.org"). It is canonical, as the addresses are that it is compared with.
type Pattern string

// ParsePattern reads a pattern. canonical gives the one spelling of an address or a domain, empty for what is neither.
func ParsePattern(text string, canonical func(string) string) (Pattern, error) {
	text = strings.TrimSpace(text)
	name, below := strings.CutPrefix(text, "*.")
	domain := below
	for _, all := range []string{"*@", "@"} {
		if rest, ok := strings.CutPrefix(name, all); ok && !domain {
			name, domain = rest, true
		}
	}
	// A star anywhere else would look as if it stood for something.
	if name = canonical(name); name == "" || domain && strings.Contains(name, "@") || strings.Contains(name, "*") {
		return "", fmt.Errorf("%q is neither an address nor a domain; write a@example.org, example.org or "+
			"*.example.org", text)
	}
	if below {
		return Pattern("*." + name), nil
	}
	return Pattern(name), nil
}

// Matches tells whether the pattern names an address, which is canonical.
func (p Pattern) Matches(address string) bool {
	domain := address[strings.LastIndexByte(address, '@')+1:]
	if above, below := strings.CutPrefix(string(p), "*"); below {
		return strings.HasSuffix(domain, above) // with its dot
	}
	return string(p) == address || string(p) == domain
}

// Patterns that name an address, for a look-up in a store: the address, its domain, and "*." with each domain above it.
func Patterns(address string) []Pattern {
	at := strings.LastIndexByte(address, '@')
	all := []Pattern{Pattern(address), Pattern(address[at+1:])}
	for domain := address[at+1:]; ; {
		_, above, ok := strings.Cut(domain, ".")
		if !ok {
			return all
		}
		all, domain = append(all, Pattern("*."+above)), above
	}
}
