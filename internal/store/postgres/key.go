package postgres

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) KeyByDigest(_ context.Context, digest [32]byte) (k mailbox.Key, err error) {
	q.lockOf(`SELECT box FROM keys WHERE digest = $1`, func(b *stmt) *stmt { return b.blob(digest[:]) })
	return one(q.sql(`SELECT `+rows.KeyColumns+` FROM keys WHERE digest = $1`).
		blob(digest[:]), rows.Key)
}

// bearer needs no second question for the keys of a mailbox that was claimed: those are looked at by its index.
const bearer = `SELECT ` + rows.MailboxColumns + `, k.digest, k.id, k.box, k.scope, k.hint, k.created_at, k.expires_at, k.used_at,
	k.restriction,
	EXISTS (SELECT 1 FROM keys o WHERE o.box = k.box AND o.scope = '` + string(mailbox.Provisional) + `' AND o.id <> k.id)
	FROM keys k JOIN mailboxes m ON m.num = k.box WHERE k.digest = $1`

func (q *queries) Bearer(_ context.Context, digest [32]byte) (b store.Bearer, err error) {
	q.lockOf(`SELECT box FROM keys WHERE digest = $1`, func(b *stmt) *stmt { return b.blob(digest[:]) })
	return one(q.sql(bearer).blob(digest[:]), func(r row) store.Bearer {
		return store.Bearer{Mailbox: rows.Mailbox(r), Key: rows.Key(r[rows.MailboxWidth:]),
			Claimed: r.Bool(rows.MailboxWidth + rows.KeyWidth)}
	})
}

func (q *queries) Key(_ context.Context, id mailbox.ID) (mailbox.Key, error) {
	q.lockOf(`SELECT box FROM keys WHERE id = $1`, func(b *stmt) *stmt { return b.id(id) })
	return one(q.sql(`SELECT `+rows.KeyColumns+` FROM keys WHERE id = $1`).id(id), rows.Key)
}

func (q *queries) Keys(_ context.Context, num mailbox.Num) ([]mailbox.Key, error) {
	q.lockKeys(num)
	return all(q.sql(`SELECT `+rows.KeyColumns+` FROM keys WHERE box = $1 ORDER BY id`).num(num), rows.Key)
}

// lockKeys locks a mailbox for its keys. Those of mailbox 0 are the operators'.
func (q *queries) lockKeys(num mailbox.Num) {
	if num == 0 {
		q.advise("operators", nil)
	}
	q.lock(num)
}

func (q *queries) InsertKey(_ context.Context, k mailbox.Key) error {
	q.lockKeys(k.Mailbox)
	return q.sql(`INSERT INTO keys (` + rows.KeyColumns + `) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9)`).
		blob(k.Digest[:]).id(k.ID).num(k.Mailbox).word(string(k.Scope)).text(k.Hint).
		time(k.CreatedAt).time(k.ExpiresAt).time(k.LastUsedAt).text(k.Restriction().Encode()).run()
}

// touchKey passes over a key that somebody else changes at this moment: nodes note the use of many keys at once, in any
// order. Nor does a node that is late with it turn the time back.
const touchKey = `UPDATE keys SET used_at = greatest(used_at, $1) WHERE digest = (SELECT digest FROM keys WHERE id = $2 FOR UPDATE SKIP LOCKED)`

func (q *queries) TouchKey(_ context.Context, id mailbox.ID, at time.Time) error {
	return q.sql(touchKey).time(at).id(id).run()
}
