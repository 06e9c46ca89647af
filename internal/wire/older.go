package wire

import (
	"strings"

	"github.com/mailkin/mailkin/internal/extract/record"
)

// Clients of the older service that do not use /v1 declare other types for a few members; docs/compatibility.md lists
// them. Here are the forms that /api answers in.

// OlderEmail is a message with its lists as text.
type OlderEmail struct {
	Email
	InReplyTo       *string `json:"in_reply_to"`
	References      *string `json:"references"`
	AttachmentNames string  `json:"attachment_names"`
}

// ForOlder gives a message to an older client.
func (e Email) ForOlder() any { return newOlderEmail(e) }

func newOlderEmail(e Email) OlderEmail {
	return OlderEmail{Email: e, InReplyTo: orNull(e.InReplyTo), References: orNull(strings.Join(e.References, " ")),
		AttachmentNames: strings.Join(e.AttachmentNames, " ")}
}

// OlderConversation is a thread whose messages have their lists as text.
type OlderConversation struct {
	Conversation
	Emails []OlderEmail `json:"emails"`
}

// ForOlder gives a thread to an older client.
func (c Conversation) ForOlder() any {
	return OlderConversation{Conversation: c, Emails: each(c.Emails, newOlderEmail)}
}

// OlderWaited is a message that was waited for, with its lists as text.
type OlderWaited struct {
	Email *OlderEmail `json:"email"`
}

// ForOlder gives what was waited for to an older client.
func (w Waited) ForOlder() any {
	if w.Email == nil {
		return w
	}
	email := newOlderEmail(*w.Email)
	return OlderWaited{Email: &email}
}

// OlderOrder is an order with its sum and its lines as text.
type OlderOrder struct {
	Order
	Total *string  `json:"total"`
	Items []string `json:"items"`
}

// OlderReceipt is a receipt with its sum as text.
type OlderReceipt struct {
	PaymentReceipt
	Amount *string `json:"amount"`
}

// NewOlderOrder gives an order to an older client.
func NewOlderOrder(o record.Order) OlderOrder {
	names := each(o.Items, func(i record.Item) string { return i.Name })
	return OlderOrder{Order: NewOrder(o), Total: orNull(string(o.Total)), Items: names}
}

// NewOlderReceipt gives a receipt to an older client.
func NewOlderReceipt(r record.Receipt) OlderReceipt {
	return OlderReceipt{PaymentReceipt: NewPaymentReceipt(r), Amount: orNull(string(r.Amount))}
}

// NewOlderAppointment gives an entry of a calendar to an older client: who attends is told by addresses alone.
func NewOlderAppointment(c record.Calendar) Appointment {
	out := NewAppointment(c)
	out.Attendees = []string{}
	for _, p := range c.Attendees {
		if p.Address != "" {
			out.Attendees = append(out.Attendees, p.Address)
		}
	}
	return out
}
