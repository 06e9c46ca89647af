package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) Labels(_ context.Context, num mailbox.Num) ([]string, error) {
	q.conn.Lock(num)
	return all(q, rows.Text, `SELECT label FROM labels WHERE box = ?1 ORDER BY label`, num)
}
