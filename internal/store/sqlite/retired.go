package sqlite

import (
	"context"
	"time"
)

const trimRetired = `DELETE FROM retired WHERE address IN (SELECT address FROM retired WHERE at < ? LIMIT ?)`

func (q *queries) TrimRetired(_ context.Context, before time.Time, limit int) (int, bool, error) {
	return q.Trim(trimRetired, before, limit)
}
