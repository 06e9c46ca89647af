package api

// StoredDraft is a message that is kept until somebody sends or deletes it. It may be unfinished.
type StoredDraft struct {
	DraftSummary
	Text NullString `json:"text"`
	HTML NullString `json:"html"`
}

// DraftSummary is a draft as lists show it. Addresses are as they were written.
type DraftSummary struct {
	ID          string            `json:"id"`
	Version     int64             `json:"version"` // one more with every change
	Status      string            `json:"status"`  // draft or sent
	Mailbox     string            `json:"mailbox"`
	From        string            `json:"from"`
	To          []string          `json:"to"`
	Cc          []string          `json:"cc"`
	Bcc         []string          `json:"bcc"`
	ReplyTo     []string          `json:"reply_to"`
	Subject     string            `json:"subject"`
	Snippet     string            `json:"snippet"` // how the text begins
	Headers     map[string]string `json:"headers"`
	SendAt      Time              `json:"send_at"`
	Tags        []string          `json:"tags"`
	InReplyTo   string            `json:"in_reply_to"`
	EmailID     NullString        `json:"email_id"` // the message that it answers or sends on
	Reply       bool              `json:"reply"`
	Forward     bool              `json:"forward"`
	All         bool              `json:"all"`
	Force       bool              `json:"force"`
	Attachments []StoredFile      `json:"attachments"`
	SizeBytes   int64             `json:"size_bytes"` // that it takes of the mailbox's storage
	CreatedAt   Time              `json:"created_at"`
	UpdatedAt   Time              `json:"updated_at"`
	Sent        *SentDraft        `json:"sent"` // nil: it was not sent
}

// StoredFile is an attachment of a draft. N names it, and is never given to another one of the draft.
type StoredFile struct {
	N           int    `json:"n"`
	Filename    string `json:"filename"`
	ContentType string `json:"content_type"`
	ContentID   string `json:"content_id"`
	SizeBytes   int64  `json:"size_bytes"`
}

// SentDraft is the message that a draft became.
type SentDraft struct {
	ID        string `json:"id"`
	MessageID string `json:"message_id"`
	ThreadID  string `json:"thread_id"`
	SentAt    Time   `json:"sent_at"`
}

// Drafts is a page of drafts.
type Drafts struct {
	Drafts []DraftSummary `json:"drafts"`
	Next   NullString     `json:"next_cursor"`
}

// DraftChange is a change of a draft, based on a version of it. What is nil stays as it is; what is empty is emptied.
type DraftChange struct {
	Version   int64              `json:"version,omitempty"`
	From      *string            `json:"from,omitempty"`
	To        *[]string          `json:"to,omitempty"`
	Cc        *[]string          `json:"cc,omitempty"`
	Bcc       *[]string          `json:"bcc,omitempty"`
	ReplyTo   *[]string          `json:"reply_to,omitempty"`
	Subject   *string            `json:"subject,omitempty"`
	Text      *string            `json:"text,omitempty"`
	HTML      *string            `json:"html,omitempty"`
	Headers   *map[string]string `json:"headers,omitempty"`
	SendAt    *Time              `json:"send_at,omitempty"` // zero: at once
	Tags      *[]string          `json:"tags,omitempty"`
	InReplyTo *string            `json:"in_reply_to,omitempty"`
	EmailID   *string            `json:"email_id,omitempty"`
	Reply     *bool              `json:"reply,omitempty"`
	Forward   *bool              `json:"forward,omitempty"`
	All       *bool              `json:"all,omitempty"`
	Force     *bool              `json:"force,omitempty"`
}

// DraftSend is how a draft is to be sent: one version of it, or whichever it has; or only what that would do.
type DraftSend struct {
	Version int64 `json:"version,omitempty"`
	DryRun  bool  `json:"dry_run,omitempty"`
}
