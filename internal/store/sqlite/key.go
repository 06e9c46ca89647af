package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) KeyByDigest(_ context.Context, digest [32]byte) (k mailbox.Key, err error) {
	return one(q.sql(`SELECT `+rows.KeyColumns+` FROM keys WHERE digest = ?`).
		blob(digest[:]), rows.Key)
}

const bearer = `SELECT ` + rows.MailboxColumns + `, k.digest, k.id, k.box, k.scope, k.hint, k.created_at, k.expires_at, k.used_at,
	k.restriction,
	EXISTS (SELECT 1 FROM keys o WHERE o.box = k.box AND o.scope = '` + string(mailbox.Provisional) + `' AND o.id <> k.id)
	FROM keys k JOIN mailboxes m ON m.num = k.box WHERE k.digest = ?`

func (q *queries) Bearer(_ context.Context, digest [32]byte) (store.Bearer, error) {
	return one(q.sql(bearer).blob(digest[:]), func(r row) store.Bearer {
		return store.Bearer{Mailbox: rows.Mailbox(r), Key: rows.Key(r.From(rows.MailboxWidth)),
			Claimed: r.Bool(rows.MailboxWidth + rows.KeyWidth)}
	})
}

func (q *queries) Key(_ context.Context, id mailbox.ID) (mailbox.Key, error) {
	return one(q.sql(`SELECT `+rows.KeyColumns+` FROM keys WHERE id = ?`).id(id), rows.Key)
}

func (q *queries) Keys(_ context.Context, num mailbox.Num) ([]mailbox.Key, error) {
	return all(q.sql(`SELECT `+rows.KeyColumns+` FROM keys WHERE box = ? ORDER BY id`).num(num), rows.Key)
}

func (q *queries) InsertKey(_ context.Context, k mailbox.Key) error {
	return q.sql(`INSERT INTO keys (` + rows.KeyColumns + `) VALUES (?,?,?,?,?,?,?,?,?)`).
		blob(k.Digest[:]).id(k.ID).num(k.Mailbox).text(string(k.Scope)).text(k.Hint).
		time(k.CreatedAt).time(k.ExpiresAt).time(k.LastUsedAt).text(k.Restriction().Encode()).run()
}

func (q *queries) UpdateKey(_ context.Context, k mailbox.Key) error {
	return q.sql(`UPDATE keys SET restriction = ?, expires_at = ? WHERE id = ?`).
		text(k.Restriction().Encode()).time(k.ExpiresAt).id(k.ID).run()
}

func (q *queries) ExpireKey(_ context.Context, id mailbox.ID, at time.Time) error {
	return q.sql(`UPDATE keys SET expires_at = ? WHERE id = ?`).time(at).id(id).run()
}

func (q *queries) DeleteKey(_ context.Context, id mailbox.ID) error {
	if err := q.sql(`DELETE FROM key_boxes WHERE key = ?`).id(id).run(); err != nil {
		return err
	}
	return q.sql(`DELETE FROM keys WHERE id = ?`).id(id).run()
}

const (
	trimKeys     = `DELETE FROM keys WHERE expires_at > 0 AND expires_at < ?`
	trimKeyBoxes = `DELETE FROM key_boxes WHERE key IN (SELECT id FROM keys WHERE expires_at > 0 AND expires_at < ?)`
)

func (q *queries) TrimKeys(_ context.Context, before time.Time) error {
	if err := q.sql(trimKeyBoxes).time(before).run(); err != nil {
		return err
	}
	return q.sql(trimKeys).time(before).run()
}

func (q *queries) KeyBoxes(_ context.Context, id mailbox.ID) ([]mailbox.Num, error) {
	return all(q.sql(`SELECT box FROM key_boxes WHERE key = ? ORDER BY box`).id(id),
		func(r row) mailbox.Num { return r.Num(0) })
}

func (q *queries) KeyOpens(_ context.Context, id mailbox.ID, num mailbox.Num) (bool, error) {
	return one(q.sql(`SELECT EXISTS (SELECT 1 FROM key_boxes WHERE key = ? AND box = ?)`).id(id).num(num),
		func(r row) bool { return r.Bool(0) })
}

func (q *queries) InsertKeyBox(_ context.Context, id mailbox.ID, num mailbox.Num) error {
	return q.sql(`INSERT OR IGNORE INTO key_boxes (key, box) VALUES (?,?)`).id(id).num(num).run()
}

func (q *queries) TouchKey(_ context.Context, id mailbox.ID, at time.Time) error {
	return q.sql(`UPDATE keys SET used_at = ? WHERE id = ?`).time(at).id(id).run()
}
