package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// watchInbox shows messages, the newest last, and then those that come, until a signal ends it. An event says that
// something came; the list says what of it fits.
func (s *session) watchInbox(q client.InboxQuery) error {
	me, err := s.c.Me(s.ctx)
	if err != nil {
		return err
	}
	first, err := s.c.Inbox(s.ctx, q)
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	if err := s.arrivals(first.Emails, shown); err != nil {
		return err
	}
	q.Page = onePage
	f := eventFlags{types: []string{api.MessageReceived, api.MessageSent}, last: me.EventID}
	return f.follow(s, func(ctx context.Context, e api.Event) error {
		q := q
		if q.Since = latest(q.Since, newest(first.Emails)); q.Since.IsZero() {
			q.Since = e.ReceivedAt.Add(-time.Minute) // what came before is not looked at for each event
		}
		var fresh []api.Message
		for m, err := range s.c.InboxAll(ctx, q) {
			if err != nil {
				return err
			}
			if shown[m.ID] {
				break
			}
			fresh = append(fresh, m)
		}
		return s.arrivals(fresh, shown)
	})
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// newest is when the newest message of a list was received; zero: there is none.
func newest(list []api.Message) time.Time {
	if len(list) == 0 {
		return time.Time{}
	}
	return list[0].ReceivedAt.Time
}

// arrivals shows messages that were listed newest first, each on a line.
func (s *session) arrivals(list []api.Message, shown map[string]bool) error {
	for _, m := range slices.Backward(list) {
		shown[m.ID] = true
		if err := s.show(m, func() error { return s.arrival(m) }); err != nil {
			return err
		}
	}
	return nil
}

// arrival shows a message on a line whose columns do not depend on others.
func (s *session) arrival(m api.Message) error {
	if !s.out.isTerminal() {
		t := newTable(0)
		t.add(messageCells(s.out, m)...)
		return s.out.table(t)
	}
	const id, clock = 13, 8 // to the millisecond
	who := max(leastOther, s.out.width/4)
	when := m.ReceivedAt.Local().Format(time.TimeOnly)
	if time.Since(m.ReceivedAt.Time) > 18*time.Hour {
		when = m.ReceivedAt.Local().Format("02 Jan")
	}
	style := plain
	if !m.Seen && m.Direction == "inbound" {
		style = bold
	}
	return s.out.trusted(fmt.Sprintf("%s  %s  %s  %s\n", m.ID[:min(id, len(m.ID))], s.out.styled(dim, pad(when, clock)),
		pad(cut(line(peer(m)), who), who),
		s.out.styled(style, cut(line(titled(m)), max(leastOther, s.out.width-id-clock-who-3*gap)))))
}

// titled is the subject of a message, after its code.
func titled(m api.Message) string {
	if m.Code != "" {
		return "[" + string(m.Code) + "] " + m.Subject
	}
	return m.Subject
}
