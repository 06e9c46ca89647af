package wire

import (
	"strings"
	"unicode"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// ResendEvent is what the provider Resend calls back about a message that it took (API 7). It has more members; these
// are what is needed.
type ResendEvent struct {
	Type string     `json:"type"`
	Data ResendMail `json:"data"`
}

// ResendMail is the message that an event is about. Each goes to one recipient.
type ResendMail struct {
	EmailID string       `json:"email_id"`
	Bounce  ResendBounce `json:"bounce"`
	Failed  ResendFailed `json:"failed"`
}

// ResendBounce is why a message came back.
type ResendBounce struct {
	Type    string `json:"type"` // Permanent, Transient or Undetermined
	SubType string `json:"subType"`
	Message string `json:"message"`
}

// ResendFailed is why a message was not sent at all.
type ResendFailed struct {
	Reason string `json:"reason"`
}

// maxReason is how many bytes of a provider's explanation are kept.
const maxReason = 1000

// Word returns the news that the event is; false: it says nothing about a delivery.
func (e ResendEvent) Word() (mailbox.Word, bool) {
	var w mailbox.Word
	switch e.Type {
	case "email.sent":
		w.Status = mailbox.Sent
	case "email.delivery_delayed":
		w.Status = mailbox.Delayed
	case "email.delivered":
		w.Status = mailbox.Delivered
	case "email.bounced":
		w.Status, w.Bounce, w.Reason = mailbox.Bounced, "soft", explained(e.Data.Bounce)
		if e.Hard() {
			w.Bounce = "hard"
		}
	case "email.failed":
		w.Status, w.Bounce, w.Reason = mailbox.Failed, "soft", printable(e.Data.Failed.Reason)
		if w.Reason == "" {
			w.Reason = "The provider did not send it and gave no reason."
		}
	case "email.complained":
		w.Status = mailbox.Complained
	default:
		return w, false
	}
	return w, true
}

// Hard tells whether nothing should be sent to the recipient again.
func (e ResendEvent) Hard() bool {
	return e.Type == "email.bounced" && strings.EqualFold(e.Data.Bounce.Type, "Permanent")
}

func explained(b ResendBounce) string {
	for _, s := range []string{b.Message, strings.TrimSpace(b.Type + " " + b.SubType)} {
		if s = printable(s); s != "" {
			return s
		}
	}
	return "The provider gave no reason."
}

// printable makes a provider's words fit to be kept and shown.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return mailbox.Clip(strings.TrimSpace(s), maxReason)
}
