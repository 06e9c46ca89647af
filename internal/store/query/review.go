package query

import (
	"context"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) CountHeld(_ context.Context, num mailbox.Num) (int64, error) {
	q.conn.Lock(num)
	return one(q, rows.Int, `SELECT count(*) FROM reviews WHERE box = ?1 AND status = 'held'`, num)
}

func (q Queries[R]) CountUnsent(_ context.Context, num mailbox.Num) (int64, error) {
	q.conn.Lock(num)
	return one(q, rows.Int, `SELECT count(*) FROM reviews WHERE box = ?1
		AND status IN ('held', 'rejected', 'Expired', 'canceled')`, num)
}

func (q Queries[R]) InsertReview(_ context.Context, r mailbox.Review) error {
	q.conn.Lock(r.Mailbox)
	return q.run(`INSERT INTO reviews (box, message, status, reasons, note, decided_by, created_at, expires_at, decided_at,
		version, about, unnoticed, due)
		VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)`, r.Mailbox, r.Message, string(r.Status),
		strings.Join(r.Reasons, "\n"), r.Note, r.By, r.CreatedAt, r.ExpiresAt, r.DecidedAt, r.Version, r.About,
		r.Unnoticed, r.Due)
}

func (q Queries[R]) Review(_ context.Context, num mailbox.Num, message mailbox.ID) (mailbox.Review, error) {
	q.conn.Lock(num)
	return one(q, rows.Review, `SELECT `+rows.ReviewColumns+` FROM reviews WHERE box = ?1 AND message = ?2`, num,
		message)
}

func (q Queries[R]) DeleteReview(m mailbox.Message) error {
	return q.run(`DELETE FROM reviews WHERE box = ?1 AND message = ?2`, m.Mailbox, m.ID)
}

func (q Queries[R]) UpdateReview(_ context.Context, r mailbox.Review) error {
	q.conn.Lock(r.Mailbox)
	return q.changeOne(`UPDATE reviews SET status = ?1, note = ?2, decided_by = ?3, decided_at = ?4, version = ?5
		WHERE box = ?6 AND message = ?7`, string(r.Status), r.Note, r.By, r.DecidedAt, r.Version, r.Mailbox, r.Message)
}
