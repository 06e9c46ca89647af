package zone

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"
)

// ErrNone is a [Resolver]'s answer where there is no such record.
var ErrNone = errors.New("no such record")

// Resolver answers questions of the DNS. An error that is not [ErrNone] means that the answer could not be found out.
// Calls end when their context does.
type Resolver interface {
	// TXT returns the texts of a name, the strings of each joined.
	TXT(ctx context.Context, name string) ([]string, error)
	MX(ctx context.Context, name string) ([]MX, error)
	Addrs(ctx context.Context, name string) ([]netip.Addr, error)
	// Names returns the names of an address.
	Names(ctx context.Context, addr netip.Addr) ([]string, error)
	// Policy fetches the MTA-STS policy of a domain, as it is.
	Policy(ctx context.Context, domain string) (string, error)
}

// MX is a host that takes mail.
type MX struct {
	Host       string
	Preference uint16
}

// checkTime is for all lookups of a check.
const checkTime = 10 * time.Second

// Check looks all records up, at the same time, within ten seconds.
func (p Plan) Check(ctx context.Context, r Resolver) Findings {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	records := p.Records()
	out := make(Findings, len(records))
	c := checker{plan: p, dns: &lookups{from: r}}
	var wg sync.WaitGroup
	for i, record := range records {
		wg.Go(func() {
			out[i] = c.check(ctx, record)
			out[i].bound()
		})
	}
	wg.Wait()
	return out
}

// Ownership looks up the record that shows who owns the domain, and nothing else.
func (p Plan) Ownership(ctx context.Context, r Resolver) Finding {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	return checker{plan: p, dns: &lookups{from: r}}.check(ctx, p.ownership())
}

// checker checks the records of a plan.
type checker struct {
	plan Plan
	dns  *lookups
}

func (c checker) check(ctx context.Context, r Record) Finding {
	switch r.Kind {
	case KindMX:
		return c.checkMX(ctx, r)
	case KindSPF:
		return c.checkSPF(ctx, r)
	}
	f := Finding{Record: r}
	texts, err := c.dns.TXT(ctx, r.Host)
	switch {
	case errors.Is(err, ErrNone):
		f.Problem = "There is no TXT record there."
		return f
	case err != nil:
		f.Err = err
		return f
	}
	f.Found = texts
	switch r.Kind {
	case KindOwnership:
		f.Problem = ownershipProblem(c.plan.Token, texts)
	case KindDMARC:
		f.Problem = dmarcProblem(texts)
	default:
		f.Problem = dkimProblem(r.Value, texts)
	}
	f.Verified = f.Problem == ""
	return f
}

// lookups asks no question twice: a second asker waits for the answer to the first.
type lookups struct {
	from Resolver
	mu   sync.Mutex
	txt  map[string]func() ([]string, error)
	mx   map[string]func() ([]MX, error)
}

func (l *lookups) TXT(ctx context.Context, name string) ([]string, error) {
	return once(&l.mu, &l.txt, name, func() ([]string, error) { return l.from.TXT(ctx, name) })()
}

func (l *lookups) MX(ctx context.Context, name string) ([]MX, error) {
	return once(&l.mu, &l.mx, name, func() ([]MX, error) { return l.from.MX(ctx, name) })()
}

// once returns what asks for a name. No answer at all is ErrNone, too.
func once[T any](mu *sync.Mutex, known *map[string]func() ([]T, error), name string, ask func() ([]T, error)) func() (
	[]T, error) {
	mu.Lock()
	defer mu.Unlock()
	if *known == nil {
		*known = map[string]func() ([]T, error){}
	}
	if (*known)[name] == nil {
		(*known)[name] = sync.OnceValues(func() ([]T, error) {
			answers, err := ask()
			if err == nil && len(answers) == 0 {
				err = ErrNone
			}
			return answers, err
		})
	}
	return (*known)[name]
}
