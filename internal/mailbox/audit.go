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
	// Actor is "operator", the id of a key, or "reviewer by mail" and an address; empty: it was noted before there
	// were actors.
	Actor string

	Name       string // of the operator or of the key
	Role       Role   // of an operator
	Credential string // id of the key or session, or AUTH_TOKEN
	Client     string // address that the request came from
	Request    string // its id, which the answer and the log carry, too
}
