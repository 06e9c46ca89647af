package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// Extraction is the structured data of a message (API 8): one record, or a list of them for the type "all".
type Extraction struct {
	EmailID    string         `json:"email_id"`
	Extraction any            `json:"extraction"`
	Screening  *api.Screening `json:"screening,omitempty"`
}

// In each record what is not known is null, or an empty list.

func newFieldSpan(s record.Span) api.FieldSpan {
	in := "body_text"
	if s.Subject {
		in = "subject"
	}
	return api.FieldSpan{Field: s.Field, In: in, Span: [2]int{s.From, s.To}, Text: s.Text}
}

// NewOrder returns an order; an empty one has nothing known.
func NewOrder(o record.Order) api.Order {
	return api.Order{
		Type: "order", OrderID: null(o.OrderID), Total: decimal(o.Total), Currency: null(o.Currency),
		Merchant: null(o.Merchant), Date: null(o.Date), Confidence: o.Confidence, Source: null(o.Source),
		Spans: each(o.Spans, newFieldSpan),
		Items: each(o.Items, func(item record.Item) api.Item {
			return api.Item{Name: item.Name, Quantity: decimal(item.Quantity), Price: decimal(item.Price)}
		}),
	}
}

// NewPaymentReceipt returns a receipt.
func NewPaymentReceipt(r record.Receipt) api.Receipt {
	return api.Receipt{
		Type: "receipt", Merchant: null(r.Merchant), Amount: decimal(r.Amount), Currency: null(r.Currency),
		Date: null(r.Date), PaymentMethod: null(r.PaymentMethod), OrderID: null(r.OrderID),
		Confidence: r.Confidence, Source: null(r.Source), Spans: each(r.Spans, newFieldSpan),
	}
}

// NewShipping returns a parcel.
func NewShipping(s record.Shipping) api.Shipping {
	return api.Shipping{
		Type: "shipping", TrackingNumber: null(s.TrackingNumber), Carrier: null(s.Carrier), ETA: null(s.ETA),
		Status: null(s.Status), URL: null(s.URL), Confidence: s.Confidence, Source: null(s.Source),
		Spans: each(s.Spans, newFieldSpan),
	}
}

// NewAppointment returns an entry of a calendar.
func NewAppointment(c record.Calendar) api.Appointment {
	return api.Appointment{
		Type: "calendar", Title: null(c.Title), Date: null(c.Date), Time: null(c.Time), End: null(c.End),
		Timezone: null(c.Timezone), Location: null(c.Location), Organizer: null(c.Organizer.String()),
		Attendees: each(c.Attendees, record.Person.String), Method: null(c.Method), UID: null(c.UID),
		RecurrenceRule: null(c.Rule), NextDate: null(c.Next), RecurrenceID: null(c.RecurrenceID),
		Confidence: c.Confidence, Source: null(c.Source), Spans: each(c.Spans, newFieldSpan),
	}
}

// NewCodeRecord returns a verification code and what else could be one.
func NewCodeRecord(code string, d *mailbox.Detail) api.CodeRecord {
	out := api.CodeRecord{Type: "code", Code: null(code), Links: NewLinks(d.Links),
		Candidates: each(d.CodeCandidates, newCandidate)}
	if code != "" {
		out.Confidence, out.Source = 0.5, null(record.FromText) // at least: it was taken for the code when it came
		for _, c := range d.CodeCandidates {
			if c.Code == code {
				out.Confidence = max(out.Confidence, c.Score)
			}
		}
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
