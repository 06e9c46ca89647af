package transport

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/dns"
)

// Bounds of what a domain can make us do.
const (
	maxCandidates = 10 // MX records whose addresses are looked up
	maxHosts      = 5  // that are tried for one session
	maxAddrs      = 10 // likewise
)

// Routes finds the servers for a domain (RFC 5321 5.1).
type Routes struct {
	DNS          *dns.Resolver
	Names        []string                // of this server
	Listening    []netip.AddrPort        // where it takes mail; 0.0.0.0 and :: are all its addresses
	AllowPrivate func(a netip.Addr) bool // addresses that are not public and may be sent to; nil: none
	Port         uint16                  // of the servers
}

// Host is a server for a domain.
type Host struct {
	Name  string
	Addrs []netip.Addr // in the order in which they are tried

	preference uint16
	secure     bool   // DNSSEC vouches for the name and its addresses
	base       string // the name at the end of its aliases
	failed     bool   // its addresses could not be looked up
}

// Find returns the servers in the order in which they are tried, those of the same preference in any. The result is why
// there are none, and is nil where there are.
func (r *Routes) Find(ctx context.Context, domain string) ([]Host, *Result) {
	if addr, ok := literal(domain); ok {
		return r.choose(domain, []Host{r.host(domain, dns.Answer{Outcome: dns.Found, Addrs: []netip.Addr{addr}})})
	}
	name, ok := dns.Domain(domain)
	if !ok {
		return nil, new(permanent("5.1.2", "%q is no domain that mail can be sent to", domain))
	}
	a := r.DNS.Lookup(ctx, name, dns.MX)
	var candidates []Host
	switch a.Outcome {
	case dns.Failed:
		return nil, new(temporary("4.4.3", "the mail servers of %s could not be looked up", name))
	case dns.NoName:
		return nil, new(permanent("5.1.2", "the domain %s does not exist", name))
	case dns.NoData:
		candidates = []Host{{Name: name}} // the domain itself
	default:
		if !slices.ContainsFunc(a.MX, func(mx dns.Exchange) bool { return mx.Host != "" }) {
			return nil, new(permanent("5.1.10", "the domain %s takes no mail", name)) // RFC 7505
		}
		if candidates = shuffled(a.MX); len(candidates) == 0 {
			return nil, new(permanent("5.4.4", "the mail servers of %s have no names that can be looked up", name))
		}
	}
	candidates = before(candidates, r.isNamedLikeUs)
	if len(candidates) == 0 {
		return nil, new(loop(name))
	}
	candidates = candidates[:min(len(candidates), maxCandidates)]
	r.resolve(ctx, candidates, a.Authentic)
	return r.choose(name, candidates)
}

// shuffled puts MX records in order, with those of the same preference in any. What can be no server's name is left
// out, such as an address.
func shuffled(records []dns.Exchange) []Host {
	var out []Host
	for _, mx := range records {
		if name, ok := dns.Domain(mx.Host); ok {
			out = append(out, Host{Name: name, preference: mx.Preference})
		}
	}
	rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	slices.SortStableFunc(out, func(a, b Host) int { return int(a.preference) - int(b.preference) })
	return out
}

// before leaves out the servers that are ourselves, and those that are no better: mail goes towards the best, and
// a server that sends it back makes a loop.
func before(hosts []Host, ours func(Host) bool) []Host {
	i := slices.IndexFunc(hosts, ours)
	if i < 0 {
		return hosts
	}
	limit := hosts[i].preference
	return slices.DeleteFunc(hosts, func(h Host) bool { return h.preference >= limit })
}

func (r *Routes) isNamedLikeUs(h Host) bool {
	return slices.ContainsFunc(r.Names, func(n string) bool { return strings.EqualFold(n, h.Name) })
}

func loop(domain string) Result {
	return permanent("5.4.6", "mail for %s would come back to this server, which does not take it", domain)
}

// resolve looks up the addresses of all hosts at once.
func (r *Routes) resolve(ctx context.Context, hosts []Host, secure bool) {
	var qs []dns.Question
	for _, h := range hosts {
		qs = append(qs, dns.Question{Name: h.Name, Type: dns.AAAA}, dns.Question{Name: h.Name, Type: dns.A})
	}
	answers := r.DNS.LookupAll(ctx, qs...)
	for i := range hosts {
		h := r.host(hosts[i].Name, answers[2*i:2*i+2]...)
		h.preference, h.secure = hosts[i].preference, h.secure && secure
		hosts[i] = h
	}
}

// host makes a host of what the DNS says about its addresses.
func (r *Routes) host(name string, answers ...dns.Answer) Host {
	h := Host{Name: name, secure: true}
	for _, a := range answers {
		switch a.Outcome {
		case dns.Failed:
			h.failed = true
		case dns.Found:
			h.secure = h.secure && a.Authentic
			h.base = a.Name
			h.Addrs = append(h.Addrs, a.Addrs...)
		}
	}
	return h
}

// choose takes the servers that can be tried.
func (r *Routes) choose(domain string, hosts []Host) ([]Host, *Result) {
	hosts = before(hosts, func(h Host) bool { return slices.ContainsFunc(h.Addrs, r.isOurs) })
	if len(hosts) == 0 {
		return nil, new(loop(domain))
	}
	var out []Host
	var failed, refused bool
	left, six := maxAddrs, hasIPv6()
	for _, h := range hosts {
		had := len(h.Addrs)
		h.Addrs = slices.DeleteFunc(h.Addrs, func(a netip.Addr) bool { return !permitted(a, r.AllowPrivate) })
		failed, refused = failed || h.failed && had == 0, refused || had > 0
		h.Addrs = inTurn(h.Addrs, six)
		h.Addrs = h.Addrs[:min(len(h.Addrs), left)]
		left -= len(h.Addrs)
		if len(h.Addrs) > 0 && len(out) < maxHosts {
			out = append(out, h)
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case failed:
		return nil, new(temporary("4.4.3", "the addresses of the mail servers of %s could not be looked up", domain))
	case refused:
		return nil, new(permanent("5.4.4", "the mail servers of %s have no public address", domain))
	}
	return nil, new(permanent("5.4.4", "the mail servers of %s have no address", domain))
}

// isOurs says whether we listen on an address.
func (r *Routes) isOurs(a netip.Addr) bool {
	a = a.Unmap()
	return slices.ContainsFunc(r.Listening, func(l netip.AddrPort) bool {
		if l.Port() != r.Port {
			return false
		}
		return l.Addr().Unmap() == a || l.Addr().IsUnspecified() && isLocal(a)
	})
}
