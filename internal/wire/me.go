package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewLimits returns the limits in force.
func NewLimits(l mailbox.Limits) api.Limits {
	return api.Limits{
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
