package resend

import (
	"encoding/json"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// hookNames are the names of events there.
var hookNames = map[mailbox.EventKind]string{mailbox.MessageReceived: "email.received",
	mailbox.MessageSent: "email.sent", mailbox.MessageLeft: "email.sent", mailbox.MessageDelivered: "email.delivered",
	mailbox.MessageDelayed: "email.delivery_delayed",
	mailbox.MessageBounced: "email.bounced", mailbox.MessageComplained: "email.complained"}

// hookMail is what an event says of its message.
type hookMail struct {
	EmailID     string            `json:"email_id"`
	CreatedAt   *string           `json:"created_at"`
	From        string            `json:"from"`
	To          []string          `json:"to"`
	Cc          *[]string         `json:"cc,omitempty"`
	Bcc         *[]string         `json:"bcc,omitempty"`
	ReceivedFor []string          `json:"received_for,omitempty"`
	Subject     string            `json:"subject"`
	MessageID   string            `json:"message_id"`
	Tags        map[string]string `json:"tags,omitempty"`
	Attachments *[]fileHead       `json:"attachments,omitempty"`
	Bounce      *hookBounce       `json:"bounce,omitempty"`
	Failed      *hookFailure      `json:"failed,omitempty"`
	Suppressed  *hookSuppression  `json:"suppressed,omitempty"`
}

type hookBounce struct {
	Type    string `json:"type"`
	SubType string `json:"subType"`
	Message string `json:"message"`
}

type hookFailure struct {
	Reason string `json:"reason"`
}

type hookSuppression struct {
	Message string `json:"message"`
	Type    string `json:"type"`
}

// HookBody is an event as it is posted to programs that were written for Resend, and its name there; nothing where
// there is no such event.
func HookBody(e mailbox.Event) (name string, body []byte) {
	name = hookNames[e.Kind]
	if name == "" {
		return "", nil
	}
	data := hookMail{EmailID: e.Message.String(), CreatedAt: moment(e.At), To: []string{}}
	if e.Mail != nil {
		data.describe(e)
		if e.Kind == mailbox.MessageSent {
			name = data.sent(e.Mail.Status)
		}
	}
	if e.Kind == mailbox.MessageBounced {
		name = data.bounced(e.Result)
	}
	body, _ = json.Marshal(struct { // it has nothing that can fail
		Type      string   `json:"type"`
		CreatedAt *string  `json:"created_at"`
		Data      hookMail `json:"data"`
	}{name, moment(e.At), data})
	return name, body
}

// describe fills in what is known of the message.
func (h *hookMail) describe(e mailbox.Event) {
	m := e.Mail
	h.CreatedAt, h.From, h.Subject = moment(m.ReceivedAt), shown(m.From), m.Subject
	h.MessageID = bracketed(m.MessageID)
	switch {
	case e.Result.Recipient != "" && e.Kind != mailbox.MessageSent: // which is that of all
		h.To = []string{e.Result.Recipient}
	case e.Detail != nil && len(e.Detail.To) > 0:
		h.To = shownAll(e.Detail.To)
	default:
		h.To = []string{m.To}
	}
	var d mailbox.Detail
	if e.Detail != nil {
		d = *e.Detail
	}
	for _, t := range d.Tags {
		if h.Tags == nil {
			h.Tags = make(map[string]string)
		}
		key, value, _ := strings.Cut(t, "=")
		h.Tags[key] = value
	}
	if e.Kind != mailbox.MessageReceived {
		return
	}
	row := receivedOf(service.FullMessage{Message: *m, Detail: d})
	h.Cc, h.Bcc, h.Attachments, h.ReceivedFor = &row.Cc, &row.Bcc, &row.Attachments, row.ReceivedFor
}

// sent is the name of the event that a message was accepted.
func (h *hookMail) sent(status string) string {
	switch mailbox.DeliveryStatus(status) {
	case mailbox.Scheduled:
		return "email.scheduled"
	case mailbox.Suppressed:
		h.Suppressed = &hookSuppression{"The recipient is on the suppression list.", "OnAccountSuppressionList"}
		return "email.suppressed"
	}
	return "email.sent"
}

// bounced is the name of the event that a message did not arrive.
func (h *hookMail) bounced(r mailbox.Result) string {
	if r.Status == string(mailbox.Failed) {
		h.Failed = &hookFailure{r.Reason}
		return "email.failed"
	}
	kind := "Undetermined"
	switch r.Bounce {
	case "hard":
		kind = "Permanent"
	case "soft":
		kind = "Transient"
	}
	h.Bounce = &hookBounce{kind, "General", r.Reason}
	return "email.bounced"
}
