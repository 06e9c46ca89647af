package api

// Mailbox is a mailbox as a list shows it.
type Mailbox struct {
	Mailbox string   `json:"mailbox"` // its address
	Aliases []string `json:"aliases"`

	DisplayName string         `json:"display_name"` // the name in From
	Metadata    map[string]any `json:"metadata"`     // strings, numbers and truths, for the owner
	ClientID    string         `json:"client_id,omitempty"`

	Status     string       `json:"status"` // active or paused
	Scope      string       `json:"scope"`  // provisional or mailbox
	CreatedAt  Time         `json:"created_at"`
	ExpiresAt  Time         `json:"expires_at"`
	WebhookURL NullString   `json:"webhook_url"`
	Webhook    WebhookState `json:"webhook"`
	PausedBy   string       `json:"paused_by,omitempty"` // owner or operator
	Reason     string       `json:"reason,omitempty"`    // of the pause
	PausedAt   Time         `json:"paused_at,omitzero"`
	Holds      *Holding     `json:"holds,omitempty"` // in lists

	SendingPaused *SendingPause `json:"sending_paused,omitempty"` // the brakes stopped it
}

// SendingPause is why and since when a mailbox sends nothing.
type SendingPause struct {
	Reason  string `json:"reason"`
	At      Time   `json:"at"`
	Measure string `json:"measure"` // sends, new_recipients, one_recipient, same_text or bounces
}

// Holding is what a mailbox holds.
type Holding struct {
	TotalEmails  int64 `json:"total_emails"`
	Unseen       int64 `json:"unseen"`
	StorageBytes int64 `json:"storage_bytes"`
	LastEmailAt  Time  `json:"last_email_at"` // when its newest message came or went
}

// WebhookState is how a mailbox's webhook does.
type WebhookState struct {
	Status              string `json:"status"` // active, failed or none
	ConsecutiveFailures int    `json:"consecutive_failures"`
	LastAttemptAt       Time   `json:"last_attempt_at"`
	LastError           string `json:"last_error"`
}

// MailboxRecord is a mailbox with its use of the day.
type MailboxRecord struct {
	Mailbox
	DailySendLimit int `json:"daily_send_limit"`
	SendsToday     int `json:"sends_today"`
	UndoSeconds    int `json:"undo_seconds"` // how long every message waits before it is sent

	Brakes        bool   `json:"brakes"`         // they are on
	SendPolicy    string `json:"send_policy"`    // open, review_all, review_new or review_outside
	ReceiveAction string `json:"receive_action"` // what is done with mail that lists do not let in: refuse, quarantine

	// Reviewers are told by mail of messages that wait for approval; none: those of the deployment.
	Reviewers []string `json:"reviewers"`

	Limits MailboxLimits `json:"limits"`
	Usage  Usage         `json:"usage"`
	Note   string        `json:"note,omitempty"`
}

// MailboxLimits are what a mailbox may hold and do, as it is in force. 0: no limit.
type MailboxLimits struct {
	Bytes          int64     `json:"bytes"`
	Messages       int64     `json:"messages"`
	DailySends     int64     `json:"daily_sends"`
	InboundPerHour int64     `json:"inbound_per_hour"`
	RetentionDays  Retention `json:"retention_days"`
}

// Retention is for how many days messages are kept; 0: for ever. A label's days count in place of the others; of
// several labels the longest do.
type Retention struct {
	Inbound  float64            `json:"inbound"`
	Outbound float64            `json:"outbound"`
	Labels   map[string]float64 `json:"labels"`
}

// Usage is what a mailbox uses of its limits.
type Usage struct {
	Bytes      int64 `json:"bytes"` // of messages and drafts
	Messages   int64 `json:"messages"`
	SendsToday int   `json:"sends_today"`
}

// LimitsChange is which limits of a mailbox are to be changed. What is nil stays; 0 is no limit.
type LimitsChange struct {
	Bytes          *int64           `json:"bytes,omitempty"`
	Messages       *int64           `json:"messages,omitempty"`
	DailySends     *int64           `json:"daily_sends,omitempty"`
	InboundPerHour *int64           `json:"inbound_per_hour,omitempty"`
	RetentionDays  *RetentionChange `json:"retention_days,omitempty"`
}

// RetentionChange is for how many days messages are to be kept; 0: for ever. What is nil stays, and so do labels that
// are not named; a label without days has the deployment's.
type RetentionChange struct {
	Inbound  *float64            `json:"inbound,omitempty"`
	Outbound *float64            `json:"outbound,omitempty"`
	Labels   map[string]*float64 `json:"labels,omitempty"`
}

// PausedMailbox is a mailbox that was paused.
type PausedMailbox struct {
	Mailbox  string `json:"mailbox"`
	Status   string `json:"status"`
	PausedBy string `json:"paused_by"`
	Reason   string `json:"reason"`
	PausedAt Time   `json:"paused_at"`
}

// ResumedMailbox is a mailbox that is active again.
type ResumedMailbox struct {
	Mailbox string `json:"mailbox"`
	Status  string `json:"status"`
}

// DeletedMailbox is a mailbox that is gone, with how many large messages were.
type DeletedMailbox struct {
	OK             bool   `json:"ok"`
	Deleted        string `json:"deleted"`
	BlobsDeleted   int    `json:"blobs_deleted"`
	R2BlobsDeleted int    `json:"r2_blobs_deleted"`
}

// NewMailbox is a mailbox to be made: by its name on the deployment's first domain, or by its whole address.
type NewMailbox struct {
	Name        string         `json:"name,omitempty"`
	Address     string         `json:"address,omitempty"`
	DisplayName string         `json:"display_name,omitempty"` // the name in From
	Metadata    map[string]any `json:"metadata,omitempty"`     // strings, numbers and truths
	ClientID    string         `json:"client_id,omitempty"`    // asked for twice with the same, it is made once
}

// CreatedMailbox is a new mailbox with its key, which is shown this once.
type CreatedMailbox struct {
	Mailbox   string `json:"mailbox"`
	APIKey    string `json:"api_key,omitempty"` // empty where Replayed
	Scope     string `json:"scope"`
	CreatedAt Time   `json:"created_at"`
	Replayed  bool   `json:"replayed,omitempty"` // it was made before, under the same client_id
}

// Mailboxes is a page of the deployment's mailboxes.
type Mailboxes struct {
	Mailboxes []Mailbox  `json:"mailboxes"`
	Next      NullString `json:"next_cursor"`
}

// TestMail is what became of a test mail.
type TestMail struct {
	OK    bool   `json:"ok"`    // it was taken
	Reply string `json:"reply"` // what the SMTP server said
}
