package api

// Draft is a message to be sent, to be answered with or to be sent on, without its attachments.
type Draft struct {
	EmailID     string            `json:"email_id,omitempty"`
	From        string            `json:"from,omitempty"`
	To          []string          `json:"to,omitempty"`
	Cc          []string          `json:"cc,omitempty"`
	Bcc         []string          `json:"bcc,omitempty"`
	ReplyTo     []string          `json:"reply_to,omitempty"`
	Subject     string            `json:"subject,omitempty"`
	Text        string            `json:"text,omitempty"`
	HTML        string            `json:"html,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	SendAt      Time              `json:"send_at,omitzero"`
	Tags        []string          `json:"tags,omitempty"`
	InReplyTo   string            `json:"in_reply_to,omitempty"`
	All         bool              `json:"all,omitempty"`
	Force       bool              `json:"force,omitempty"`
	DryRun      bool              `json:"dry_run,omitempty"`
	Unsubscribe bool              `json:"unsubscribe,omitempty"` // of Send alone
	Reply       bool              `json:"reply,omitempty"`       // of one that is stored: it answers EmailID
	Forward     bool              `json:"forward,omitempty"`     // or sends it on
}

// DraftFile is an attachment of a draft, without its content.
type DraftFile struct {
	Name      string `json:"filename"`
	Type      string `json:"content_type,omitempty"`
	ContentID string `json:"content_id,omitempty"`
}

// Sending is a message that the service has taken: it is stored, and will be delivered. What becomes of it is in
// Email.Deliveries, and in events.
type Sending struct {
	ID         string     `json:"id"`
	MessageID  string     `json:"message_id"`
	ThreadID   string     `json:"thread_id"`
	ProviderID NullString `json:"provider_id"`
	Status     string     `json:"status"`           // queued, scheduled or held; of a request that is repeated also another
	Review     *Review    `json:"review,omitempty"` // of one that is held: a person has to approve it first
}

// Cancellation is what became of a message that was called back.
type Cancellation struct {
	ID       string   `json:"id"`
	Status   string   `json:"status"`   // of the message now
	Canceled []string `json:"canceled"` // recipients who do not get it
	Sent     []string `json:"sent"`     // recipients for whom it was too late
}

// Preview is what a draft would do.
type Preview struct {
	DryRun     bool             `json:"dry_run"`
	From       string           `json:"from"`
	To         []Address        `json:"to"`
	Cc         []Address        `json:"cc"`
	Bcc        []Address        `json:"bcc"`
	Subject    string           `json:"subject"`
	SizeBytes  int64            `json:"size_bytes"`
	SendAt     Time             `json:"send_at"`
	Reasons    []string         `json:"review_reasons,omitempty"` // why a person would have to approve it first
	Deliveries []PreviewedRoute `json:"deliveries"`
}

// PreviewedRoute is the way that mail to one recipient would take.
type PreviewedRoute struct {
	Recipient string `json:"recipient"`
	Route     string `json:"route"`
}

// Delivery is what became of a message for one recipient.
type Delivery struct {
	Recipient string `json:"recipient"`
	// held, on_hold, rejected, expired, scheduled, queued, canceled, sent, delivery_delayed, delivered, captured,
	// bounced, failed or complained
	Status    string  `json:"status"`
	Attempts  int     `json:"attempts"`
	LastCode  NullInt `json:"last_code"` // of SMTP
	LastText  string  `json:"last_text"`
	MX        string  `json:"mx"`
	TLS       string  `json:"tls"`
	NextAt    Time    `json:"next_attempt_at"`
	Outcome   string  `json:"outcome,omitempty"` // unknown: it may have arrived twice
	Simulated bool    `json:"simulated"`         // it did not leave the machine
}

// Suppression is an address that the mailbox does not send to any more.
type Suppression struct {
	Address   string     `json:"address"`
	Reason    string     `json:"reason"` // bounce, complaint, or manual
	Detail    string     `json:"detail"`
	EmailID   NullString `json:"email_id"`
	CreatedAt Time       `json:"created_at"`
}

// Suppressions is a page of them.
type Suppressions struct {
	Suppressions []Suppression `json:"suppressions"`
	Next         NullString    `json:"next_cursor"`
}

// AddedSuppressions says how many addresses were put on the list, and how many were on it already.
type AddedSuppressions struct {
	OK      bool `json:"ok"`
	Added   int  `json:"added"`
	Present int  `json:"present"`
}

// IngestReceipt is what became of a message that was handed in.
type IngestReceipt struct {
	ID          string `json:"id"`
	Mailbox     string `json:"mailbox"`
	Duplicate   bool   `json:"duplicate"`             // it was there already
	Quarantined bool   `json:"quarantined,omitempty"` // it is kept apart, until a person releases it
}
