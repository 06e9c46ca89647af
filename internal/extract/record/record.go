package record

import (
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/view"
)

// Source says where a record was read.
type Source string

// The sources, as the interface names them.
const (
	FromJSONLD    Source = "jsonld"
	FromMicrodata Source = "microdata"
	FromICS       Source = "ics"
	FromText      Source = "text"
)

// Mail is what is looked at.
type Mail struct {
	From      string // the sender's address
	FromName  string
	Subject   string
	Date      time.Time  // when the mail was sent or received: for dates without a year
	Text      string     // the plain part; empty where the body is HTML alone
	View      *view.View // the HTML, nil if there is none
	Calendars []string   // text/calendar parts and .ics attachments, decoded

	// Alternative says that Text and View are two forms of one body. Mail programs show the HTML, so what it says
	// counts.
	Alternative bool
}

// Found is everything that was found, each kind with the best first.
type Found struct {
	Orders    []Order
	Receipts  []Receipt
	Shippings []Shipping
	Calendars []Calendar
}

// In all records an empty string is "not known", and Confidence is from 0 to 1.

// Order is something that was ordered.
type Order struct {
	OrderID    string
	Total      Decimal
	Currency   string // ISO 4217
	Merchant   string
	Date       string // YYYY-MM-DD
	Items      []Item
	Confidence float64
	Source     Source
	Spans      []Span // where Locate found the fields
}

// Item is a line of an order.
type Item struct {
	Name     string
	Quantity Decimal
	Price    Decimal // of one
}

// Receipt is something that was paid, or is to be paid.
type Receipt struct {
	Merchant      string
	Amount        Decimal
	Currency      string // ISO 4217
	Date          string // YYYY-MM-DD
	PaymentMethod string
	OrderID       string
	Confidence    float64
	Source        Source
	Spans         []Span // where Locate found the fields
}

// Status is how far a parcel is.
type Status string

// The steps of a parcel.
const (
	Shipped        Status = "shipped"
	InTransit      Status = "in_transit"
	OutForDelivery Status = "out_for_delivery"
	Delivered      Status = "delivered"
	Exception      Status = "exception"
)

// Shipping is a parcel on its way.
type Shipping struct {
	TrackingNumber string
	Carrier        string
	ETA            string // YYYY-MM-DD; of a span of days the last
	Status         Status
	URL            string
	Confidence     float64
	Source         Source
	Spans          []Span // where Locate found the fields
}

// Calendar is an appointment, an event or a journey.
type Calendar struct {
	Title     string
	Date      string // YYYY-MM-DD, where it takes place
	Time      string // HH:MM, empty if it takes whole days
	End       string // YYYY-MM-DD (the last day) or YYYY-MM-DDTHH:MM:SS, with an offset where one is known
	Timezone  string // a name of the IANA database, "UTC", or an offset like +01:00
	Location  string
	Organizer Person
	Attendees []Person
	Method    string // of iTIP: REQUEST, CANCEL, REPLY and so on; CANCEL for everything that was cancelled
	UID       string

	Rule         string // RRULE of a series, whose first day is Date
	Next         string // YYYY-MM-DD of its first day that is not before the mail
	RecurrenceID string // YYYY-MM-DD of the day of a series that this one replaces

	Confidence float64
	Source     Source
	Spans      []Span // where Locate found the fields
}

// Person is somebody at an appointment. Either part can be empty.
type Person struct {
	Name    string
	Address string
}

// String returns a person as a mail header does.
func (p Person) String() string {
	switch {
	case p.Name == "":
		return p.Address
	case p.Address == "":
		return p.Name
	}
	return p.Name + " <" + p.Address + ">"
}

// Decimal is a number in plain form, like "1234.50" or "-5", with as many places as were written. Empty is "not known",
// which is not "0".
type Decimal string

// Known says whether there is a number.
func (d Decimal) Known() bool { return d != "" }

// Float returns the number, for formats that have no other.
func (d Decimal) Float() (f float64, ok bool) {
	f, err := strconv.ParseFloat(string(d), 64)
	return f, err == nil
}

// units returns the number in ten-thousandths, which are exact for all money there is.
func (d Decimal) units() (n int64, ok bool) {
	s, negative := strings.CutPrefix(string(d), "-")
	whole, fraction, _ := strings.Cut(s, ".")
	if len(whole) > maxWhole || len(fraction) > 4 {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+(fraction + "0000")[:4], 10, 64)
	if negative {
		n = -n
	}
	return n, err == nil
}

// decimalOf returns a number of ten-thousandths with at least the given places.
func decimalOf(n int64, places int) Decimal {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	fraction := strconv.FormatInt(10000+n%10000, 10)[1:]
	for len(fraction) > places && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	whole := sign + strconv.FormatInt(n/10000, 10)
	if fraction == "" {
		return Decimal(whole)
	}
	return Decimal(whole + "." + fraction)
}
