package client

import (
	"context"
	"net/http"
)

// Mailbox is a mailbox as a list shows it.
type Mailbox struct {
	Mailbox    string       `json:"mailbox"` // its address
	Aliases    []string     `json:"aliases"`
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
	DailySendLimit int    `json:"daily_send_limit"`
	SendsToday     int    `json:"sends_today"`
	Note           string `json:"note,omitempty"`
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

const mailboxPath = "/v1/mailbox"

type webhookChange struct {
	URL NullString `json:"webhook_url"`
}

type pauseReason struct {
	Reason string `json:"reason,omitempty"`
}

// Mailbox is the mailbox itself: address, aliases, status, webhook.
func (c *Client) Mailbox(ctx context.Context) (*MailboxRecord, error) {
	return fetch[MailboxRecord](ctx, c, get(mailboxPath, nil))
}

// SetWebhook has events posted to a URL; the empty one ends that. Setting it, even to the same, revives a webhook that
// failed.
func (c *Client) SetWebhook(ctx context.Context, url string) (*MailboxRecord, error) {
	return fetch[MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath, webhookChange{NullString(url)}))
}

// DeleteMailbox deletes the mailbox, its keys and all its mail, at once and for good. An operator must name it: see For.
func (c *Client) DeleteMailbox(ctx context.Context) (*DeletedMailbox, error) {
	return fetch[DeletedMailbox](ctx, c, change(http.MethodDelete, mailboxPath, nil))
}

// Pause has the mailbox refuse every request but Resume, and puts its mail off. The reason may be empty.
func (c *Client) Pause(ctx context.Context, reason string) (*PausedMailbox, error) {
	return fetch[PausedMailbox](ctx, c, change(http.MethodPatch, mailboxPath+"/pause", pauseReason{reason}))
}

// Resume ends a pause. What the operator paused only the operator resumes.
func (c *Client) Resume(ctx context.Context) (*ResumedMailbox, error) {
	return fetch[ResumedMailbox](ctx, c, change(http.MethodPatch, mailboxPath+"/resume", nil))
}
