package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// eventFlags are which events are followed, and until when.
type eventFlags struct {
	types []string
	since moment
	last  string
	count int
	limit span
}

func (f *eventFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.types, "types", nil, "kinds, such as message.received; several with commas")
	flags.Var(&f.since, "since", "begin with what happened then (default: 60 seconds ago)")
	flags.StringVar(&f.last, "last-event-id", "", "begin right after this event")
	flags.IntVarP(&f.count, "count", "n", 0, "end after this many events")
	flags.Var(&f.limit, "for", "end after this time")
}

// warn tells of kinds that this program does not know. The service may be newer and know them, so they are asked for
// all the same.
func (f *eventFlags) warn(s *session) {
	for _, kind := range f.types {
		switch strings.TrimSpace(kind) {
		case api.MessageReceived, api.MessageSent, api.MessageDelivered, api.MessageBounced, api.MessageComplained,
			api.MessageHeld, api.MessageApproved, api.MessageRejected, api.MessageCanceled,
			api.SendingPaused, api.MailboxQuota, api.RecipientUnsubscribed:
		default:
			s.err.say("mailkin: there may be no events of the kind %q.", kind)
		}
	}
}

// follow returns events to a function until it is time to end.
func (f *eventFlags) follow(s *session, take func(context.Context, api.Event) error) error {
	ctx, cancel := s.ctx, context.CancelFunc(func() {})
	if f.limit > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(f.limit))
	}
	defer cancel()
	f.warn(s)
	o := client.EventOptions{Types: f.types, Since: f.since.Time, LastEventID: f.last}
	o.Disconnected = func(err error, pause time.Duration) {
		var why *fault
		if errors.As(explain(err, s), &why) {
			s.err.say("mailkin: %s. Trying again in %s.", why.text, roundly(pause))
		}
	}
	taken := 0
	for e, err := range s.c.Events(ctx, o) {
		if err != nil {
			return err
		}
		if err := take(ctx, e); err != nil && ctx.Err() == nil {
			return err
		}
		if taken++; taken == f.count {
			return nil
		}
	}
	return nil // a signal, or the time is over
}

func (p *program) eventsCommand() *cobra.Command {
	var f eventFlags
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Follow what happens in the mailbox",
		Long: `Follow what happens in the mailbox, as it happens: mail that came, and what became of mail that
was sent. The connection is made again when it breaks, without a gap, until a signal ends
it (status 0).

In a pipe each event is a line with tabs: its id, kind, time, id of the message, sender (or
the recipient it is about), subject, code or status. With --json it is a line of JSON, the
id among its members.`,
		Example: "  mailkin events\n  mailkin events --types message.received --json | while read -r event; do echo " +
			"\"$event\"; done",
	}
	f.add(cmd)
	return p.remote(cmd, func(s *session, _ []string) error {
		return f.follow(s, func(_ context.Context, e api.Event) error { return s.event(e) })
	})
}

// event shows an event.
func (s *session) event(e api.Event) error {
	if s.asJSON {
		b, err := eventJSON(e)
		if err != nil {
			return err
		}
		if s.jq != nil {
			return s.json(json.RawMessage(b))
		}
		return s.out.trusted(string(cleanJSON(b)) + "\n")
	}
	when, who, what := e.ReceivedAt, e.From, string(e.Code)
	if e.Event != api.MessageReceived {
		when, who, what = e.Timestamp, e.Recipient, cmp.Or(e.Status, e.Reason)
	}
	if !s.out.isTerminal() {
		t := newTable(0)
		t.add(e.ID, e.Event, s.out.when(when), e.EmailID, who, e.Subject, what)
		return s.out.table(t)
	}
	if what != "" {
		what = "[" + what + "] "
	}
	text := fmt.Sprintf("%s  %s  %s  %s", s.out.styled(dim, when.Local().Format(time.TimeOnly)),
		s.out.styled(kindStyle(e.Event), pad(line(e.Event), 18)),
		cut(line(who), 32), line(what+e.Subject))
	return s.out.trusted(text + "\n")
}

func kindStyle(kind string) string {
	switch kind {
	case api.MessageReceived:
		return bold
	case api.MessageBounced, api.MessageComplained, api.MessageRejected, api.SendingPaused,
		api.RecipientUnsubscribed:
		return red
	}
	return green
}

// eventJSON is an event as the stream has it, with its id.
func eventJSON(e api.Event) ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("write the event: %w", err)
	}
	id, err := json.Marshal(e.ID)
	if err != nil {
		return nil, fmt.Errorf("write the event: %w", err)
	}
	return append([]byte(`{"id":`+string(id)+`,`), b[1:]...), nil
}
