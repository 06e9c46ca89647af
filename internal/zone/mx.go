package zone

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// checkMX is fine with other hosts next to ours: a domain may have a second host for the time when ours does not
// answer.
func (c checker) checkMX(ctx context.Context, r Record) Finding {
	f := Finding{Record: r}
	hosts, err := c.dns.MX(ctx, r.Host)
	switch {
	case errors.Is(err, ErrNone):
		f.Problem = "There is no MX record there."
		return f
	case err != nil:
		f.Err = err
		return f
	}
	for _, h := range hosts[:min(len(hosts), maxFound)] {
		f.Found = append(f.Found, fmt.Sprintf("%d %s", h.Preference, canonName(h.Host)))
	}
	if f.Verified = c.isOurs(hosts); !f.Verified {
		f.Problem = "None of the MX records names " + c.plan.Hostname + "."
	}
	return f
}

func (c checker) isOurs(hosts []MX) bool {
	return c.plan.Hostname != "" && slices.ContainsFunc(hosts,
		func(h MX) bool { return sameName(h.Host, c.plan.Hostname) })
}
