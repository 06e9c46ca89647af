package sqlite

import (
	"context"
	"encoding/json"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const listed = `SELECT ` + rows.ListedColumns + ` FROM lists WHERE box IN (?1, 0) AND pattern IN (SELECT value FROM json_each(?2))`

func (q *queries) Listed(_ context.Context, num mailbox.Num, patterns []mailbox.Pattern) ([]mailbox.Listed, error) {
	names, err := json.Marshal(patterns)
	if err != nil {
		return nil, err
	}
	return all(q.sql(listed).num(num).text(string(names)), rows.Listed)
}

const listEntries = `SELECT ` + rows.ListedColumns +
	` FROM lists WHERE box = ?1 AND list = ?2 AND (?3 = 0 OR n < ?3) ORDER BY n DESC LIMIT ?4 OFFSET ?5`

func (q *queries) ListEntries(_ context.Context, num mailbox.Num, l mailbox.List, f store.ListFilter) (
	[]mailbox.Listed, error) {
	return all(q.sql(listEntries).num(num).text(string(l)).int(f.Before).int(int64(f.Limit)).int(int64(f.Offset)),
		rows.Listed)
}

func (q *queries) CountListed(_ context.Context, num mailbox.Num, l mailbox.List) (int64, error) {
	return one(q.sql(`SELECT count(*) FROM lists WHERE box = ? AND list = ?`).num(num).text(string(l)), rows.Int)
}

func (q *queries) PutListed(_ context.Context, e mailbox.Listed) error {
	return q.sql(`INSERT INTO lists (box, list, pattern, note, expires_at, created_at) VALUES (?,?,?,?,?,?)
		ON CONFLICT (box, pattern, list) DO UPDATE SET note = excluded.note, expires_at = excluded.expires_at`).
		num(e.Mailbox).text(string(e.List)).text(string(e.Pattern)).text(e.Note).time(e.ExpiresAt).time(e.CreatedAt).
		run()
}

func (q *queries) DeleteListed(_ context.Context, num mailbox.Num, l mailbox.List, p mailbox.Pattern) error {
	err := q.sql(`DELETE FROM lists WHERE box = ? AND pattern = ? AND list = ?`).num(num).text(string(p)).
		text(string(l)).run()
	if err == nil && q.conn.Changes() == 0 {
		err = store.ErrNotFound
	}
	return err
}
