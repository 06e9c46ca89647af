package postgres

import (
	"context"
	"time"
)

const trimRetired = `DELETE FROM retired WHERE address IN (SELECT address FROM retired WHERE at < $1 LIMIT $2)`

func (q *queries) TrimRetired(_ context.Context, before time.Time, limit int) (int, bool, error) {
	return q.Trim(trimRetired, before, limit)
}
