package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	ListEntries = `SELECT ` + rows.ListedColumns +
		` FROM lists WHERE box = ?1 AND list = ?2 AND n < ?3 ORDER BY n DESC LIMIT ?4 OFFSET ?5`
)

func (q Queries[R]) ListEntries(_ context.Context, num mailbox.Num, l mailbox.List, f store.ListFilter) (
	[]mailbox.Listed, error) {
	q.conn.Lock(num)
	return all(q, rows.Listed, ListEntries, num, string(l), rows.Below(f.Before), f.Limit, f.Offset)
}

func (q Queries[R]) CountListed(_ context.Context, num mailbox.Num, l mailbox.List) (int64, error) {
	q.conn.Lock(num)
	return one(q, rows.Int, `SELECT count(*) FROM lists WHERE box = ?1 AND list = ?2`, num, string(l))
}

func (q Queries[R]) PutListed(_ context.Context, e mailbox.Listed) error {
	q.conn.Lock(e.Mailbox)
	return q.run(`INSERT INTO lists (box, list, pattern, note, expires_at, created_at) VALUES (?1,?2,?3,?4,?5,?6)
		ON CONFLICT (box, pattern, list) DO UPDATE SET note = excluded.note, expires_at = excluded.expires_at`,
		e.Mailbox, string(e.List), string(e.Pattern), e.Note, e.ExpiresAt, e.CreatedAt)
}

func (q Queries[R]) DeleteListed(_ context.Context, num mailbox.Num, l mailbox.List, p mailbox.Pattern) error {
	q.conn.Lock(num)
	return q.changeOne(`DELETE FROM lists WHERE box = ?1 AND pattern = ?2 AND list = ?3`, num, string(p), string(l))
}
