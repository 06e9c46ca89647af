package mailbox

import "time"

// TheOperator is the operator as an actor.
const TheOperator = "operator"

// Audit is an entry of the log of what the operator did to mailboxes other than the configured one, and of what keys
// did to what people control.
type Audit struct {
	At      time.Time
	Action  string // "mailbox.create", "mailbox.pause", "email.read"
	Mailbox string // address
	Note    string
	Actor   string // "operator", or the id of the key; empty: it was noted before actors were
}
