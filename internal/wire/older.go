package wire

import (
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/extract/record"
)

// Clients of the older service that do not use /v1 declare other types for a few members; docs/compatibility.md lists
// them. Here are the forms that /api answers in.

// ForOlder returns an answer in the types that older clients declare.
func ForOlder(answer any) any {
	switch v := answer.(type) {
	case api.Email:
		return newOlderEmail(v)
	case api.Conversation:
		return OlderConversation{Conversation: v, Emails: each(v.Emails, newOlderEmail)}
	case api.Waited:
		if v.Email != nil {
			email := newOlderEmail(*v.Email)
			return OlderWaited{Email: &email}
		}
	}
	return answer
}

// OlderEmail is a message with its lists as text.
type OlderEmail struct {
	api.Email
	InReplyTo       api.NullString `json:"in_reply_to"`
	References      api.NullString `json:"references"`
	AttachmentNames string         `json:"attachment_names"`
}

func newOlderEmail(e api.Email) OlderEmail {
	return OlderEmail{Email: e, InReplyTo: null(e.InReplyTo),
		References:      null(strings.Join(e.References, " ")),
		AttachmentNames: strings.Join(e.AttachmentNames, " ")}
}

// OlderConversation is a thread whose messages have their lists as text.
type OlderConversation struct {
	api.Conversation
	Emails []OlderEmail `json:"emails"`
}

// OlderWaited is a message that was waited for, with its lists as text.
type OlderWaited struct {
	Email *OlderEmail `json:"email"`
}

// OlderOrder is an order with its sum and its lines as text.
type OlderOrder struct {
	api.Order
	Total api.NullString `json:"total"`
	Items []string       `json:"items"`
}

// OlderReceipt is a receipt with its sum as text.
type OlderReceipt struct {
	api.Receipt
	Amount api.NullString `json:"amount"`
}

// NewOlderOrder returns an order to an older client.
func NewOlderOrder(o record.Order) OlderOrder {
	names := each(o.Items, func(i record.Item) string { return i.Name })
	return OlderOrder{Order: NewOrder(o), Total: null(o.Total), Items: names}
}

// NewOlderReceipt gives a receipt to an older client.
func NewOlderReceipt(r record.Receipt) OlderReceipt {
	return OlderReceipt{Receipt: NewPaymentReceipt(r), Amount: null(r.Amount)}
}

// NewOlderAppointment returns an entry of a calendar to an older client: who attends is told by addresses alone.
func NewOlderAppointment(c record.Calendar) api.Appointment {
	out := NewAppointment(c)
	out.Attendees = []string{}
	for _, p := range c.Attendees {
		if p.Address != "" {
			out.Attendees = append(out.Attendees, p.Address)
		}
	}
	return out
}
