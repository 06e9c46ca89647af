package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	draftsOpen = `SELECT ` + rows.DraftColumns + ` FROM drafts
		WHERE box = ?1 AND sent_at = 0 AND (?2 = 0 OR n < ?2) ORDER BY n DESC LIMIT ?3 OFFSET ?4`
	draftsSent = `SELECT ` + rows.DraftColumns + ` FROM drafts
		WHERE box = ?1 AND sent_at > 0 AND (?2 = 0 OR n < ?2) ORDER BY n DESC LIMIT ?3 OFFSET ?4`
	draftsWaiting = `SELECT ` + rows.DraftColumns + ` FROM drafts WHERE box = ?1 AND sent_at = 0 AND (?2 = 0 OR n < ?2)
		UNION ALL SELECT ` + rows.DraftColumns + ` FROM drafts WHERE box = ?1 AND sent_at > 0 AND (?2 = 0 OR n < ?2) AND EXISTS
			(SELECT 1 FROM messages m WHERE m.id = drafts.message AND m.status = '` + string(mailbox.Scheduled) + `')
		ORDER BY n DESC LIMIT ?3 OFFSET ?4`
)

func (q *queries) Drafts(_ context.Context, num mailbox.Num, f store.DraftFilter) ([]store.Draft, error) {
	sql := draftsOpen
	switch {
	case f.Sent:
		sql = draftsSent
	case f.Waiting:
		sql = draftsWaiting
	}
	return all(q.sql(sql).num(num).int(f.Before).int(int64(f.Limit)).int(int64(f.Offset)), rows.Draft)
}

func (q *queries) InsertDraft(_ context.Context, d *store.Draft) error {
	if err := q.sql(`UPDATE counters SET bytes = bytes + ? WHERE box = ?`).int(d.Size).num(d.Mailbox).run(); err != nil {
		return err
	}
	if q.conn.Changes() == 0 {
		return store.ErrNotFound
	}
	err := q.sql(`INSERT INTO drafts (box, id, version, created_at, updated_at, size, sent_at, message, thread, message_id, head, body)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`).num(d.Mailbox).id(d.ID).int(d.Version).time(d.CreatedAt).
		time(d.UpdatedAt).int(d.Size).time(d.SentAt).id(d.Message).id(d.Thread).text(d.MessageID).blob(d.Head).
		blob(d.Body).run()
	d.Number = q.conn.LastInsertRowID()
	return err
}

// countDraft changes what a mailbox counts, from the size that a draft has in its row to another.
func (q *queries) countDraft(num mailbox.Num, id mailbox.ID, size int64) error {
	old, err := one(q.sql(`SELECT size FROM drafts WHERE id = ? AND box = ?`).id(id).num(num), rows.Int)
	if err != nil || old == size {
		return err
	}
	return q.sql(`UPDATE counters SET bytes = bytes + ? WHERE box = ?`).int(size - old).num(num).run()
}

func (q *queries) UpdateDraft(_ context.Context, d store.Draft) error {
	if err := q.countDraft(d.Mailbox, d.ID, d.Size); err != nil {
		return err
	}
	return q.sql(`UPDATE drafts SET version = ?, updated_at = ?, size = ?, sent_at = ?, message = ?, thread = ?, message_id = ?,
		head = ?, body = ? WHERE id = ?`).int(d.Version).time(d.UpdatedAt).int(d.Size).time(d.SentAt).id(d.Message).
		id(d.Thread).text(d.MessageID).blob(d.Head).blob(d.Body).id(d.ID).run()
}

func (q *queries) DeleteDraft(_ context.Context, num mailbox.Num, id mailbox.ID) error {
	if err := q.countDraft(num, id, 0); err != nil {
		return err
	}
	err := q.sql(`DELETE FROM draft_files WHERE box = ? AND draft = ?`).num(num).id(id).run()
	if err == nil {
		err = q.sql(`DELETE FROM drafts WHERE id = ?`).id(id).run()
	}
	return err
}

const trimDrafts = `DELETE FROM drafts WHERE n IN (SELECT n FROM drafts WHERE sent_at > 0 AND sent_at < ? LIMIT ?)`

func (q *queries) TrimDrafts(_ context.Context, before time.Time, limit int) (int, bool, error) {
	return q.Trim(trimDrafts, before, limit)
}
