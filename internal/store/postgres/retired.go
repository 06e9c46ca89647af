package postgres

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Retired(_ context.Context, address string) (at time.Time, err error) {
	return one(q.sql(`SELECT at FROM retired WHERE address = $1`).text(address), rows.Time)
}

func (q *queries) Retire(_ context.Context, address string, at time.Time) error {
	return q.sql(`INSERT INTO retired (address, at) VALUES ($1, $2) ON CONFLICT (address) DO UPDATE SET at = excluded.at`).
		text(address).time(at).run()
}

const trimRetired = `DELETE FROM retired WHERE address IN (SELECT address FROM retired WHERE at < $1 LIMIT $2)`

func (q *queries) TrimRetired(_ context.Context, before time.Time, limit int) (removed int, more bool, err error) {
	n, err := q.sql(trimRetired).time(before).int(int64(limit)).changed()
	return int(n), n >= int64(limit), err
}
