package wire

import (
	"github.com/mailkin/mailkin/internal/mailbox"
)

// Me is who the caller is and what it may do (API 3).
type Me struct {
	Worker       string   `json:"worker"`
	Version      string   `json:"version"`
	Mailbox      string   `json:"mailbox"`
	Scope        string   `json:"scope"`
	ExpiresAt    Time     `json:"expires_at"` // null: until revoked
	Send         bool     `json:"send"`
	Capabilities []string `json:"capabilities"`
	Limits       Limits   `json:"limits"`
}

// Limits are the numbers in force in this deployment, each with its unit in its name.
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
	KeyLength           int     `json:"key_length"`
}

// NewLimits gives the limits in force.
func NewLimits(l mailbox.Limits) Limits {
	return Limits{
		DailySends: l.DailySends, RecipientsPerEmail: l.Recipients, SubjectChars: l.SubjectChars,
		TextBytes: l.TextBytes, HTMLBytes: l.HTMLBytes, AttachmentBytes: l.AttachmentBytes,
		MessageBytes: l.MessageBytes, WireBytes: l.WireBytes,
		StreamSeconds: l.StreamTime.Seconds(), KeepaliveSeconds: l.Keepalive.Seconds(),
		StreamsPerMailbox: l.StreamsPerMailbox,
		WebhookAttempts:   l.WebhookAttempts, WebhookFailures: l.WebhookFailures,
		ProvisionalHours: l.ProvisionalTTL.Hours(), ProvisionalBytes: l.ProvisionalBytes,
		ProvisionalMessages: l.ProvisionalMessages,
		KeyLength:           67, // SPEC 2.1
	}
}
