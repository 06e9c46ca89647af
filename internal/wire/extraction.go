package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// Extraction is the structured data of a message (API 8): one record, or a list of them for the type "all".
type Extraction struct {
	EmailID    string `json:"email_id"`
	Extraction any    `json:"extraction"`
}

// In each record what is not known is null, or an empty list.

// NewOrder gives an order; an empty one has nothing known.
func NewOrder(o record.Order) api.Order {
	out := api.Order{Type: "order", OrderID: api.NullString(o.OrderID), Total: decimal(o.Total), Currency: api.NullString(o.Currency), Merchant: api.NullString(o.Merchant),
		Date: api.NullString(o.Date), Items: make([]api.Item, len(o.Items)), Confidence: o.Confidence, Source: api.NullString(o.Source)}
	for i, item := range o.Items {
		out.Items[i] = api.Item{Name: item.Name, Quantity: decimal(item.Quantity), Price: decimal(item.Price)}
	}
	return out
}

// NewPaymentReceipt gives a receipt.
func NewPaymentReceipt(r record.Receipt) api.Receipt {
	return api.Receipt{Type: "receipt", Merchant: api.NullString(r.Merchant), Amount: decimal(r.Amount), Currency: api.NullString(r.Currency), Date: api.NullString(r.Date),
		PaymentMethod: api.NullString(r.PaymentMethod), OrderID: api.NullString(r.OrderID), Confidence: r.Confidence, Source: api.NullString(r.Source)}
}

// NewShipping gives a parcel.
func NewShipping(s record.Shipping) api.Shipping {
	return api.Shipping{Type: "shipping", TrackingNumber: api.NullString(s.TrackingNumber), Carrier: api.NullString(s.Carrier), ETA: api.NullString(s.ETA),
		Status: api.NullString(s.Status), URL: api.NullString(s.URL), Confidence: s.Confidence, Source: api.NullString(s.Source)}
}

// NewAppointment gives an entry of a calendar.
func NewAppointment(c record.Calendar) api.Appointment {
	out := api.Appointment{Type: "calendar", Title: api.NullString(c.Title), Date: api.NullString(c.Date), Time: api.NullString(c.Time), End: api.NullString(c.End),
		Timezone: api.NullString(c.Timezone), Location: api.NullString(c.Location), Organizer: api.NullString(c.Organizer.String()), Attendees: make([]string, len(c.Attendees)),
		Method: api.NullString(c.Method), UID: api.NullString(c.UID), RecurrenceRule: api.NullString(c.Rule), NextDate: api.NullString(c.Next), RecurrenceID: api.NullString(c.RecurrenceID),
		Confidence: c.Confidence, Source: api.NullString(c.Source)}
	for i, p := range c.Attendees {
		out.Attendees[i] = p.String()
	}
	return out
}

// NewCodeRecord gives a verification code.
func NewCodeRecord(code string, found []mailbox.Link) api.CodeRecord {
	out := api.CodeRecord{Type: "code", Code: api.NullString(code), Links: links(found)}
	if code != "" {
		out.Confidence, out.Source = 1, api.NullString(record.FromText)
	}
	return out
}

// decimal gives a number to the digit.
func decimal(d record.Decimal) api.Decimal {
	if !d.Known() {
		return ""
	}
	return api.Decimal(d)
}
