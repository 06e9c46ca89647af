package mailbox

import "time"

// Audit is an entry of the log of what the operator did to mailboxes other than the configured one.
type Audit struct {
	At      time.Time
	Action  string // "mailbox.create", "mailbox.pause", "email.read"
	Mailbox string // address
	Note    string
}
