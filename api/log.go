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

// AuditEntry is something that an operator did, or that an owner changed.
type AuditEntry struct {
	At      Time   `json:"at"`
	Action  string `json:"action"`
	Mailbox string `json:"mailbox"`
	Note    string `json:"note"`
	Who     string `json:"who,omitempty"`   // did it, as a sentence begins
	Deed    string `json:"deed,omitempty"`  // that sentence goes on, and the mailbox follows
	Actor   string `json:"actor,omitempty"` // operator, or the id of a key

	Name       string `json:"name,omitempty"`       // of the operator or of the key
	Role       string `json:"role,omitempty"`       // of an operator
	Credential string `json:"credential,omitempty"` // id of the key or session, or AUTH_TOKEN
	Client     string `json:"client,omitempty"`     // address that the request came from
	RequestID  string `json:"request_id,omitempty"` // X-Request-Id of its answer

	Seq      int64  `json:"seq,omitempty"`      // place in the chain; 0: it is from before the chain
	Previous string `json:"previous,omitempty"` // hash of the entry before, hexadecimal
	Hash     string `json:"hash,omitempty"`     // of this one
}

// AuditLink is a place in the chain of the audit log.
type AuditLink struct {
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
}

// AuditBreak is the first entry that does not fit into the chain.
type AuditBreak struct {
	Seq    int64  `json:"seq"`
	At     Time   `json:"at"`
	Reason string `json:"reason"`
}

// AuditReport is what was found along the chain.
type AuditReport struct {
	OK        bool        `json:"ok"`
	Entries   int         `json:"entries"`          // of the chain
	Unchained int         `json:"unchained"`        // from before it
	Head      AuditLink   `json:"head"`             // the newest entry
	Base      AuditLink   `json:"base"`             // the newest of those that retention has deleted
	Broken    *AuditBreak `json:"broken,omitempty"` // none: the chain is whole
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
