package api

// Me is who a key is and what it may do.
type Me struct {
	Worker       string   `json:"worker"` // the program that answers
	Version      string   `json:"version"`
	Mailbox      string   `json:"mailbox"`
	Scope        string   `json:"scope"`      // provisional, mailbox or operator
	ExpiresAt    Time     `json:"expires_at"` // of the key
	Send         bool     `json:"send"`       // this key can send now
	Capabilities []string `json:"capabilities"`
	Limits       Limits   `json:"limits"`
	Usage        Usage    `json:"usage"`         // of the mailbox
	Key          *OwnKey  `json:"key,omitempty"` // the one that is used; the operator credential is none
	EventID      string   `json:"event_id"`      // of the mailbox's newest event: wait after it for what comes from now on

	Operator *OwnOperator `json:"operator,omitempty"` // who asks, where an operator does

	SendingPaused *SendingPause `json:"sending_paused,omitempty"` // the brakes stopped the mailbox
}

// OwnKey is the key in use.
type OwnKey struct {
	ID string `json:"id"`
	KeyBounds
	Mailboxes []string `json:"mailboxes,omitempty"` // that it opens beside its own
}

// Limits are the numbers in force at the service.
type Limits struct {
	DailySends          int     `json:"daily_sends"`
	RecipientsPerEmail  int     `json:"recipients_per_email"`
	SubjectChars        int     `json:"subject_chars"`
	TextBytes           int64   `json:"text_bytes"`
	HTMLBytes           int64   `json:"html_bytes"`
	AttachmentBytes     int64   `json:"attachment_bytes"`
	MessageBytes        int64   `json:"message_bytes"`
	WireBytes           int64   `json:"wire_bytes"`
	StreamSeconds       float64 `json:"stream_seconds"`
	KeepaliveSeconds    float64 `json:"keepalive_seconds"`
	StreamsPerMailbox   int     `json:"streams_per_mailbox"`
	WebhookAttempts     int     `json:"webhook_attempts"`
	WebhookFailures     int     `json:"webhook_failures"`
	ProvisionalHours    float64 `json:"provisional_hours"`
	ProvisionalBytes    int64   `json:"provisional_bytes"`
	ProvisionalMessages int64   `json:"provisional_messages"`

	// Of the mailbox, as daily_sends; 0: no limit.
	Bytes          int64     `json:"bytes"`
	Messages       int64     `json:"messages"`
	InboundPerHour int64     `json:"inbound_per_hour"`
	RetentionDays  Retention `json:"retention_days"`

	KeyLength int `json:"key_length"`
}

// Stats are the counts of a mailbox, exact at this moment.
type Stats struct {
	Mailbox          string        `json:"mailbox"`
	TotalEmails      int64         `json:"total_emails"`
	Inbound          int64         `json:"inbound"`
	Outbound         int64         `json:"outbound"`
	EmailsThisMonth  int64         `json:"emails_this_month"`
	Unseen           int64         `json:"unseen"`
	StorageBytes     int64         `json:"storage_bytes"`
	SuppressionCount int64         `json:"suppression_count"`
	Quarantined      int64         `json:"quarantined"` // mail in quarantine, which only people see
	WebhookRoutes    int64         `json:"webhook_routes"`
	Ingest           IngestStats   `json:"ingest"`
	Index            IndexProgress `json:"index"`
	Daily            []DayStats    `json:"daily,omitempty"`          // only of DailyStats; the oldest first
	DailyComplete    *bool         `json:"daily_complete,omitempty"` // false: there was too much to count it all
}

// DayStats are the counts of a day of UTC.
type DayStats struct {
	Day      string           `json:"day"` // 2026-01-31
	Received int64            `json:"received"`
	Sent     int64            `json:"sent"`
	Bytes    int64            `json:"bytes"`
	Outcomes map[string]int64 `json:"outcomes"` // of those sent: how many have which status
}

// IngestStats are how far received messages have come.
type IngestStats struct {
	Pending int64 `json:"pending"`
	Parsed  int64 `json:"parsed"`
	Failed  int64 `json:"failed"`
}

// IndexProgress is how many messages the search does not know yet: by words, and by meaning.
type IndexProgress struct {
	Pending        int64 `json:"pending"`
	VectorsPending int64 `json:"vectors_pending"`
}
