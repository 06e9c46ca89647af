package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	someSuppressions = `SELECT ` + rows.SuppressionColumns +
		` FROM suppressions WHERE box = ? AND n < ? AND n > ? AND (?4 = '' OR reason = ?4) ORDER BY n `
	suppressions       = someSuppressions + `DESC LIMIT ? OFFSET ?`
	oldestSuppressions = someSuppressions + `LIMIT ? OFFSET ?`
)

func (q *queries) Suppressions(_ context.Context, num mailbox.Num, f store.SuppressionFilter) (
	[]mailbox.Suppression, error) {
	text := suppressions
	if f.Oldest {
		text = oldestSuppressions
	}
	return all(q.sql(text).num(num).int(rows.Below(f.Before)).int(f.After).text(f.Reason).int(int64(f.Limit)).
		int(int64(f.Offset)), rows.Suppression)
}
