package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) CountSuppressions(_ context.Context, num mailbox.Num) (int64, error) {
	q.conn.Lock(num)
	return one(q, rows.Int, `SELECT count(*) FROM suppressions WHERE box = ?1`, num)
}

func (q Queries[R]) Suppression(_ context.Context, num mailbox.Num, address string) (mailbox.Suppression, error) {
	q.conn.Lock(num)
	return one(q, rows.Suppression,
		`SELECT `+rows.SuppressionColumns+` FROM suppressions WHERE box = ?1 AND address = ?2`, num, address)
}

func (q Queries[R]) InsertSuppression(_ context.Context, s mailbox.Suppression) error {
	q.conn.Lock(s.Mailbox)
	return q.run(`INSERT INTO suppressions (box, address, reason, detail, message, at) VALUES (?1,?2,?3,?4,?5,?6)
		ON CONFLICT DO NOTHING`,
		s.Mailbox, s.Address, s.Reason, s.Detail, s.Message, s.At)
}

func (q Queries[R]) DeleteSuppression(_ context.Context, num mailbox.Num, address string) error {
	q.conn.Lock(num)
	return q.changeOne(`DELETE FROM suppressions WHERE box = ?1 AND address = ?2`, num, address)
}
