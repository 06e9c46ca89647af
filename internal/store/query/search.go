package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) Forgetting(_ context.Context, num mailbox.Num, limit int) ([]int64, error) {
	q.conn.Lock(num)
	return all(q, rows.Int, `SELECT seq FROM forgotten WHERE box = ?1 LIMIT ?2`, num, limit)
}
