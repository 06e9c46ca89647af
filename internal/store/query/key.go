package query

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	TrimKeys     = `DELETE FROM keys WHERE expires_at > 0 AND expires_at < ?1`
	trimKeyBoxes = `DELETE FROM key_boxes WHERE key IN (SELECT id FROM keys WHERE expires_at > 0 AND expires_at < ?1)`
)

func (q Queries[R]) UpdateKey(_ context.Context, k mailbox.Key) error {
	q.conn.Lock(k.Mailbox)
	return q.run(`UPDATE keys SET restriction = ?1, expires_at = ?2 WHERE id = ?3`, k.Restriction().Encode(),
		k.ExpiresAt, k.ID)
}

func (q Queries[R]) ExpireKey(_ context.Context, id mailbox.ID, at time.Time) error {
	return q.run(`UPDATE keys SET expires_at = ?1 WHERE id = ?2`, at, id)
}

func (q Queries[R]) DeleteKey(_ context.Context, id mailbox.ID) error {
	if err := q.run(`DELETE FROM key_boxes WHERE key = ?1`, id); err != nil {
		return err
	}
	return q.run(`DELETE FROM keys WHERE id = ?1`, id)
}

func (q Queries[R]) TrimKeys(_ context.Context, before time.Time) error {
	if err := q.run(trimKeyBoxes, before); err != nil {
		return err
	}
	return q.run(TrimKeys, before)
}

func (q Queries[R]) KeyBoxes(_ context.Context, id mailbox.ID) ([]mailbox.Num, error) {
	return all(q, rows.Num, `SELECT box FROM key_boxes WHERE key = ?1 ORDER BY box`, id)
}

func (q Queries[R]) KeyOpens(_ context.Context, id mailbox.ID, num mailbox.Num) (bool, error) {
	return one(q, rows.Bool, `SELECT EXISTS (SELECT 1 FROM key_boxes WHERE key = ?1 AND box = ?2)`, id, num)
}

func (q Queries[R]) InsertKeyBox(_ context.Context, id mailbox.ID, num mailbox.Num) error {
	q.conn.Lock(num)
	return q.run(`INSERT INTO key_boxes (key, box) VALUES (?1,?2) ON CONFLICT DO NOTHING`, id, num)
}
