package mailbox

import (
	"slices"
	"strings"
	"time"
)

// EventKind is what happened to a message (SPEC 6), or to the mailbox.
type EventKind string

const (
	MessageReceived   EventKind = "message.received"
	MessageSent       EventKind = "message.sent"
	MessageDelivered  EventKind = "message.delivered"
	MessageBounced    EventKind = "message.bounced"
	MessageComplained EventKind = "message.complained"
	MessageHeld       EventKind = "message.held"     // it waits for a person's approval
	MessageApproved   EventKind = "message.approved" // and is sent now
	MessageRejected   EventKind = "message.rejected" // and is not sent; also where nobody decided in time
	MessageCanceled   EventKind = "message.canceled" // it was called back, for all recipients or for some
	// MessageDelayed (a server asked to be tried later) and MessageLeft (a scheduled message is due now) are posted by
	// the webhook formats that have them. They are not in the log.
	MessageDelayed EventKind = "message.delayed"
	MessageLeft    EventKind = "message.left"
	// SendingPaused is about the mailbox itself: the brakes have stopped it. Its Result has the reason.
	SendingPaused EventKind = "mailbox.sending_paused"
	// MailboxQuota is about the mailbox, too: most of a limit is used. Its Result holds a QuotaNotice.
	MailboxQuota EventKind = "mailbox.quota"
	// RecipientUnsubscribed says that a recipient wants no more mail from the mailbox. The message is the one whose
	// link was followed.
	RecipientUnsubscribed EventKind = "recipient.unsubscribed"
)

// EventKinds lists every kind of the log, in the order it is shown.
func EventKinds() []EventKind {
	return []EventKind{MessageReceived, MessageSent, MessageDelivered, MessageBounced, MessageComplained,
		MessageHeld, MessageApproved, MessageRejected, MessageCanceled, SendingPaused, MailboxQuota,
		RecipientUnsubscribed}
}

// Known tells whether there is such a kind.
func (k EventKind) Known() bool { return slices.Contains(EventKinds(), k) }

// Event is an entry of a mailbox's log. It is written in the transaction of what it reports; its number grows inside
// the mailbox.
type Event struct {
	Mailbox Num
	Number  int64
	Kind    EventKind
	Message ID // zero: it is about the mailbox
	At      time.Time
	Mail    *Message // the message as it is now; nil: it was deleted, or there is none
	Result  Result   // of what happened to it on its way out
	Detail  *Detail  // of Mail, where it was at hand when the event was made; it is not stored
}

// Result is what an event says about one recipient of a message that was sent.
type Result struct {
	Recipient string
	Status    string
	Bounce    string // "hard" or "soft"
	Reason    string
	Simulated bool // the recipient is an address of the simulator
}

// simulatedMark follows the status of a result that was simulated, where it is stored.
const simulatedMark = " simulated"

// Encode returns a result as one text, for a store. The zero result is empty.
func (r Result) Encode() string {
	if r == (Result{}) {
		return ""
	}
	status := r.Status
	if r.Simulated {
		status += simulatedMark
	}
	return strings.Join([]string{r.Recipient, status, r.Bounce, r.Reason}, "\n")
}

// DecodeResult reads what Encode wrote.
func DecodeResult(s string) (r Result) {
	parts := strings.SplitN(s, "\n", 4)
	for i, field := range []*string{&r.Recipient, &r.Status, &r.Bounce, &r.Reason} {
		if i < len(parts) {
			*field = parts[i]
		}
	}
	r.Status, r.Simulated = strings.CutSuffix(r.Status, simulatedMark)
	return r
}
