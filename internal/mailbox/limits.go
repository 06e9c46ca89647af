package mailbox

import "time"

// Limits are the numbers in force in this deployment (SPEC 8 and API), each a setting, all shown in GET /v1/me.
type Limits struct {
	DailySends          int
	Recipients          int
	SubjectChars        int
	TextBytes           int64
	HTMLBytes           int64
	AttachmentBytes     int64
	MessageBytes        int64 // decoded, attachments included
	WireBytes           int64 // as it comes over SMTP or HTTP, still encoded
	StreamTime          time.Duration
	Keepalive           time.Duration
	WebhookAttempts     int
	WebhookFailures     int
	ProvisionalTTL      time.Duration
	ProvisionalBytes    int64
	ProvisionalMessages int64
	StreamsPerMailbox   int

	// What a permanent mailbox may hold, and what comes to any mailbox in an hour; 0: no limit.
	MailboxBytes    int64
	MailboxMessages int64
	InboundPerHour  int64
	Retention       Retention
}

// DefaultLimits are SPEC 8 with KB = 1,000 and MB = 1,000,000 bytes (API 7).
func DefaultLimits() Limits {
	return Limits{
		DailySends: 100, Recipients: 50, SubjectChars: 998,
		TextBytes: 500_000, HTMLBytes: 1_000_000, AttachmentBytes: 100_000_000,
		MessageBytes: 100_000_000, WireBytes: 140_000_000,
		StreamTime: 25 * time.Second, Keepalive: 2 * time.Second,
		WebhookAttempts: 4, WebhookFailures: 10,
		ProvisionalTTL: 72 * time.Hour, ProvisionalBytes: 100_000_000, ProvisionalMessages: 1000,
		StreamsPerMailbox: 256,
		MailboxBytes:      5_000_000_000, MailboxMessages: 1_000_000,
	}
}
