package api

import (
	"encoding/json"
	"fmt"
)

// The kinds of structured data.
const (
	ExtractAll      = "all"
	ExtractOrder    = "order"
	ExtractReceipt  = "receipt"
	ExtractShipping = "shipping"
	ExtractCalendar = "calendar"
	ExtractCode     = "code"
)

// Extraction is the structured data of a message: everything that was found, or the best record of the kind that was
// asked for, with what is not known left empty.
type Extraction struct {
	EmailID   string
	Records   []Record
	Screening *Screening // of the message and of its appointments

	single bool // one was asked for
}

// Record is one piece of structured data: one of its members is there, that of its Type.
type Record struct {
	Type     string
	Order    *Order
	Receipt  *Receipt
	Shipping *Shipping
	Calendar *Appointment
	Code     *CodeRecord

	raw json.RawMessage // of a type that this client does not know
}

// FieldSpan is where a message shows what a field of a record says.
type FieldSpan struct {
	Field string `json:"field"`
	In    string `json:"in"`   // subject or body_text
	Span  [2]int `json:"span"` // characters from and to
	Text  string `json:"text"` // as it is written there
}

// Order is something that was ordered.
type Order struct {
	Type       string      `json:"type"`
	OrderID    NullString  `json:"order_id"`
	Total      Decimal     `json:"total"`
	Currency   NullString  `json:"currency"` // ISO 4217
	Merchant   NullString  `json:"merchant"`
	Date       NullString  `json:"date"`
	Items      []Item      `json:"items"`
	Confidence float64     `json:"confidence"` // 0 to 1
	Source     NullString  `json:"source"`     // jsonld, microdata, ics or text
	Spans      []FieldSpan `json:"spans"`      // where the message shows the fields
}

// Item is a line of an order.
type Item struct {
	Name     string  `json:"name"`
	Quantity Decimal `json:"quantity"`
	Price    Decimal `json:"price"`
}

// Receipt is something that was paid.
type Receipt struct {
	Type          string      `json:"type"`
	Merchant      NullString  `json:"merchant"`
	Amount        Decimal     `json:"amount"`
	Currency      NullString  `json:"currency"`
	Date          NullString  `json:"date"`
	PaymentMethod NullString  `json:"payment_method"`
	OrderID       NullString  `json:"order_id"`
	Confidence    float64     `json:"confidence"`
	Source        NullString  `json:"source"`
	Spans         []FieldSpan `json:"spans"` // where the message shows the fields
}

// Shipping is a parcel on its way.
type Shipping struct {
	Type           string      `json:"type"`
	TrackingNumber NullString  `json:"tracking_number"`
	Carrier        NullString  `json:"carrier"`
	ETA            NullString  `json:"eta"`
	Status         NullString  `json:"status"` // shipped, in_transit, out_for_delivery, delivered or exception
	URL            NullString  `json:"url"`
	Confidence     float64     `json:"confidence"`
	Source         NullString  `json:"source"`
	Spans          []FieldSpan `json:"spans"` // where the message shows the fields
}

// Appointment is an entry of a calendar.
type Appointment struct {
	Type           string      `json:"type"`
	Title          NullString  `json:"title"`
	Date           NullString  `json:"date"` // YYYY-MM-DD
	Time           NullString  `json:"time"` // HH:MM; empty: all day
	End            NullString  `json:"end"`
	Timezone       NullString  `json:"timezone"`
	Location       NullString  `json:"location"`
	Organizer      NullString  `json:"organizer"`
	Attendees      []string    `json:"attendees"`
	Method         NullString  `json:"method"`
	UID            NullString  `json:"uid"`
	RecurrenceRule NullString  `json:"recurrence_rule"`
	NextDate       NullString  `json:"next_date"`
	RecurrenceID   NullString  `json:"recurrence_id"`
	Confidence     float64     `json:"confidence"`
	Source         NullString  `json:"source"`
	Spans          []FieldSpan `json:"spans"` // where the message shows the fields
}

// CodeRecord is the verification code of a message.
type CodeRecord struct {
	Type       string          `json:"type"`
	Code       NullString      `json:"code"`
	Links      []Link          `json:"links"`
	Confidence float64         `json:"confidence"`
	Source     NullString      `json:"source"`
	Candidates []CodeCandidate `json:"candidates"` // all that could be the code, best first
}

// extractionJSON is an extraction as it is written: with one record, or with a list.
type extractionJSON struct {
	EmailID    string     `json:"email_id"`
	Extraction any        `json:"extraction"`
	Screening  *Screening `json:"screening,omitempty"`
}

// MarshalJSON writes an extraction as the service does.
func (x Extraction) MarshalJSON() ([]byte, error) {
	if x.single && len(x.Records) == 1 {
		return Marshal(extractionJSON{x.EmailID, x.Records[0], x.Screening})
	}
	return Marshal(extractionJSON{x.EmailID, append([]Record{}, x.Records...), x.Screening})
}

// UnmarshalJSON reads an extraction with one record or with a list of them.
func (x *Extraction) UnmarshalJSON(b []byte) error {
	var raw json.RawMessage
	in := extractionJSON{Extraction: &raw}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*x = Extraction{EmailID: in.EmailID, Screening: in.Screening}
	if len(raw) > 0 && raw[0] == '[' {
		return json.Unmarshal(raw, &x.Records)
	}
	x.single, x.Records = true, make([]Record, 1)
	return json.Unmarshal(raw, &x.Records[0])
}

// part is the member of a record of its type, made if it is not there; nil for a type that is not known.
func (r *Record) part() any {
	switch r.Type {
	case ExtractOrder:
		return orNew(&r.Order)
	case ExtractReceipt:
		return orNew(&r.Receipt)
	case ExtractShipping:
		return orNew(&r.Shipping)
	case ExtractCalendar:
		return orNew(&r.Calendar)
	case ExtractCode:
		return orNew(&r.Code)
	}
	return nil
}

func orNew[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

// MarshalJSON writes the member that is there.
func (r Record) MarshalJSON() ([]byte, error) {
	if part := r.part(); part != nil {
		return Marshal(part)
	}
	if r.raw == nil {
		return nil, fmt.Errorf("a record has no type %q", r.Type)
	}
	return r.raw, nil
}

// UnmarshalJSON reads a record of any type.
func (r *Record) UnmarshalJSON(b []byte) error {
	var of struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(b, &of); err != nil {
		return err
	}
	*r = Record{Type: of.Type}
	part := r.part()
	if part == nil {
		r.raw = append(json.RawMessage{}, b...)
		return nil
	}
	return json.Unmarshal(b, part)
}
