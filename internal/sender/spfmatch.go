package sender

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/spf"
)

// match evaluates a mechanism (RFC 7208 5). A verdict that is not empty ends the check.
func (c *spfCheck) match(ctx context.Context, t spf.Term, domain string) (matches bool, verdict string) {
	switch t.Kind {
	case "all":
		return true, ""
	case "ip4", "ip6":
		return t.Prefix.Contains(c.ip), ""
	}
	if !c.mayAsk() {
		return false, permerror
	}
	target := domain
	if t.Spec != "" {
		var ok bool
		if target, ok = c.target(ctx, t.Spec, domain); !ok {
			return false, permerror
		}
	}
	switch t.Kind {
	case "include":
		return c.include(ctx, target)
	case "a":
		a, verdict := c.lookup(ctx, target, c.addrKind())
		return verdict == "" && c.isIn(t, a.Addrs), verdict
	case "mx":
		return c.mx(ctx, t, target)
	case "exists":
		a, verdict := c.lookup(ctx, target, dns.A) // A whatever the client has: 5.7
		return verdict == "" && a.Outcome == dns.Found, verdict
	}
	return c.ptr(ctx, target), ""
}

// include is 5.2.
func (c *spfCheck) include(ctx context.Context, target string) (matches bool, verdict string) {
	switch v := c.host(ctx, target); v {
	case pass:
		return true, ""
	case none, permerror:
		return false, permerror
	case temperror:
		return false, temperror
	}
	return false, ""
}

// mx is 5.4. Hosts without an address like the client's are no void lookups: 4.6.4 counts terms, and many hosts have no
// IPv6.
func (c *spfCheck) mx(ctx context.Context, t spf.Term, target string) (matches bool, verdict string) {
	a, verdict := c.lookup(ctx, target, dns.MX)
	if verdict != "" {
		return false, verdict
	}
	if len(a.MX) > maxSPFNames {
		return false, permerror
	}
	var hosts []dns.Question
	for _, mx := range a.MX {
		if mx.Host != "" { // RFC 7505: a domain without mail
			hosts = append(hosts, dns.Question{Name: mx.Host, Type: c.addrKind()})
		}
	}
	unknown := false
	for _, host := range c.dns.LookupAll(ctx, hosts...) {
		if c.isIn(t, host.Addrs) {
			return true, ""
		}
		unknown = unknown || host.Outcome == dns.Failed
	}
	if unknown {
		return false, temperror
	}
	return false, ""
}

// ptr is 5.5: one of the client's names is the target or under it.
func (c *spfCheck) ptr(ctx context.Context, target string) bool {
	target = strings.ToLower(strings.TrimSuffix(target, "."))
	return c.nameOfClient(ctx, func(name string) bool { return isWithin(name, target) }) != ""
}

// nameOfClient returns the first name of the client that is right, and whose address is the client's.
func (c *spfCheck) nameOfClient(ctx context.Context, right func(name string) bool) string {
	if !c.reversed {
		a, _ := c.lookup(ctx, reverseName(c.ip), dns.PTR)
		c.reverse, c.reversed = a.Names[:min(len(a.Names), maxSPFNames)], true
	}
	var names []dns.Question
	for _, name := range c.reverse {
		if right(name) {
			names = append(names, dns.Question{Name: name, Type: c.addrKind()})
		}
	}
	for i, a := range c.dns.LookupAll(ctx, names...) {
		if slices.Contains(a.Addrs, c.ip) {
			return names[i].Name
		}
	}
	return ""
}

// isIn says whether the client is in the network of one of the addresses.
func (c *spfCheck) isIn(t spf.Term, addrs []netip.Addr) bool {
	bits := t.Bits4
	if !c.ip.Is4() {
		bits = t.Bits6
	}
	return slices.ContainsFunc(addrs, func(a netip.Addr) bool {
		return a.BitLen() == c.ip.BitLen() && netip.PrefixFrom(a, bits).Contains(c.ip)
	})
}

// reverseName is where the names of an address are (RFC 1035 3.5, RFC 3596 2.5).
func reverseName(ip netip.Addr) string {
	parts := strings.Split(dotted(ip), ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "." + reverseZone(ip) + ".arpa"
}

func reverseZone(ip netip.Addr) string {
	if ip.Is4() {
		return "in-addr"
	}
	return "ip6"
}

// dotted writes an address in parts: IPv4 as always, IPv6 in nibbles (RFC 7208 7.3).
func dotted(ip netip.Addr) string {
	if ip.Is4() {
		return ip.String()
	}
	const digits = "0123456789abcdef"
	var b []byte
	for _, x := range ip.As16() {
		b = append(b, digits[x>>4], '.', digits[x&15], '.')
	}
	return string(b[:len(b)-1])
}
