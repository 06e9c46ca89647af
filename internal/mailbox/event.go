package mailbox

import "time"

// EventKind is what happened to a message (SPEC 6).
type EventKind string

const (
	MessageReceived EventKind = "message.received"
	MessageSent     EventKind = "message.sent"
)

// Event is an entry of a mailbox's log. It is written in the transaction of what it reports; its number grows inside
// the mailbox.
type Event struct {
	Mailbox Num
	Number  int64
	Kind    EventKind
	Message ID
	At      time.Time
}
