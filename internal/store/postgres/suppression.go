package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const suppressionColumns = `n, box, address, reason, detail, message, at`

func scanSuppression(r row) mailbox.Suppression {
	return mailbox.Suppression{Number: r.int(0), Mailbox: r.num(1), Address: r.text(2), Reason: r.text(3),
		Detail:  r.text(4),
		Message: r.id(5), At: r.time(6)}
}

func (q *queries) Suppression(_ context.Context, num mailbox.Num, address string) (s mailbox.Suppression, err error) {
	q.lock(num)
	err = q.sql(`SELECT ` + suppressionColumns + ` FROM suppressions WHERE box = $1 AND address = $2`).num(num).text(
		address).
		one(func(r row) { s = scanSuppression(r) })
	return s, err
}

const suppressions = `SELECT ` + suppressionColumns +
	` FROM suppressions WHERE box = $1 AND n < $2 ORDER BY n DESC LIMIT $3 OFFSET $4`

func (q *queries) Suppressions(_ context.Context, num mailbox.Num, f store.SuppressionFilter) (
	list []mailbox.Suppression, err error) {
	q.lock(num)
	err = q.sql(suppressions).num(num).int(below(f.Before)).int(int64(f.Limit)).int(int64(f.Offset)).
		each(func(r row) error { list = append(list, scanSuppression(r)); return nil })
	return list, err
}

func (q *queries) CountSuppressions(_ context.Context, num mailbox.Num) (n int64, err error) {
	q.lock(num)
	err = q.sql(`SELECT count(*) FROM suppressions WHERE box = $1`).num(num).one(func(r row) { n = r.int(0) })
	return n, err
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
