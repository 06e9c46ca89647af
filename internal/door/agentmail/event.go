package agentmail

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// eventJSON is the JSON of an event, with one of the members.
type eventJSON struct {
	Type      string      `json:"type"`
	EventType string      `json:"event_type"`
	EventID   string      `json:"event_id"`
	Message   *message    `json:"message,omitempty"`
	Thread    *threadItem `json:"thread,omitempty"`
	Send      *outcome    `json:"send,omitempty"`
	Delivery  *outcome    `json:"delivery,omitempty"`
	Bounce    *outcome    `json:"bounce,omitempty"`
	Complaint *outcome    `json:"complaint,omitempty"`
	Reject    *outcome    `json:"reject,omitempty"`
}

// outcome is what became of a message that was sent.
type outcome struct {
	InboxID    string    `json:"inbox_id"`
	ThreadID   string    `json:"thread_id"`
	MessageID  string    `json:"message_id"`
	Timestamp  time.Time `json:"timestamp"`
	Type       string    `json:"type,omitempty"`
	SubType    string    `json:"sub_type,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Recipients []any     `json:"recipients,omitempty"`
}

// bouncedTo is a recipient of a bounce.
type bouncedTo struct {
	Address string `json:"address"`
	Status  string `json:"status"`
}

// newEvent turns an event into theirs; nil: they have none like it, or its message is gone. A message that came is as
// much of it as the event has.
func newEvent(ev mailbox.Event, address string) *eventJSON {
	if ev.Mail == nil {
		return nil
	}
	out := &eventJSON{Type: "event", EventType: string(ev.Kind), EventID: fmt.Sprintf("%d-%d", ev.Mailbox, ev.Number)}
	told := &outcome{InboxID: address, ThreadID: ev.Mail.Thread.String(), MessageID: named(*ev.Mail), Timestamp: ev.At,
		Recipients: []any{ev.Result.Recipient}}
	switch ev.Kind {
	case mailbox.MessageReceived:
		if slices.Contains(ev.Mail.Labels, mailbox.LabelSuspicious) {
			out.EventType += "." + unauthenticated
		}
		m := service.FullMessage{Message: *ev.Mail, Address: address}
		if ev.Detail != nil {
			m.Detail = *ev.Detail
		}
		out.arrived(m, []mailbox.Message{*ev.Mail})
	case mailbox.MessageSent:
		told.Recipients = recipients(ev)
		out.Send = told
	case mailbox.MessageDelivered:
		out.Delivery = told
	case mailbox.MessageBounced:
		told.Type, told.SubType = "Permanent", "General"
		if ev.Result.Bounce == "soft" {
			told.Type = "Transient"
		}
		told.Recipients = []any{bouncedTo{ev.Result.Recipient, ev.Result.Reason}}
		out.Bounce = told
	case mailbox.MessageComplained:
		told.Type, told.SubType = "abuse", "abuse"
		out.Complaint = told
	case mailbox.MessageRejected:
		told.Recipients, told.Reason = nil, ev.Result.Reason
		if told.Reason == "" {
			told.Reason = "It was not approved."
		}
		out.Reject = told
	default:
		return nil
	}
	return out
}

// recipients are whom a message was sent to; without its detail, the first.
func recipients(ev mailbox.Event) []any {
	if ev.Detail == nil {
		return []any{ev.Mail.To}
	}
	list := []any{}
	for _, a := range slices.Concat(ev.Detail.To, ev.Detail.Cc, ev.Detail.Bcc) {
		list = append(list, a.Address)
	}
	return list
}

// arrived adds a message that came, and its thread.
func (j *eventJSON) arrived(m service.FullMessage, thread []mailbox.Message) {
	whole, row := newMessage(m), newThread(m.Address, m.Thread, 0, thread)
	j.Message, j.Thread = &whole, &row
}

// event is newEvent with the message and its thread as they are now.
func (e *edge) event(ctx context.Context, in service.Access, ev mailbox.Event) (*eventJSON, error) {
	ev.Mailbox = in.Box.Num
	if ev.Mail == nil {
		return nil, nil
	}
	m, err := e.svc.Message(ctx, in, ev.Mail.ID, service.MessageOptions{})
	switch {
	case err == nil:
		ev.Mail, ev.Detail = &m.Message, &m.Detail
	case mailbox.KindOf(err) == mailbox.NotFound: // it is gone meanwhile
		return newEvent(ev, in.Box.Address), nil
	default:
		return nil, err
	}
	out := newEvent(ev, in.Box.Address)
	if out == nil || out.Message == nil {
		return out, nil
	}
	thread, err := e.svc.Thread(ctx, in, m.Thread, service.Page{Limit: pageMost})
	if err != nil || len(thread.Messages) == 0 {
		thread.Messages = []service.FullMessage{m}
	}
	out.arrived(m, messagesOf(thread.Messages))
	return out, nil
}

// hookBytes is how much text and HTML an event that is posted has; what is longer is left out.
const hookBytes = 256 << 10

// HookBody is an event as it is posted to programs that were written for AgentMail, and its name there; nothing where
// they have no such event.
func HookBody(ev mailbox.Event, address string) (name string, body []byte) {
	out := newEvent(ev, address)
	if out == nil {
		return "", nil
	}
	if m := out.Message; m != nil && len(m.Text)+len(m.HTML) > hookBytes {
		m.Text, m.HTML = "", ""
	}
	b, err := json.Marshal(out)
	if err != nil {
		return "", nil
	}
	return out.EventType, b
}
