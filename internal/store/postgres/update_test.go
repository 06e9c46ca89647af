package postgres

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// batches counts what is sent to the server in batches and waited for.
type batches struct{ roundTrips }

func (b *batches) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// What a mail costs is its round trips.
func TestRoundTrips(t *testing.T) {
	cfg, _, err := config(pgtest.URL(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	trips := new(batches)
	cfg.ConnConfig.Tracer = trips
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := &DB{pool: pool, log: slog.New(slog.DiscardHandler)}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.prepare(t.Context(), Options{}); err != nil {
		t.Fatal(err)
	}
	num := insertBox(t, db, "a@x.org")
	receive := func() {
		m, c := benchMail(1, num)
		mustUpdate(t, db, func(tx store.Tx) error { return receiveMail(tx, m, c) })
	}
	receive()
	for _, c := range []struct {
		what string
		want int64
		do   func()
	}{
		{"a mail from a known sender", 4, receive},
		{"an update that only writes", 1, func() { _ = db.Ping(t.Context()) }},
		{"a View with one question", 1, func() {
			_ = db.View(t.Context(), func(r store.Reader) error { _, err := r.Mailbox(t.Context(), num); return err })
		}},
	} {
		before := trips.n.Load()
		c.do()
		if got := trips.n.Load() - before; got != c.want {
			t.Errorf("%s: %d round trips, want %d", c.what, got, c.want)
		}
	}
}
