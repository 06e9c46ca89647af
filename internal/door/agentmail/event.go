package agentmail

import (
	"context"
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

// event turns an event into theirs; nil: they have none like it, or its message is gone.
func (e *edge) event(ctx context.Context, in service.Access, ev mailbox.Event) (*eventJSON, error) {
	if ev.Mail == nil {
		return nil, nil
	}
	out := &eventJSON{Type: "event", EventType: string(ev.Kind), EventID: fmt.Sprintf("%d-%d", in.Box.Num, ev.Number)}
	told := &outcome{InboxID: in.Box.Address, ThreadID: ev.Mail.Thread.String(), MessageID: named(*ev.Mail),
		Timestamp: ev.At, Recipients: []any{ev.Result.Recipient}}
	switch ev.Kind {
	case mailbox.MessageReceived:
		return out, e.arrived(ctx, in, ev, out)
	case mailbox.MessageSent:
		told.Recipients = []any{ev.Mail.To}
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
		return nil, nil
	}
	return out, nil
}

// arrived adds a message that came, and its thread. One that is gone meanwhile stays as its row was.
func (e *edge) arrived(ctx context.Context, in service.Access, ev mailbox.Event, out *eventJSON) error {
	if slices.Contains(ev.Mail.Labels, mailbox.LabelSuspicious) {
		out.EventType += "." + unauthenticated
	}
	m, err := e.svc.Message(ctx, in, ev.Mail.ID, service.MessageOptions{})
	if mailbox.KindOf(err) == mailbox.NotFound && err != nil {
		m, err = service.FullMessage{Message: *ev.Mail, Address: in.Box.Address}, nil
	}
	if err != nil {
		return err
	}
	whole := newMessage(m)
	rows := []mailbox.Message{m.Message}
	thread, err := e.svc.Thread(ctx, in, m.Thread, service.Page{Limit: pageMost})
	if err == nil && len(thread.Messages) > 0 {
		rows = messagesOf(thread.Messages)
	}
	row := newThread(in.Box.Address, m.Thread, 0, rows)
	out.Message, out.Thread = &whole, &row
	return nil
}
