package query

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) Retired(_ context.Context, address string) (at time.Time, err error) {
	return one(q, rows.Time, `SELECT at FROM retired WHERE address = ?1`, address)
}

func (q Queries[R]) Retire(_ context.Context, address string, at time.Time) error {
	return q.run(`INSERT INTO retired (address, at) VALUES (?1, ?2)
		ON CONFLICT (address) DO UPDATE SET at = excluded.at`,
		address, at)
}
