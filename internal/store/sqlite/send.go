package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Tally(_ context.Context, num mailbox.Num, what string, slot int64) (int64, error) {
	return orZero(q.sql(`SELECT used FROM tallies WHERE box = ? AND what = ? AND slot = ?`).num(num).text(what).int(
		slot), rows.Int)
}

func (q *queries) Count(_ context.Context, num mailbox.Num, what string, slot int64, until time.Time) error {
	return q.sql(`INSERT INTO tallies (box, what, slot, used, until) VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET used = used + 1`).
		num(num).text(what).int(slot).time(until).run()
}

// InsertIdempotent takes the place of one with the same key whose time is over and that is still there.
func (q *queries) InsertIdempotent(_ context.Context, i mailbox.Idempotent) error {
	return q.sql(`INSERT OR REPLACE INTO idempotents (box, key, body, message, thread, message_id, at) VALUES (?,?,?,?,?,?,?)`).
		num(i.Mailbox).blob(i.Key[:]).blob(i.Body[:]).id(i.Message).id(i.Thread).text(i.MessageID).time(
		i.At).run()
}

const (
	trimTallies     = `DELETE FROM tallies WHERE (box, what, slot) IN (SELECT box, what, slot FROM tallies WHERE until <= ? LIMIT ?)`
	trimIdempotents = `DELETE FROM idempotents WHERE (box, key) IN (SELECT box, key FROM idempotents WHERE at < ? LIMIT ?)`
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
