package sender

import (
	"context"
	"slices"
	"sync"

	"github.com/mailkin/mailkin/internal/dns"
)

// author is who a mail says it is from. Without one, the verdict says why.
type author struct {
	domain  string
	verdict string
}

func (a author) valid() bool { return a.domain != "" }

// authorOf finds the one author domain (RFC 9989 5.3.1). With several From fields, readers choose different ones, and
// attackers count on it (11.5).
func authorOf(from string, m *message) author {
	fields := m.head.count("from")
	if domain, ok := domainOf(from); ok && fields < 2 {
		return author{domain: domain}
	}
	if fields > 1 || from == "" && fields == 1 {
		return author{verdict: permerror}
	}
	return author{verdict: none}
}

// discovery is what the DNS says about an author's domain.
type discovery struct {
	domain  string
	failed  bool        // it did not say
	applies bool        // there is a policy
	record  dmarcRecord // where it is
	at      string      // the domain that has the record
	policy  string
	org     string // the Organizational Domain, empty if not known
}

// discover finds the policy for a domain (4.10.1): its own, that of its organization, that of the public suffix.
func discover(ctx context.Context, resolver *dns.Resolver, domain string) discovery {
	d := discovery{domain: domain}
	steps := walk(ctx, resolver, domain)
	org, known := organization(steps)
	d.org = org
	own := steps[0].record
	switch {
	case steps[0].failed, own == nil && !known:
		d.failed = true
		return d
	case own != nil:
		d.record, d.at = *own, domain
	default:
		r := inherited(steps, org)
		if r == nil {
			return d
		}
		d.record, d.at = *r.record, r.name
	}
	d.policy, d.applies = d.record.policy(own != nil, func() bool {
		return resolver.Lookup(ctx, domain, dns.TXT).Outcome != dns.NoName // 3.2.13
	})
	if !d.applies {
		d.policy = ""
	}
	return d
}

// inherited is the record for a domain that has none: its organization's, or else the public suffix's.
func inherited(steps []step, org string) *step {
	last := steps[len(steps)-1]
	for _, s := range steps {
		if s.record != nil && s.name == org {
			return &s
		}
	}
	if last.record != nil && last.record.psd == "y" {
		return &last
	}
	return nil
}

// fit is whether a domain is aligned with the author's.
type fit uint8

const (
	fits fit = iota + 1
	fitsNot
	fitUnknown
)

// alignment says which domains are aligned.
type alignment struct {
	spf  fit
	dkim map[string]fit
}

// align compares the domains of SPF and DKIM with the author's (4.4, 4.10.2). It asks what the walks of those under the
// same organization say; the others cannot be aligned.
func (d discovery) align(ctx context.Context, resolver *dns.Resolver, spf spfResult, signers []string) alignment {
	var mu sync.Mutex
	var wg sync.WaitGroup
	a := alignment{spf: d.fit(spf.domain, d.record.strictSPF), dkim: make(map[string]fit, len(signers))}
	if a.spf == 0 {
		wg.Go(func() { a.spf = d.fitWalk(ctx, resolver, spf.domain) })
	}
	for _, domain := range signers {
		f := d.fit(domain, d.record.strictDKIM)
		if f == 0 {
			wg.Go(func() {
				f := d.fitWalk(ctx, resolver, domain)
				mu.Lock()
				defer mu.Unlock()
				a.dkim[domain] = f
			})
			continue
		}
		mu.Lock()
		a.dkim[domain] = f
		mu.Unlock()
	}
	wg.Wait()
	return a
}

// fit is what can be told without a walk, else 0. Without a policy there is no organization either: only the author's
// own domain is aligned.
func (d discovery) fit(domain string, strict bool) fit {
	switch {
	case domain == "" || d.domain == "":
		return fitsNot
	case domain == d.domain:
		return fits
	case !d.applies || strict:
		return fitsNot
	case d.org == "":
		return fitUnknown
	case domain == d.org:
		return fits
	case !isWithin(domain, d.org):
		return fitsNot
	}
	return 0
}

func (d discovery) fitWalk(ctx context.Context, resolver *dns.Resolver, domain string) fit {
	org, ok := organization(walk(ctx, resolver, domain))
	switch {
	case !ok:
		return fitUnknown
	case org == d.org:
		return fits
	}
	return fitsNot
}

// of is whether something that passed is aligned. It is not known where a check that might have been so has no result.
func (a alignment) of(spf spfResult, m *message) fit {
	results := []fit{resultFit(spf.verdict, a.spf)}
	for _, s := range m.signatures {
		results = append(results, resultFit(s.verdict, a.dkim[s.domain]))
	}
	switch {
	case slices.Contains(results, fits):
		return fits
	case slices.Contains(results, fitUnknown), m.unreadable:
		return fitUnknown
	}
	return fitsNot
}

func resultFit(verdict string, f fit) fit {
	switch {
	case verdict == pass:
		return f
	case verdict == temperror && f != fitsNot:
		return fitUnknown
	}
	return fitsNot
}

// conclude is RFC 9989 5.3.5: it passes if something aligned did.
func (r *Result) conclude(a author, d discovery, aligned fit) {
	r.FromAligned = a.valid() && aligned == fits
	switch {
	case !a.valid():
		r.DMARC = a.verdict
		return
	case d.failed:
		r.DMARC = temperror
		return
	case !d.applies:
		return
	}
	r.Policy = d.policy
	switch aligned {
	case fits:
		r.DMARC = pass
	case fitUnknown:
		r.DMARC = temperror
	default:
		r.DMARC = fail
	}
}
