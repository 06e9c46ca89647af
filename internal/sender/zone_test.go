package sender

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

// zone is DNS data for tests: what a resolver would say.
type zone struct{ *dnstest.Zone }

// newZone reads lines of a zone file. "name FAIL" and "name SILENT" are names whose servers fail, or say nothing.
func newZone(t testing.TB, lines ...string) *zone {
	t.Helper()
	return &zone{dnstest.New(t, lines...)}
}

// text adds a TXT record, however long.
func (z *zone) text(name string, texts ...string) *zone {
	z.Text(name, texts...)
	return z
}

var errSilent = errors.New("no answer")

// Ask makes a zone a resolver without a network in between.
func (z *zone) Ask(ctx context.Context, q dns.Question) (dns.Answer, error) {
	packed, err := q.Pack(1)
	if err != nil {
		return dns.Answer{}, err
	}
	reply, err := z.Exchange(packed)
	if err != nil {
		return dns.Answer{}, err
	}
	if reply == nil {
		<-ctx.Done()
		return dns.Answer{}, errSilent
	}
	a, _, ok := q.Unpack(reply, 1)
	if !ok {
		return dns.Answer{}, errSilent
	}
	return a, nil
}

// checker asks the zone itself.
func (z *zone) checker(t testing.TB) *Checker {
	t.Helper()
	return checkerOf(t, z, time.Now)
}

func checkerOf(t testing.TB, a dns.Asker, now func() time.Time) *Checker {
	t.Helper()
	r, err := dns.New(dns.Options{Asker: a, Now: now, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{DNS: r, Now: now})
}

// served is a checker that asks a server over a real network.
func served(t testing.TB, server string, timeout time.Duration) *Checker {
	t.Helper()
	r, err := dns.New(dns.Options{Resolver: server, Timeout: timeout, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{DNS: r, Timeout: timeout})
}
