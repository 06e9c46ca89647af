package wire

import (
	"encoding/json"

	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// Extraction is the structured data of a message (API 8): one record, or a list of them for the type "all".
type Extraction struct {
	EmailID    ID  `json:"email_id"`
	Extraction any `json:"extraction"`
}

// In each record what is not known is null, or an empty list.

// Order is something that was ordered.
type Order struct {
	Type       string       `json:"type"`
	OrderID    *string      `json:"order_id"`
	Total      *json.Number `json:"total"`
	Currency   *string      `json:"currency"`
	Merchant   *string      `json:"merchant"`
	Date       *string      `json:"date"`
	Items      []Item       `json:"items"`
	Confidence float64      `json:"confidence"`
	Source     *string      `json:"source"`
}

// Item is a line of an order.
type Item struct {
	Name     string       `json:"name"`
	Quantity *json.Number `json:"quantity"`
	Price    *json.Number `json:"price"`
}

// PaymentReceipt is something that was paid.
type PaymentReceipt struct {
	Type          string       `json:"type"`
	Merchant      *string      `json:"merchant"`
	Amount        *json.Number `json:"amount"`
	Currency      *string      `json:"currency"`
	Date          *string      `json:"date"`
	PaymentMethod *string      `json:"payment_method"`
	OrderID       *string      `json:"order_id"`
	Confidence    float64      `json:"confidence"`
	Source        *string      `json:"source"`
}

// Shipping is a parcel on its way.
type Shipping struct {
	Type           string  `json:"type"`
	TrackingNumber *string `json:"tracking_number"`
	Carrier        *string `json:"carrier"`
	ETA            *string `json:"eta"`
	Status         *string `json:"status"`
	URL            *string `json:"url"`
	Confidence     float64 `json:"confidence"`
	Source         *string `json:"source"`
}

// Appointment is an entry of a calendar.
type Appointment struct {
	Type         string   `json:"type"`
	Title        *string  `json:"title"`
	Date         *string  `json:"date"`
	Time         *string  `json:"time"`
	End          *string  `json:"end"`
	Timezone     *string  `json:"timezone"`
	Location     *string  `json:"location"`
	Organizer    *string  `json:"organizer"`
	Attendees    []string `json:"attendees"`
	Method       *string  `json:"method"`
	UID          *string  `json:"uid"`
	Rule         *string  `json:"recurrence_rule"`
	Next         *string  `json:"next_date"`
	RecurrenceID *string  `json:"recurrence_id"`
	Confidence   float64  `json:"confidence"`
	Source       *string  `json:"source"`
}

// CodeRecord is the message's verification code.
type CodeRecord struct {
	Type       string  `json:"type"`
	Code       *string `json:"code"`
	Links      []Link  `json:"links"`
	Confidence float64 `json:"confidence"`
	Source     *string `json:"source"`
}

// NewOrder gives an order; an empty one has nothing known.
func NewOrder(o record.Order) Order {
	out := Order{Type: "order", OrderID: orNull(o.OrderID), Total: number(o.Total), Currency: orNull(o.Currency), Merchant: orNull(o.Merchant),
		Date: orNull(o.Date), Items: make([]Item, len(o.Items)), Confidence: o.Confidence, Source: orNull(string(o.Source))}
	for i, item := range o.Items {
		out.Items[i] = Item{Name: item.Name, Quantity: number(item.Quantity), Price: number(item.Price)}
	}
	return out
}

// NewPaymentReceipt gives a receipt.
func NewPaymentReceipt(r record.Receipt) PaymentReceipt {
	return PaymentReceipt{Type: "receipt", Merchant: orNull(r.Merchant), Amount: number(r.Amount), Currency: orNull(r.Currency), Date: orNull(r.Date),
		PaymentMethod: orNull(r.PaymentMethod), OrderID: orNull(r.OrderID), Confidence: r.Confidence, Source: orNull(string(r.Source))}
}

// NewShipping gives a parcel.
func NewShipping(s record.Shipping) Shipping {
	return Shipping{Type: "shipping", TrackingNumber: orNull(s.TrackingNumber), Carrier: orNull(s.Carrier), ETA: orNull(s.ETA),
		Status: orNull(string(s.Status)), URL: orNull(s.URL), Confidence: s.Confidence, Source: orNull(string(s.Source))}
}

// NewAppointment gives an entry of a calendar.
func NewAppointment(c record.Calendar) Appointment {
	out := Appointment{Type: "calendar", Title: orNull(c.Title), Date: orNull(c.Date), Time: orNull(c.Time), End: orNull(c.End),
		Timezone: orNull(c.Timezone), Location: orNull(c.Location), Organizer: orNull(c.Organizer.String()), Attendees: make([]string, len(c.Attendees)),
		Method: orNull(c.Method), UID: orNull(c.UID), Rule: orNull(c.Rule), Next: orNull(c.Next), RecurrenceID: orNull(c.RecurrenceID),
		Confidence: c.Confidence, Source: orNull(string(c.Source))}
	for i, p := range c.Attendees {
		out.Attendees[i] = p.String()
	}
	return out
}

// NewCodeRecord gives a verification code.
func NewCodeRecord(code string, found []mailbox.Link) CodeRecord {
	out := CodeRecord{Type: "code", Code: orNull(code), Links: links(found)}
	if code != "" {
		source := string(record.FromText)
		out.Confidence, out.Source = 1, &source
	}
	return out
}

// number gives a decimal as JSON has it, to the digit.
func number(d record.Decimal) *json.Number {
	if !d.Known() {
		return nil
	}
	n := json.Number(d)
	return &n
}
