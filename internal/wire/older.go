package wire

import (
	"strings"

	"github.com/mailkin/mailkin/internal/extract/record"
)

// Clients of the older service that do not use /v1 declare other types for a few members; docs/compatibility.md lists
// them. Here are the forms that /api answers in.

// ForOlder gives a message in the types that older clients declare.
func (e Email) ForOlder() Email {
	id, _ := e.InReplyTo.(string)
	references, _ := e.References.([]string)
	names, _ := e.AttachmentNames.([]string)
	e.InReplyTo, e.References = orNull(id), orNull(strings.Join(references, " "))
	e.AttachmentNames = strings.Join(names, " ")
	return e
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
