package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	draftByID   = `SELECT ` + rows.DraftColumns + `, body FROM drafts WHERE id = ?1`
	countDrafts = `SELECT count(*) FROM drafts WHERE box = ?1 AND sent_at = 0`
)

func (q Queries[R]) Draft(_ context.Context, num mailbox.Num, id mailbox.ID) (store.Draft, error) {
	q.conn.Lock(num)
	d, err := one(q, rows.WholeDraft, draftByID, id)
	if err == nil && num != 0 && d.Mailbox != num {
		return store.Draft{}, store.ErrNotFound
	}
	return d, err
}

func (q Queries[R]) CountDrafts(_ context.Context, num mailbox.Num) (int64, error) {
	q.conn.Lock(num)
	return one(q, rows.Int, countDrafts, num)
}

func (q Queries[R]) DraftFile(_ context.Context, num mailbox.Num, id mailbox.ID, n int) (store.Content, error) {
	q.conn.Lock(num)
	return one(q, rows.DraftFile, `SELECT blob, packed FROM draft_files WHERE box = ?1 AND draft = ?2 AND n = ?3`,
		num, id, n)
}

func (q Queries[R]) InsertDraftFile(_ context.Context, num mailbox.Num, id mailbox.ID, n int, c store.Content) error {
	q.conn.Lock(num)
	var blob any // none is null
	if c.Blob != "" {
		blob = c.Blob
	}
	return q.run(`INSERT INTO draft_files (box, draft, n, packed, blob) VALUES (?1,?2,?3,?4,?5)`, num, id, n,
		c.Packed, blob)
}

func (q Queries[R]) DeleteDraftFile(_ context.Context, num mailbox.Num, id mailbox.ID, n int) error {
	q.conn.Lock(num)
	return q.changeOne(`DELETE FROM draft_files WHERE box = ?1 AND draft = ?2 AND n = ?3`, num, id, n)
}
