package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	quarantinedByID = `SELECT ` + rows.QuarantinedColumns + ` FROM quarantine WHERE id = ?1`
	countQuarantine = `SELECT count(*), CAST(coalesce(sum(size), 0) AS bigint)
		FROM quarantine WHERE box = ?1 AND released_at = 0`
	QuarantinedTwin = `SELECT id FROM quarantine WHERE box = ?1 AND digest = ?2 AND released_at = 0 LIMIT 1`
)

func (q Queries[R]) CountQuarantine(_ context.Context, num mailbox.Num) (messages, bytes int64, err error) {
	q.conn.Lock(num)
	err = q.scan(countQuarantine, func(r R) { messages, bytes = r.Int(0), r.Int(1) }, num)
	return messages, bytes, err
}

func (q Queries[R]) QuarantinedContent(_ context.Context, num mailbox.Num, id mailbox.ID) (store.Content, error) {
	q.conn.Lock(num)
	return one(q, rows.Content, `SELECT blob, packed FROM quarantine WHERE id = ?1 AND box = ?2 AND released_at = 0`,
		id, num)
}

func (q Queries[R]) QuarantinedTwin(_ context.Context, num mailbox.Num, digest mailbox.Digest) (mailbox.ID, error) {
	q.conn.Lock(num)
	return one(q, rows.ID, QuarantinedTwin, num, digest[:])
}

func (q Queries[R]) DeleteQuarantined(_ context.Context, num mailbox.Num, id mailbox.ID) error {
	q.conn.Lock(num)
	return q.changeOne(`DELETE FROM quarantine WHERE id = ?1 AND box = ?2`, id, num)
}

func (q Queries[R]) Quarantined(_ context.Context, num mailbox.Num, id mailbox.ID) (store.Quarantined, error) {
	q.conn.Lock(num)
	m, err := one(q, rows.Quarantined, quarantinedByID, id)
	if err == nil && num != 0 && m.Mailbox != num {
		return store.Quarantined{}, store.ErrNotFound
	}
	return m, err
}
