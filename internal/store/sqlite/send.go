package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func (q *queries) Tally(_ context.Context, num mailbox.Num, what string, slot int64) (used int64, err error) {
	err = q.sql(`SELECT used FROM tallies WHERE box = ? AND what = ? AND slot = ?`).int(int64(num)).text(what).int(
		slot).
		each(func(r row) error { used = r.int(0); return nil })
	return used, err
}

func (q *queries) Count(_ context.Context, num mailbox.Num, what string, slot int64, until time.Time) error {
	return q.sql(`INSERT INTO tallies (box, what, slot, used, until) VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET used = used + 1`).
		int(int64(num)).text(what).int(slot).time(until).run()
}

func (q *queries) Idempotent(_ context.Context, num mailbox.Num, key [32]byte) (i mailbox.Idempotent, err error) {
	err = q.sql(`SELECT body, message, thread, message_id, at FROM idempotents WHERE box = ? AND key = ?`).int(
		int64(num)).blob(key[:]).
		one(func(r row) {
			i = mailbox.Idempotent{Mailbox: num, Key: key, Body: r.digest(0), Message: r.id(1), Thread: r.id(2),
				MessageID: r.text(3), At: r.time(4)}
		})
	return i, err
}

// InsertIdempotent takes the place of one with the same key whose time is over and that is still there.
func (q *queries) InsertIdempotent(_ context.Context, i mailbox.Idempotent) error {
	return q.sql(`INSERT OR REPLACE INTO idempotents (box, key, body, message, thread, message_id, at) VALUES (?,?,?,?,?,?,?)`).
		int(int64(i.Mailbox)).blob(i.Key[:]).blob(i.Body[:]).id(i.Message).id(i.Thread).text(i.MessageID).time(
		i.At).run()
}

const (
	trimTallies     = `DELETE FROM tallies WHERE (box, what, slot) IN (SELECT box, what, slot FROM tallies WHERE until <= ? LIMIT ?+0)`
	trimIdempotents = `DELETE FROM idempotents WHERE (box, key) IN (SELECT box, key FROM idempotents WHERE at < ? LIMIT ?+0)`
)

func (q *queries) TrimSends(_ context.Context, tallies, keys time.Time, limit int) (removed int, more bool, err error) {
	if err := q.sql(trimTallies).time(tallies).int(int64(limit)).run(); err != nil {
		return 0, false, err
	}
	n := q.conn.Changes()
	err = q.sql(trimIdempotents).time(keys).int(int64(limit)).run()
	m := q.conn.Changes()
	return n + m, max(n, m) >= limit, err
}
