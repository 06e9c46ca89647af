package dns

import (
	"context"
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// resolverOf asks whom it is given.
func resolverOf(t testing.TB, a Asker) *Resolver {
	t.Helper()
	r, err := New(Options{Asker: a, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// zone is a resolver without a network in between.
type zone struct{ *dnstest.Zone }

func (z zone) Ask(ctx context.Context, q Question) (Answer, error) {
	packed, err := q.Pack(1)
	if err != nil {
		return Answer{}, err
	}
	reply, err := z.Exchange(packed)
	if err != nil {
		return Answer{}, err
	}
	if reply == nil {
		<-ctx.Done()
		return Answer{}, errSilent
	}
	a, _, ok := q.Unpack(reply, 1)
	if !ok {
		return Answer{}, errSilent
	}
	return a, nil
}
