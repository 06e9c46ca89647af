package api

// Happening is something that happened in one of all mailboxes.
type Happening struct {
	Event   string `json:"event"`
	Mailbox string `json:"mailbox"`
	EmailID string `json:"email_id"`
	At      Time   `json:"at"`
}

// Activity is what happened last.
type Activity struct {
	Activity []Happening `json:"activity"`
}

// AuditEntry is something that the operator did to a mailbox other than the configured one, or a key to what
// people control.
type AuditEntry struct {
	At      Time   `json:"at"`
	Action  string `json:"action"`
	Mailbox string `json:"mailbox"`
	Note    string `json:"note"`
	Actor   string `json:"actor,omitempty"` // operator, or the id of a key
}

// Audit is a page of the operator's log.
type Audit struct {
	Audit []AuditEntry `json:"audit"`
	Next  NullString   `json:"next_cursor"`
}

// Reject is mail that was refused, and why.
type Reject struct {
	At     Time   `json:"at"`
	Stage  string `json:"stage"`
	From   string `json:"from"`
	To     string `json:"to"`
	Remote string `json:"remote"`
	Reply  string `json:"reply"` // what the sender was told
}

// Rejects is a page of refused mail.
type Rejects struct {
	Rejects []Reject   `json:"rejects"`
	Next    NullString `json:"next_cursor"`
}
