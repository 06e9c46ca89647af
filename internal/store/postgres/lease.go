package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/store"
)

// Leases are rows, not locks of a session, so that they work behind a pooler and end by the database's clock when their
// holder dies. A write that names the fence of one (FOR KEY SHARE) lets it be renewed but not go to another holder
// until it is committed.
type Leases struct{ pool *pgxpool.Pool }

var _ store.Leaser = (*Leases)(nil)

// NewLeases returns the leases of a migrated database.
func NewLeases(pool *pgxpool.Pool) *Leases { return &Leases{pool} }

// Lease is as store.Leaser has it.
func (db *DB) Lease(ctx context.Context, what, holder string, ttl time.Duration) (fence int64, ok bool, err error) {
	return NewLeases(db.pool).Lease(ctx, what, holder, ttl)
}

// Unlease is as store.Leaser has it.
func (db *DB) Unlease(ctx context.Context, what, holder string) error {
	return NewLeases(db.pool).Unlease(ctx, what, holder)
}

// leasePatience is the deadline of a question.
const leasePatience = 10 * time.Second

// Lease renews what holder has, takes what has ended, or takes what nobody had yet: of the three at most one is true. A
// lease under which something is being written is not waited for: it is another's for that long.
func (l *Leases) Lease(ctx context.Context, what, holder string, ttl time.Duration) (fence int64, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, leasePatience)
	defer cancel()
	var ways pgx.Batch
	got := func(r pgx.Row) error {
		err := r.Scan(&fence)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	}
	ways.Queue(`UPDATE leases SET until = clock_timestamp() + $3 * interval '1 microsecond' WHERE what = $1 AND holder = $2 RETURNING fence`,
		what, holder, ttl.Microseconds()).QueryRow(got)
	ways.Queue(`UPDATE leases SET holder = $2, until = clock_timestamp() + $3 * interval '1 microsecond', fence = fence + 1
		WHERE what = (SELECT what FROM leases WHERE what = $1 AND holder <> $2 AND until < clock_timestamp() FOR UPDATE SKIP LOCKED) RETURNING fence`,
		what, holder, ttl.Microseconds()).QueryRow(got)
	ways.Queue(`INSERT INTO leases (what, holder, until, fence) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 microsecond', 1)
		ON CONFLICT DO NOTHING RETURNING fence`, what, holder, ttl.Microseconds()).QueryRow(got)
	if err := l.pool.SendBatch(ctx, &ways).Close(); err != nil {
		return 0, false, fmt.Errorf("lease %s: %w", what, explain(err))
	}
	return fence, ok, nil
}

// Unlease gives a lease back. The fence rises when it is next taken.
func (l *Leases) Unlease(ctx context.Context, what, holder string) error {
	ctx, cancel := context.WithTimeout(ctx, leasePatience)
	defer cancel()
	_, err := l.pool.Exec(ctx, `UPDATE leases SET holder = '', until = '-infinity' WHERE what = $1 AND holder = $2`,
		what, holder)
	if err != nil {
		return fmt.Errorf("give back the lease of %s: %w", what, explain(err))
	}
	return nil
}
