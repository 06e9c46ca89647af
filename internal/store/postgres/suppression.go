package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Suppression(_ context.Context, num mailbox.Num, address string) (mailbox.Suppression, error) {
	q.lock(num)
	return one(q.sql(`SELECT `+rows.SuppressionColumns+` FROM suppressions WHERE box = $1 AND address = $2`).
		num(num).text(address), rows.Suppression)
}

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

func (q *queries) CountSuppressions(_ context.Context, num mailbox.Num) (int64, error) {
	q.lock(num)
	return one(q.sql(`SELECT count(*) FROM suppressions WHERE box = $1`).num(num), rows.Int)
}

func (q *queries) InsertSuppression(_ context.Context, s mailbox.Suppression) error {
	q.lock(s.Mailbox)
	return q.sql(`INSERT INTO suppressions (box, address, reason, detail, message, at) VALUES ($1,$2,$3,$4,$5,$6) ON CONFLICT DO NOTHING`).
		num(s.Mailbox).text(s.Address).text(s.Reason).text(s.Detail).id(s.Message).time(s.At).run()
}

func (q *queries) DeleteSuppression(_ context.Context, num mailbox.Num, address string) error {
	q.lock(num)
	n, err := q.sql(`DELETE FROM suppressions WHERE box = $1 AND address = $2`).num(num).text(address).changed()
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	return err
}
