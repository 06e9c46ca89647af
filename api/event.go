package api

// The kinds of events.
const (
	MessageReceived   = "message.received"
	MessageSent       = "message.sent"
	MessageDelivered  = "message.delivered"
	MessageBounced    = "message.bounced"
	MessageComplained = "message.complained"
	SendingPaused     = "mailbox.sending_paused" // the brakes stopped the mailbox: there is no message, but a reason
	MessageHeld       = "message.held"
	MessageApproved   = "message.approved"
	MessageRejected   = "message.rejected"
	MessageCanceled   = "message.canceled"
	MailboxQuota      = "mailbox.quota" // most of a limit of the mailbox is used: there is no message

	RecipientUnsubscribed = "recipient.unsubscribed" // a recipient wants no more mail of the mailbox
)

// Event is something that happened in a mailbox. Of a message that was deleted since, only the id is there.
type Event struct {
	ID string `json:"-"` // from Events: to go on after it; from a webhook: the same if it is posted again

	Event           string     `json:"event"`
	EmailID         string     `json:"email_id"`
	Mailbox         string     `json:"mailbox"`
	From            string     `json:"from"`
	Subject         string     `json:"subject"`
	ReceivedAt      Time       `json:"received_at"`
	ThreadID        string     `json:"thread_id"`
	Labels          []string   `json:"labels"`
	HasAttachments  bool       `json:"has_attachments"`
	MessageID       string     `json:"message_id"`
	AttachmentCount int        `json:"attachment_count"`
	Code            NullString `json:"code"` // not in webhooks
	Deleted         bool       `json:"deleted,omitempty"`
	Status          string     `json:"status,omitempty"`      // from here on: of mail that was sent
	Recipient       string     `json:"recipient,omitempty"`   //
	Timestamp       Time       `json:"timestamp,omitzero"`    // when it happened
	Reason          string     `json:"reason,omitempty"`      //
	BounceType      string     `json:"bounce_type,omitempty"` // hard or soft
	Simulated       bool       `json:"simulated,omitempty"`   // the recipient is an address of the simulator
	Quota           *Quota     `json:"quota,omitempty"`       // of MailboxQuota
}

// Quota is how much of a limit of a mailbox is used.
type Quota struct {
	Of      string `json:"of"`      // bytes or messages
	Percent int64  `json:"percent"` // that was reached: 80 or 95
	Used    int64  `json:"used"`
	Limit   int64  `json:"limit"`
}
