package transport

import (
	"context"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

const (
	smtpPort  = 25
	httpsPort = 443
)

// DirectOptions say how mail is sent to the servers of its recipients.
type DirectOptions struct {
	DNS          *dns.Resolver
	Hostname     string                  // of this server, for EHLO
	Names        []string                // other names of this server, and the domains it has
	Listening    []netip.AddrPort        // where this server takes mail
	AllowPrivate func(a netip.Addr) bool // addresses that are not public and may be sent to; nil: none
	Roots        *x509.CertPool          // for MTA-STS; nil: the system's
	Port         uint16                  // of mail servers; 25
	HTTPSPort    uint16                  // of servers of MTA-STS policies; 443
	Dial         dialFunc                // nil: the network
	Policies     PolicyStore             // nil: MTA-STS policies are forgotten when the program ends
	Now          func() time.Time
	Log          *slog.Logger
}

// Direct sends mail to the servers of its recipients.
type Direct struct {
	client
	dns      *dns.Resolver
	routes   Routes
	policies *policies
	roots    *x509.CertPool
	now      func() time.Time
}

var errNoDNS = errors.New("mail cannot be sent to the servers of its recipients without the DNS")

// NewDirect gives a way to the servers of recipients.
func NewDirect(o DirectOptions) (*Direct, error) {
	if o.DNS == nil {
		return nil, errNoDNS
	}
	if o.Port == 0 {
		o.Port = smtpPort
	}
	if o.HTTPSPort == 0 {
		o.HTTPSPort = httpsPort
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	c := newClient(o.Hostname, o.Dial, o.Log)
	names := append([]string{o.Hostname}, o.Names...)
	return &Direct{
		client: c, dns: o.DNS, roots: o.Roots, now: o.Now, policies: newPolicies(o, c),
		routes: Routes{DNS: o.DNS, Names: names, Listening: o.Listening, AllowPrivate: o.AllowPrivate, Port: o.Port},
	}, nil
}

// Open returns a session with the first server of a domain that has one for us.
func (d *Direct) Open(ctx context.Context, domain string) (Session, *Result) {
	return d.Try(ctx, domain, Trial{})
}

// Try is Open, which is watched or less strict.
func (d *Direct) Try(ctx context.Context, domain string, trial Trial) (Session, *Result) {
	ctx, cancel := context.WithTimeout(ctx, d.times.open)
	defer cancel()
	hosts, none := d.routes.Find(ctx, domain)
	if none != nil {
		return nil, none
	}
	var policy stsPolicy
	if name, ok := dns.Domain(domain); ok {
		var err error
		if policy, err = d.policies.of(ctx, name); err != nil {
			r := temporary("4.3.0", "the MTA-STS policy of %s could not be looked up here", name)
			r.Here = true
			return nil, &r
		}
		domain = name
	}
	var why *Result
	for _, h := range hosts {
		want, refusal := d.demand(ctx, domain, h, policy)
		if refusal != nil && !trial.Lax {
			trial.observe(target{host: h.Name, domain: domain, demand: want}, nil, refusal)
			why = better(why, &refusal.Result)
			continue
		}
		if trial.Lax {
			want = demand{name: h.Name, policy: policyNone}
		}
		for _, a := range h.Addrs {
			s, p := d.connect(ctx, target{host: h.Name, address: netip.AddrPortFrom(a, d.routes.Port).String(),
				demand: want, domain: domain}, trial)
			if p == nil {
				return s, nil
			}
			why = better(why, &p.Result)
			if ctx.Err() != nil {
				return nil, why
			}
		}
	}
	return nil, why
}

// RefreshPolicies fetches the MTA-STS policies again that would end before long.
func (d *Direct) RefreshPolicies(ctx context.Context) error { return d.policies.refresh(ctx) }

// better is the failure that is told when none of the servers worked: the first, or the first where a server said why.
func better(first, next *Result) *Result {
	if first == nil || first.Code == 0 && next.Code != 0 {
		return next
	}
	return first
}

// connect opens a session, and where TLS does not work and nobody demands it, without.
func (d *Direct) connect(ctx context.Context, t target, trial Trial) (*session, *problem) {
	s, p := d.open(ctx, t)
	trial.observe(t, s, p)
	if p == nil || !p.handshake || t.demand.required || ctx.Err() != nil {
		return s, p
	}
	d.log.Info("TLS with a mail server failed: without it", "host", t.host, "why", p.Text)
	t.demand.off = true
	return d.open(ctx, t)
}

// demand is what TLS with a server must be. DANE comes before MTA-STS: what the DNS vouches for needs nobody else (RFC
// 8461 2).
func (d *Direct) demand(ctx context.Context, domain string, h Host, policy stsPolicy) (demand, *problem) {
	want := demand{name: h.Name, policy: policyNone}
	records, base, found, ok := findAnchors(ctx, d.dns, h, d.routes.Port)
	switch {
	case !ok:
		r := temporary("4.4.3", "the TLSA records of %s could not be looked up", h.Name)
		r.Host, want.policy = h.Name, policyDANE
		return want, &problem{Result: r, tls: failedDNSSEC}
	case found:
		want.name, want.required, want.reason, want.policy = base, true, "DANE", policyDANE
		if len(records) > 0 {
			want.verify = anchors{records: records, names: []string{base, h.Name, domain}, now: d.now}.verify
		} else {
			want.ignored = failedTLSA
		}
		return want, nil
	}
	if policy.mode == stsNone {
		want.ignored = d.policies.failed(domain)
	}
	if policy.mode != stsNone || want.ignored != "" {
		want.policy = policySTS
	}
	switch policy.mode {
	case stsEnforce:
		if !policy.allows(h.Name) {
			r := temporary("4.7.5", "%s is no server that the MTA-STS policy of %s allows", h.Name, domain)
			r.Host = h.Name
			return want, &problem{Result: r, tls: failedOther}
		}
		want.required, want.reason = true, "MTA-STS"
		want.verify = byAuthorities(d.roots, d.now, h.Name)
	case stsTesting:
		if !policy.allows(h.Name) {
			d.reportTest(domain, h.Name)(errors.New("not a server of the policy"))
			want.ignored = failedOther
			break
		}
		want.verify, want.report = byAuthorities(d.roots, d.now, h.Name), d.reportTest(domain, h.Name)
	}
	return want, nil
}

func (d *Direct) reportTest(domain, host string) func(error) {
	return func(err error) {
		d.log.Info("an MTA-STS policy that is being tested would not have let a mail out", "domain", domain, "host",
			host, "error", err)
	}
}
