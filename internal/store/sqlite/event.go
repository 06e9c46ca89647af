package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// eventsAfter merges messages and events by number, one row of each at a time: it reads no further than its limit. An
// event that has no row of its own has no kind either; one whose message was deleted has no message.
const eventsAfter = `SELECT ` + messageColumns + `, pk AS n, received_at, NULL, id, '' FROM messages WHERE pk > ?1 AND pk <= ?2
	UNION ALL SELECT ` + messageColumns + `, n, at, kind, message, result
	FROM (SELECT pk AS n, at, kind, message, result FROM events WHERE pk > ?1 AND pk <= ?2)
	LEFT JOIN messages ON id = message AND pk >> 32 = ?1 >> 32
	ORDER BY n LIMIT ?3`

func (q *queries) Events(_ context.Context, num mailbox.Num, after int64, limit int) (list []mailbox.Event, err error) {
	n, err := q.numbers(num)
	if err != nil || after >= n.of(n.seq) {
		return nil, err
	}
	low, high := keysAfter(num, n.seqAt(after))
	err = q.sql(eventsAfter).int(low).int(high).int(int64(limit)).each(func(r row) error {
		e := scanEvent(r)
		e.Number = n.of(e.Number)
		list = append(list, e)
		return nil
	})
	return list, err
}

// scanEvent reads an event with its message. Its number counts from the mailbox's first.
func scanEvent(r row) (e mailbox.Event) {
	var mail *mailbox.Message
	if !r.Null(1) {
		m := scanMessage(r)
		mail = &m
	}
	e = rows.Event(r.From(messageWidth), mail)
	e.Mailbox, e.Number = unpack(e.Number)
	return e
}

func (q *queries) LastEvent(_ context.Context, num mailbox.Num) (number, seq int64, err error) {
	n, err := q.numbers(num)
	return n.base + n.seq, n.seq, err
}

func (q *queries) EventSeq(_ context.Context, num mailbox.Num, number int64) (seq int64, err error) {
	n, err := q.numbers(num)
	return min(n.seqAt(number), n.seq), err
}

func (q *queries) EventNumber(_ context.Context, num mailbox.Num, seq int64) (number int64, err error) {
	n, err := q.numbers(num)
	return n.of(seq), err
}

// eventFrom finds the first event from a number on.
const eventFrom = `SELECT pk, received_at FROM messages WHERE pk BETWEEN ?1 AND ?2
	UNION ALL SELECT pk, at FROM events WHERE pk BETWEEN ?1 AND ?2 ORDER BY 1 LIMIT 1`

// EventsUntil halves the numbers until the last event before the time is found. There are gaps between them. Most
// callers ask for the last minutes, so it begins near the end and goes back in growing steps.
func (q *queries) EventsUntil(_ context.Context, num mailbox.Num, before time.Time) (number, seq int64, err error) {
	n, err := q.numbers(num)
	if err != nil {
		return 0, 0, err
	}
	// No event from high on is before the time, and none below low is at or after it.
	low, high := int64(1), n.seq+1
	for step := int64(16); low < high; step = min(16*step, last) {
		middle, next := max(low+(high-low)/2, high-step), int64(0)
		err := q.sql(eventFrom).int(pack(num, middle)).int(pack(num, high-1)).each(func(r row) error {
			if r.Int(1) < rows.Millis(before) {
				_, next = unpack(r.Int(0))
			}
			return nil
		})
		if err != nil {
			return 0, 0, err
		}
		if next > 0 {
			low = next + 1
		} else {
			high = middle
		}
	}
	return n.of(low - 1), low - 1, nil
}

func (q *queries) AppendEvent(_ context.Context, e *mailbox.Event) error {
	q.used = used{}
	if err := q.sql(`UPDATE counters SET seq = seq + 1 WHERE box = ?`).num(e.Mailbox).run(); err != nil {
		return err
	}
	n, err := q.numbers(e.Mailbox)
	if err != nil {
		return err
	}
	e.Number = n.of(n.seq)
	return q.insertEvent(n.seq, *e)
}

func (q *queries) insertEvent(n int64, e mailbox.Event) error {
	return q.sql(`INSERT INTO events (pk, at, kind, message, result) VALUES (?,?,?,?,?)`).
		int(pack(e.Mailbox, n)).time(e.At).text(string(e.Kind)).id(e.Message).text(e.Result.Encode()).run()
}

const trimEvents = `DELETE FROM events WHERE pk IN (SELECT pk FROM events WHERE at < ? ORDER BY at LIMIT ?)`

func (q *queries) TrimEvents(_ context.Context, before time.Time, limit int) (int, bool, error) {
	return q.Trim(trimEvents, before, limit)
}
