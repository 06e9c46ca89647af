package postgres

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// eventsAfter merges messages and events by number. An event that has no row of its own has no kind either; one whose
// message was deleted has no message. That is looked for with a limit, which makes it a question of its own: a server
// that takes a mailbox for small would go through all of it.
const eventsAfter = `(SELECT ` + messageColumns + `, seq AS n, received_at AS at, NULL::text AS kind, id AS message, ''::bytea AS result
		FROM messages WHERE box = $1 AND seq > $2 ORDER BY seq LIMIT $3)
	UNION ALL (SELECT m.*, e.n, e.at, e.kind, e.message, e.result
		FROM (SELECT seq AS n, at, kind, message, result FROM events WHERE box = $1 AND seq > $2 ORDER BY seq LIMIT $3) e
		LEFT JOIN LATERAL (SELECT ` + messageColumns + ` FROM messages WHERE id = e.message AND box = $1 LIMIT 1) m ON true)
	ORDER BY n LIMIT $3`

func (q *queries) Events(_ context.Context, num mailbox.Num, after int64, limit int) (list []mailbox.Event, err error) {
	b, err := q.numbers(num)
	base := b.base
	if err != nil || after >= base+b.seq {
		return nil, err
	}
	err = q.sql(eventsAfter).num(num).int(max(after, base) - base).int(int64(limit)).each(func(r row) error {
		e := scanEvent(r)
		e.Mailbox, e.Number = num, e.Number+base
		list = append(list, e)
		return nil
	})
	return list, err
}

// scanEvent reads an event with its message. Its number counts from the mailbox's first.
func scanEvent(r row) mailbox.Event {
	var mail *mailbox.Message
	if !r.Null(2) {
		m := scanMessage(r)
		mail = &m
	}
	return rows.Event(r[messageWidth:], mail)
}

// numbers returns the number before a mailbox's first event, the Seq of its last, and its era. An update knows them
// from its lock.
func (q *queries) numbers(num mailbox.Num) (b box, err error) {
	if q.locks != nil {
		b, err := q.box(num)
		if err != nil {
			return box{}, err
		}
		return *b, nil
	}
	err = q.sql(`SELECT event_base, seq, era FROM counters WHERE box = $1`).num(num).
		one(func(r row) { b.base, b.seq, b.era = r.Int(0), r.Int(1), r.Int(2) })
	return b, err
}

func (q *queries) LastEvent(_ context.Context, num mailbox.Num) (number, seq int64, err error) {
	b, err := q.numbers(num)
	if err != nil {
		return 0, 0, err
	}
	return q.db.lastNumber(b), b.seq, nil
}

func (q *queries) EventSeq(_ context.Context, num mailbox.Num, number int64) (seq int64, err error) {
	b, err := q.numbers(num)
	return min(max(number, b.base)-b.base, b.seq), err
}

func (q *queries) EventNumber(_ context.Context, num mailbox.Num, seq int64) (number int64, err error) {
	b, err := q.numbers(num)
	return b.base + seq, err
}

// eventsUntil halves the numbers until the last event before the time is found. There are gaps between them. Most
// callers ask for the last minutes, so it begins near the end and goes back in growing steps. No event from high on is
// before the time, and none below low is at or after it.
const eventsUntil = `WITH RECURSIVE s(low, high, step) AS (
	SELECT 1::bigint, seq + 1, 16::bigint FROM counters WHERE box = $1
	UNION ALL SELECT CASE WHEN f.at < $2 THEN f.n + 1 ELSE s.low END, CASE WHEN f.at < $2 THEN s.high ELSE s.middle END, least(16 * s.step, 1::bigint << 40)
	FROM (SELECT low, high, step, greatest(low + (high - low) / 2, high - step) AS middle FROM s WHERE low < high) s
	LEFT JOIN LATERAL (
		(SELECT seq AS n, received_at AS at FROM messages WHERE box = $1 AND seq >= s.middle AND seq < s.high ORDER BY seq LIMIT 1)
		UNION ALL (SELECT seq, at FROM events WHERE box = $1 AND seq >= s.middle AND seq < s.high ORDER BY seq LIMIT 1)
		ORDER BY n LIMIT 1) f ON true)
	SELECT c.event_base + s.low - 1, s.low - 1 FROM s, counters c WHERE c.box = $1 AND s.low >= s.high`

func (q *queries) EventsUntil(_ context.Context, num mailbox.Num, before time.Time) (number, seq int64, err error) {
	q.lock(num)
	err = q.sql(eventsUntil).num(num).time(before).one(func(r row) { number, seq = r.Int(0), r.Int(1) })
	return number, seq, err
}

func (q *queries) AppendEvent(_ context.Context, e *mailbox.Event) error {
	b, err := q.box(e.Mailbox)
	if err != nil {
		return err
	}
	e.Number = b.base + q.next(b)
	if err := q.sql(`UPDATE counters SET seq = $1 WHERE box = $2`).int(b.seq).num(e.Mailbox).run(); err != nil {
		return err
	}
	return q.insertEvent(b.seq, *e)
}

func (q *queries) insertEvent(n int64, e mailbox.Event) error {
	return q.sql(`INSERT INTO events (box, seq, at, kind, message, result) VALUES ($1, $2, $3, $4, $5, $6)`).
		num(e.Mailbox).int(n).time(e.At).word(string(e.Kind)).id(e.Message).text(e.Result.Encode()).run()
}

const trimEvents = `DELETE FROM events e USING (SELECT box, seq FROM events WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) old
	WHERE e.box = old.box AND e.seq = old.seq`

func (q *queries) TrimEvents(_ context.Context, before time.Time, limit int) (int, bool, error) {
	return q.Trim(trimEvents, before, limit)
}
