package wire

import (
	"github.com/mailkin/mailkin/internal/mailbox"
)

// Mailbox is a mailbox as lists show it.
type Mailbox struct {
	Mailbox    string   `json:"mailbox"`
	Aliases    []string `json:"aliases"`
	Status     string   `json:"status"`
	Scope      string   `json:"scope"`
	CreatedAt  Time     `json:"created_at"`
	ExpiresAt  Time     `json:"expires_at"`  // null: never
	WebhookURL *string  `json:"webhook_url"` // null: none
	Webhook    Webhook  `json:"webhook"`
	PausedBy   string   `json:"paused_by,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	PausedAt   Time     `json:"paused_at,omitzero"`
	Holds      *Holding `json:"holds,omitempty"` // in lists
}

// Webhook is the state of a mailbox's webhook.
type Webhook struct {
	Status              string `json:"status"`
	ConsecutiveFailures int    `json:"consecutive_failures"`
	LastAttemptAt       Time   `json:"last_attempt_at"` // null: never
	LastError           string `json:"last_error"`
}

// NewMailbox gives a mailbox as lists show it.
func NewMailbox(m mailbox.Mailbox) Mailbox {
	return Mailbox{
		Mailbox: m.Address, Aliases: listed(m.Aliases), Status: string(m.Status), Scope: string(m.Scope),
		CreatedAt: Time(m.CreatedAt), ExpiresAt: Time(m.ExpiresAt), WebhookURL: orNull(m.Webhook.URL),
		Webhook: Webhook{
			Status: m.Webhook.Status(), ConsecutiveFailures: m.Webhook.ConsecutiveFailures,
			LastAttemptAt: Time(m.Webhook.LastAttemptAt), LastError: m.Webhook.LastError,
		},
		PausedBy: string(m.PausedBy), Reason: m.PauseReason, PausedAt: Time(m.PausedAt),
	}
}

// MailboxRecord is a mailbox with its use of the day (API 4).
type MailboxRecord struct {
	Mailbox
	DailySendLimit int    `json:"daily_send_limit"`
	SendsToday     int    `json:"sends_today"`
	Note           string `json:"note,omitempty"`
}

// Holding is what a mailbox holds.
type Holding struct {
	TotalEmails  int64 `json:"total_emails"`
	Unseen       int64 `json:"unseen"`
	StorageBytes int64 `json:"storage_bytes"`
	LastEmailAt  Time  `json:"last_email_at"` // null: it has none
}

// NewListedMailbox gives a mailbox with what it holds.
func NewListedMailbox(m mailbox.Mailbox, h mailbox.Holding) Mailbox {
	out := NewMailbox(m)
	out.Holds = &Holding{TotalEmails: h.Inbound + h.Outbound, Unseen: h.Unseen, StorageBytes: h.Bytes, LastEmailAt: Time(h.LastAt)}
	return out
}

// Mailboxes is a list of mailboxes.
type Mailboxes struct {
	Mailboxes []Mailbox `json:"mailboxes"`
	Next      Cursor    `json:"next_cursor"`
}

// NewMailboxes gives a list of mailboxes and where it goes on.
func NewMailboxes(list []Mailbox, next string) Mailboxes {
	return Mailboxes{Mailboxes: listed(list), Next: orNull(next)}
}

// Paused is the answer to pausing a mailbox.
type Paused struct {
	Mailbox  string `json:"mailbox"`
	Status   string `json:"status"`
	PausedBy string `json:"paused_by"`
	Reason   string `json:"reason"`
	PausedAt Time   `json:"paused_at"`
}

// NewPaused gives a paused mailbox.
func NewPaused(m mailbox.Mailbox) Paused {
	return Paused{
		Mailbox: m.Address, Status: string(m.Status),
		PausedBy: string(m.PausedBy), Reason: m.PauseReason, PausedAt: Time(m.PausedAt),
	}
}

// Resumed is the answer to resuming a mailbox.
type Resumed struct {
	Mailbox string `json:"mailbox"`
	Status  string `json:"status"`
}

// DeletedMailbox is the answer to deleting a mailbox. The second count is the name that existing clients read.
type DeletedMailbox struct {
	OK             bool   `json:"ok"`
	Deleted        string `json:"deleted"`
	BlobsDeleted   int    `json:"blobs_deleted"`
	R2BlobsDeleted int    `json:"r2_blobs_deleted"`
}

// CreatedMailbox is a new mailbox with its key, which is shown this once.
type CreatedMailbox struct {
	Mailbox   string `json:"mailbox"`
	APIKey    string `json:"api_key"`
	Scope     string `json:"scope"`
	CreatedAt Time   `json:"created_at"`
}

// NewCreatedMailbox gives a new mailbox with its key.
func NewCreatedMailbox(m mailbox.Mailbox, key mailbox.Secret) CreatedMailbox {
	return CreatedMailbox{Mailbox: m.Address, APIKey: string(key), Scope: string(m.Scope), CreatedAt: Time(m.CreatedAt)}
}
