package sender

import (
	"context"
	"net/netip"
	"strings"

	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/spf"
)

// Limits on what one policy may cost (RFC 7208 4.6.4).
const (
	maxSPFQueries = 10 // terms that ask the DNS
	maxSPFVoids   = 2  // of them with nothing for an answer
	maxSPFNames   = 10 // of one MX or PTR answer
)

// spfResult is a verdict and the domain it is about.
type spfResult struct {
	verdict string
	domain  string
}

// checkSPF asks whether the client may send for the domain of the envelope sender, or of HELO where that is empty (RFC
// 7208 2.4).
func checkSPF(ctx context.Context, resolver *dns.Resolver, m Mail) spfResult {
	if !speaksForItself(m.Remote) {
		return spfResult{verdict: none}
	}
	return evaluateSPF(ctx, resolver, m)
}

func evaluateSPF(ctx context.Context, resolver *dns.Resolver, m Mail) spfResult {
	c := spfCheck{dns: resolver, ip: m.Remote.Unmap().WithZone(""), helo: m.Helo, local: "postmaster"}
	domain := m.Helo
	if m.EnvelopeFrom != "" {
		at := strings.LastIndexByte(m.EnvelopeFrom, '@')
		if domain = m.EnvelopeFrom[at+1:]; at > 0 {
			c.local = m.EnvelopeFrom[:at]
		}
	}
	var ok bool
	if c.domain, ok = dns.Domain(domain); !ok {
		return spfResult{verdict: none}
	}
	return spfResult{verdict: c.host(ctx, c.domain), domain: c.domain}
}

// speaksForItself is false for clients whose address says nothing about who sent the mail: those on this machine or in
// its own network. They are relays, containers and proxies that mail of strangers passes through. A policy that names
// such addresses, which is a common mistake, means machines of another network, and would let everybody pass.
func speaksForItself(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !sharedNet.Contains(ip)
}

// sharedNet is the address space of carriers between them and their customers (RFC 6598).
var sharedNet = netip.MustParsePrefix("100.64.0.0/10")

// qualified is the verdict of a term that matches (RFC 7208 4.6.2).
var qualified = map[byte]string{'+': pass, '-': fail, '~': softfail, '?': neutral}

// spfCheck is the evaluation of a policy, with all that it includes.
type spfCheck struct {
	dns           *dns.Resolver
	ip            netip.Addr
	local, domain string // of the sender
	helo          string

	queries, voids int
	reverse        []string // names of ip, once reversed is set
	reversed       bool
}

// host is check_host of RFC 7208 4.
func (c *spfCheck) host(ctx context.Context, domain string) string {
	p, verdict := c.policy(ctx, domain)
	if verdict != "" {
		return verdict
	}
	for _, t := range p.Terms {
		matches, verdict := c.match(ctx, t, domain)
		if verdict != "" {
			return verdict
		}
		if matches {
			return qualified[t.Qualifier]
		}
	}
	if p.Redirect == "" {
		return neutral // 4.7
	}
	target, ok := c.target(ctx, p.Redirect, domain)
	if !ok || !c.mayAsk() {
		return permerror
	}
	if verdict := c.host(ctx, target); verdict != none {
		return verdict
	}
	return permerror // 6.1
}

// policy finds the policy of a domain, or the verdict where there is none to evaluate.
func (c *spfCheck) policy(ctx context.Context, domain string) (p spf.Policy, verdict string) {
	if !dns.IsName(domain) || !strings.Contains(domain, ".") {
		return p, none // 4.3
	}
	a := c.dns.Lookup(ctx, strings.ToLower(domain), dns.TXT)
	if a.Outcome == dns.Failed {
		return p, temperror // 4.4
	}
	records := spf.Records(a.Texts)
	switch len(records) { // 4.5
	case 0:
		return p, none
	case 1:
	default:
		return p, permerror
	}
	p, wrong := spf.Parse(records[0])
	if wrong != "" {
		return p, permerror // 4.6
	}
	return p, ""
}

// mayAsk counts a term that asks the DNS.
func (c *spfCheck) mayAsk() bool {
	c.queries++
	return c.queries <= maxSPFQueries
}

// lookup asks for a term, and counts it if there is nothing. The verdict is empty where the answer may be used.
//
// A host with addresses of the other kind only is not counted: policies of the years before IPv6 name more than two of
// them, and their mail comes from an included provider that has it.
func (c *spfCheck) lookup(ctx context.Context, name string, kind dns.Type) (dns.Answer, string) {
	a := c.dns.Lookup(ctx, strings.ToLower(name), kind)
	if a.Outcome == dns.NoName || a.Outcome == dns.NoData && kind != dns.A && kind != dns.AAAA {
		if c.voids++; c.voids > maxSPFVoids {
			return a, permerror
		}
	}
	if a.Outcome == dns.Failed {
		return a, temperror
	}
	return a, ""
}

// addrKind is the type of record for addresses like the client's.
func (c *spfCheck) addrKind() dns.Type {
	if c.ip.Is4() {
		return dns.A
	}
	return dns.AAAA
}
