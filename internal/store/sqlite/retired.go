package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Retired(_ context.Context, address string) (at time.Time, err error) {
	return one(q.sql(`SELECT at FROM retired WHERE address = ?`).text(address), rows.Time)
}

func (q *queries) Retire(_ context.Context, address string, at time.Time) error {
	return q.sql(`INSERT INTO retired (address, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at`).
		text(address).time(at).run()
}

const trimRetired = `DELETE FROM retired WHERE address IN (SELECT address FROM retired WHERE at < ? LIMIT ?)`

func (q *queries) TrimRetired(_ context.Context, before time.Time, limit int) (removed int, more bool, err error) {
	err = q.sql(trimRetired).time(before).int(int64(limit)).run()
	removed = q.conn.Changes()
	return removed, removed >= limit, err
}
