package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func (q *queries) Events(_ context.Context, num mailbox.Num, after int64, limit int) (list []mailbox.Event, err error) {
	var base int64
	if err := q.sql(`SELECT event_base FROM counters WHERE box = ?`).int(int64(num)).
		one(func(r row) { base = r.int(0) }); err != nil {
		return nil, err
	}
	low, high := rest(num, after-base)
	err = q.sql(`SELECT pk, received_at, iif(outbound, ?4, ?5), id FROM messages WHERE pk > ?1 AND pk <= ?2
		UNION ALL SELECT pk, at, kind, message FROM events WHERE pk > ?1 AND pk <= ?2 ORDER BY 1 LIMIT ?3+0`).
		int(low).int(high).int(int64(limit)).text(string(mailbox.MessageSent)).text(string(mailbox.MessageReceived)).
		each(func(r row) error {
			_, n := unpack(r.int(0))
			list = append(list, mailbox.Event{Mailbox: num, Number: base + n, At: r.time(1),
				Kind: mailbox.EventKind(r.text(2)), Message: r.id(3)})
			return nil
		})
	return list, err
}

func (q *queries) AppendEvent(_ context.Context, e *mailbox.Event) error {
	var n, base int64
	err := q.sql(`UPDATE counters SET seq = seq + 1 WHERE box = ?`).int(int64(e.Mailbox)).run()
	if err == nil {
		err = q.sql(`SELECT seq, event_base FROM counters WHERE box = ?`).
			int(int64(e.Mailbox)).one(func(r row) { n, base = r.int(0), r.int(1) })
	}
	if err != nil {
		return err
	}
	e.Number = base + n
	return q.insertEvent(n, *e)
}

func (q *queries) insertEvent(n int64, e mailbox.Event) error {
	return q.sql(`INSERT INTO events (pk, at, kind, message) VALUES (?,?,?,?)`).
		int(pack(e.Mailbox, n)).time(e.At).text(string(e.Kind)).id(e.Message).run()
}

// keepEvent leaves the event behind that a message was, when it is deleted.
func (q *queries) keepEvent(m mailbox.Message) error {
	e := mailbox.Event{Mailbox: m.Mailbox, At: m.ReceivedAt, Kind: mailbox.MessageReceived, Message: m.ID}
	if m.Direction == mailbox.Outbound {
		e.Kind = mailbox.MessageSent
	}
	return q.insertEvent(m.Seq, e)
}
