package sender

import (
	"context"
	"strings"

	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/spf"
)

// target expands a domain-spec to the name it stands for. It is not ok where a limit is reached.
func (c *spfCheck) target(ctx context.Context, spec, domain string) (name string, ok bool) {
	name, ok = spf.Expand(spec, func(letter byte) (string, bool) { return c.value(ctx, letter, domain) })
	if !ok {
		return "", false
	}
	name = strings.TrimSuffix(name, ".")
	for len(name) > dns.MaxName { // 7.3: labels go from the left until it fits
		_, rest, more := strings.Cut(name, ".")
		if !more {
			break
		}
		name = rest
	}
	return name, true
}

// value is what a letter stands for (7.2).
func (c *spfCheck) value(ctx context.Context, letter byte, domain string) (value string, ok bool) {
	switch letter {
	case 's':
		return c.local + "@" + c.domain, true
	case 'l':
		return c.local, true
	case 'o':
		return c.domain, true
	case 'd':
		return domain, true
	case 'i':
		return dotted(c.ip), true
	case 'v':
		return reverseZone(c.ip), true
	case 'h':
		return c.helo, true
	}
	return c.clientName(ctx, domain)
}

// clientName is %{p}: the client's name in the domain if it has one, else any, else "unknown" (7.3).
func (c *spfCheck) clientName(ctx context.Context, domain string) (name string, ok bool) {
	if !c.reversed && !c.mayAsk() {
		return "", false
	}
	domain = strings.ToLower(domain)
	for _, right := range []func(string) bool{
		func(name string) bool { return name == domain },
		func(name string) bool { return isWithin(name, domain) },
		func(string) bool { return true },
	} {
		if name := c.nameOfClient(ctx, right); name != "" {
			return name, true
		}
	}
	return "unknown", true
}
