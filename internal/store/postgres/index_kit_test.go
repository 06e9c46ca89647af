package postgres

import (
	"context"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// roundTrips counts what is asked of a database.
type roundTrips struct{ n atomic.Int64 }

func (c *roundTrips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *roundTrips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *roundTrips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *roundTrips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *roundTrips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// indexPool returns a database with the tables of the index and the leases.
func indexPool(t testing.TB) (*pgxpool.Pool, *roundTrips) {
	t.Helper()
	return indexPoolAt(t, pgtest.URL(t))
}

func indexPoolAt(t testing.TB, url string) (*pgxpool.Pool, *roundTrips) {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	trips := &roundTrips{}
	config.ConnConfig.Tracer, config.MaxConns = trips, 8
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(t.Context(), `CREATE TABLE counters ()`); err != nil { // of the store, which is not here
		t.Fatal(err)
	}
	for _, migration := range []string{"0006_index", "0010_era"} {
		tables, err := os.ReadFile("migrations/" + migration + ".sql")
		if err == nil {
			_, err = pool.Exec(t.Context(), string(tables))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return pool, trips
}

// placeOf is how far an index of tables that are not cut has come.
func placeOf(ctx context.Context, x store.Index) (int64, error) {
	places, err := x.Places(ctx)
	return places[0], err
}
