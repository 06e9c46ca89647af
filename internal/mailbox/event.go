package mailbox

import (
	"slices"
	"time"
)

// EventKind is what happened to a message (SPEC 6).
type EventKind string

const (
	MessageReceived   EventKind = "message.received"
	MessageSent       EventKind = "message.sent"
	MessageDelivered  EventKind = "message.delivered"
	MessageBounced    EventKind = "message.bounced"
	MessageComplained EventKind = "message.complained"
)

// EventKinds lists every kind, in the order it is shown.
func EventKinds() []EventKind {
	return []EventKind{MessageReceived, MessageSent, MessageDelivered, MessageBounced, MessageComplained}
}

// Known tells whether there is such a kind.
func (k EventKind) Known() bool { return slices.Contains(EventKinds(), k) }

// Event is an entry of a mailbox's log. It is written in the transaction of what it reports; its number grows inside
// the mailbox.
type Event struct {
	Mailbox Num
	Number  int64
	Kind    EventKind
	Message ID
	At      time.Time
	Mail    *Message // the message as it is now; nil: it was deleted
}
