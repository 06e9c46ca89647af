package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	someSuppressions = `SELECT ` + rows.SuppressionColumns +
		` FROM suppressions WHERE box = $1 AND n < $2 AND n > $3 AND ($4 = ''::bytea OR reason = $4) ORDER BY n `
	suppressions       = someSuppressions + `DESC LIMIT $5 OFFSET $6`
	oldestSuppressions = someSuppressions + `LIMIT $5 OFFSET $6`
)

func (q *queries) Suppressions(_ context.Context, num mailbox.Num, f store.SuppressionFilter) (
	[]mailbox.Suppression, error) {
	q.lock(num)
	text := suppressions
	if f.Oldest {
		text = oldestSuppressions
	}
	return all(q.sql(text).num(num).int(rows.Below(f.Before)).int(f.After).text(f.Reason).int(int64(f.Limit)).
		int(int64(f.Offset)), rows.Suppression)
}
