package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) Idempotent(_ context.Context, num mailbox.Num, key [32]byte) (mailbox.Idempotent, error) {
	q.conn.Lock(num)
	i, err := one(q, rows.Idempotent,
		`SELECT body, message, thread, message_id, at FROM idempotents WHERE box = ?1 AND key = ?2`, num, key[:])
	i.Mailbox, i.Key = num, key
	return i, err
}

func (q Queries[R]) Pace(_ context.Context, num mailbox.Num) (mailbox.Pace, error) {
	q.conn.Lock(num)
	return orZero(q, rows.Pace, `SELECT pace FROM paces WHERE box = ?1`, num)
}

func (q Queries[R]) SetPace(_ context.Context, num mailbox.Num, p mailbox.Pace) error {
	q.conn.Lock(num)
	return q.run(`INSERT INTO paces (box, pace) VALUES (?1, ?2) ON CONFLICT (box) DO UPDATE SET pace = excluded.pace`,
		num, p.Encode())
}
