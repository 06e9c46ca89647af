package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewMailboxLimits returns the limits of a mailbox.
func NewMailboxLimits(a mailbox.Allowance) api.MailboxLimits {
	labels := a.Retention.Labels
	if labels == nil {
		labels = map[string]float64{}
	}
	return api.MailboxLimits{Bytes: a.Bytes, Messages: a.Messages, DailySends: a.DailySends,
		InboundPerHour: a.InboundPerHour,
		RetentionDays:  api.Retention{Inbound: a.Retention.Inbound, Outbound: a.Retention.Outbound, Labels: labels}}
}

// NewUsage returns what a mailbox uses of its limits.
func NewUsage(u mailbox.Use, sends int) api.Usage {
	return api.Usage{Bytes: u.Bytes, Messages: u.Messages, SendsToday: sends}
}

// NewLimits returns the limits in force for a mailbox.
func NewLimits(l mailbox.Limits, a mailbox.Allowance) api.Limits {
	of := NewMailboxLimits(a)
	return api.Limits{
		DailySends: int(a.DailySends), RecipientsPerEmail: l.Recipients, SubjectChars: l.SubjectChars,
		TextBytes: l.TextBytes, HTMLBytes: l.HTMLBytes, AttachmentBytes: l.AttachmentBytes,
		MessageBytes: l.MessageBytes, WireBytes: l.WireBytes,
		StreamSeconds: l.StreamTime.Seconds(), KeepaliveSeconds: l.Keepalive.Seconds(),
		StreamsPerMailbox: l.StreamsPerMailbox,
		WebhookAttempts:   l.WebhookAttempts, WebhookFailures: l.WebhookFailures,
		ProvisionalHours: l.ProvisionalTTL.Hours(), ProvisionalBytes: l.ProvisionalBytes,
		ProvisionalMessages: l.ProvisionalMessages,
		KeyLength:           67, // SPEC 2.1
		Bytes:               of.Bytes, Messages: of.Messages, InboundPerHour: of.InboundPerHour,
		RetentionDays: of.RetentionDays,
	}
}
