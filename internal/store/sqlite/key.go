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

func (q *queries) TouchKey(_ context.Context, id mailbox.ID, at time.Time) error {
	return q.sql(`UPDATE keys SET used_at = ? WHERE id = ?`).time(at).id(id).run()
}
