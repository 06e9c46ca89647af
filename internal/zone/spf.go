package zone

import (
	"context"
	"errors"
	"net/netip"

	"github.com/mailkin/mailkin/internal/spf"
)

// problem is a sentence about something that is wrong in the DNS, as opposed to a lookup that failed.
type problem string

func (p problem) Error() string { return string(p) }

// Bounds of RFC 7208 4.6.4.
const (
	maxLookups = 10
	maxMX      = 10
)

// checkSPF asks whether mail from our host passes the policy of the domain. It passes where each of our addresses does.
func (c checker) checkSPF(ctx context.Context, r Record) Finding {
	f := Finding{Record: r}
	texts, err := c.dns.TXT(ctx, r.Host)
	if err != nil && !errors.Is(err, ErrNone) {
		f.Err = err
		return f
	}
	f.Found = spf.Records(texts)
	addresses := c.plan.Addresses
	if len(addresses) == 0 {
		addresses = []netip.Addr{{}}
	}
	for _, a := range addresses {
		w := walk{checker: c, address: a.Unmap()}
		verdict, err := w.policy(ctx, r.Host)
		var wrong problem
		switch {
		case errors.As(err, &wrong):
			f.Problem = string(wrong)
			return f
		case err != nil:
			f.Err = err
			return f
		case verdict != passes:
			f.Problem = "The SPF record does not let " + c.plan.Hostname + " send: add " + c.plan.spfTerm() +
				" to it, before its all."
			return f
		}
	}
	f.Verified = true
	return f
}

// walk reads policies as a receiver of mail from one of our addresses does.
type walk struct {
	checker
	address netip.Addr // not valid: not known
	lookups int
}

// verdict is what a policy says about us.
type verdict int

const (
	noMatch verdict = iota
	passes
	refused // or nothing that would help
)

// policy judges by the policy of a domain.
func (w *walk) policy(ctx context.Context, domain string) (verdict, error) {
	texts, err := w.dns.TXT(ctx, domain)
	if err != nil && !errors.Is(err, ErrNone) {
		return noMatch, err
	}
	found := spf.Records(texts)
	switch len(found) {
	case 0:
		return noMatch, problem("There is no SPF record at " + printable(domain, maxName) + ".")
	case 1:
	default:
		return noMatch, problem("There is more than one SPF record at " + printable(domain, maxName) +
			": receivers take none of them.")
	}
	p, bad := spf.Parse(found[0])
	if bad != "" {
		return noMatch, problem(`The SPF record at ` + printable(domain, maxName) + ` has a mistake: "` + printable(bad,
			80) + `".`)
	}
	for _, t := range p.Terms {
		matches, err := w.matches(ctx, t, domain)
		switch {
		case err != nil:
			return noMatch, err
		case matches && t.Qualifier == '+':
			return passes, nil
		case matches:
			return refused, nil
		}
	}
	if p.Redirect == "" {
		return noMatch, nil
	}
	if err := w.count(); err != nil || !isAskable(p.Redirect) {
		return noMatch, err
	}
	return w.policy(ctx, canonName(p.Redirect))
}

// matches says whether a term is about us. One that is about us under another name of our addresses, or by macros, is
// not found: nothing here resolves the former or knows the mail for the latter.
func (w *walk) matches(ctx context.Context, t spf.Term, domain string) (bool, error) {
	target := domain
	if t.Spec != "" {
		target = canonName(t.Spec)
	}
	switch t.Kind {
	case "all":
		return true, nil
	case "ip4", "ip6":
		return w.address.IsValid() && t.Prefix.Contains(w.address), nil
	}
	if err := w.count(); err != nil || !isAskable(target) {
		return false, err
	}
	switch t.Kind {
	case "a":
		return sameName(target, w.plan.Hostname), nil
	case "mx":
		return w.matchesMX(ctx, target)
	case "include":
		v, err := w.policy(ctx, target)
		return v == passes, err
	}
	return false, nil
}

func (w *walk) matchesMX(ctx context.Context, target string) (bool, error) {
	hosts, err := w.dns.MX(ctx, target)
	switch {
	case errors.Is(err, ErrNone):
		return false, nil
	case err != nil:
		return false, err
	case len(hosts) > maxMX:
		return false, problem("The SPF record has mx for a name with more than ten MX records: receivers do not " +
			"take it.")
	}
	return w.isOurs(hosts), nil
}

// count counts a term that makes receivers ask the DNS.
func (w *walk) count() error {
	if w.lookups++; w.lookups > maxLookups {
		return problem("The SPF record needs more than ten lookups before it comes to us: receivers do not take it.")
	}
	return nil
}
