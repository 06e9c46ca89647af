package postgres

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// tally locks a tally until the one who looks has decided: with its mailbox, or where it is the deployment's by itself.
func (q *queries) tally(num mailbox.Num, what string, slot int64) {
	if num == 0 {
		q.advise("tally", append(binary.BigEndian.AppendUint64(nil, uint64(slot)), what...))
	}
	q.lock(num)
}

func (q *queries) Tally(_ context.Context, num mailbox.Num, what string, slot int64) (int64, error) {
	q.tally(num, what, slot)
	return orZero(q.sql(`SELECT used FROM tallies WHERE box = $1 AND what = $2 AND slot = $3`).
		num(num).text(what).int(slot), rows.Int)
}

func (q *queries) Count(_ context.Context, num mailbox.Num, what string, slot int64, until time.Time) error {
	q.tally(num, what, slot)
	return q.sql(`INSERT INTO tallies (box, what, slot, used, until) VALUES ($1, $2, $3, 1, $4)
		ON CONFLICT (box, what, slot) DO UPDATE SET used = tallies.used + 1`).num(num).text(what).int(slot).time(until).run()
}

// InsertIdempotent takes the place of one with the same key whose time is over and that is still there.
func (q *queries) InsertIdempotent(_ context.Context, i mailbox.Idempotent) error {
	q.lock(i.Mailbox)
	return q.sql(`INSERT INTO idempotents (box, key, body, message, thread, message_id, at) VALUES ($1,$2,$3,$4,$5,$6,$7)
		ON CONFLICT (box, key) DO UPDATE SET body = excluded.body, message = excluded.message, thread = excluded.thread,
		message_id = excluded.message_id, at = excluded.at`).
		num(i.Mailbox).blob(i.Key[:]).blob(i.Body[:]).id(i.Message).id(i.Thread).text(i.MessageID).time(i.At).run()
}

const (
	trimTallies = `DELETE FROM tallies t USING (SELECT box, what, slot FROM tallies WHERE until <= $1 ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED) old
		WHERE t.box = old.box AND t.what = old.what AND t.slot = old.slot`
	trimIdempotents = `DELETE FROM idempotents i USING (SELECT box, key FROM idempotents WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) old
		WHERE i.box = old.box AND i.key = old.key`
)

func (q *queries) TrimSends(_ context.Context, tallies, keys time.Time, limit int) (removed int, more bool, err error) {
	n, err := q.sql(trimTallies).time(tallies).int(int64(limit)).changed()
	if err != nil {
		return 0, false, err
	}
	m, err := q.sql(trimIdempotents).time(keys).int(int64(limit)).changed()
	return int(n + m), max(n, m) >= int64(limit), err
}
