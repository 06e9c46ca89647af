package record

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// mailDate is when the mails of the tests were sent.
var mailDate = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)

// mailCase is a mail and what is in it, one record a line:
//
//	order ID TOTAL CURRENCY "MERCHANT" DATE [QUANTITY×NAME PRICE; …]
//	receipt AMOUNT CURRENCY "MERCHANT" DATE "METHOD" ORDER
//	shipping NUMBER "CARRIER" STATUS ETA URL
//	calendar DATE TIME END ZONE "TITLE" "LOCATION" METHOD
//
// with a dash for what is not known.
type mailCase struct {
	name string
	mail Mail
	want string
}

func (c *mailCase) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		m := c.mail
		if m.Date.IsZero() {
			m.Date = mailDate
		}
		if name, address, ok := strings.Cut(m.From, " <"); ok {
			m.FromName, m.From = name, strings.TrimSuffix(address, ">")
		}
		found := Find(m)
		got := strings.Join(summary(found), "\n")
		if want := trimLines(c.want); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		checkBounds(t, found)
	})
}

func trimLines(s string) string {
	var lines []string
	for l := range strings.SplitSeq(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// summary returns the records in the form of mailCase.
func summary(f Found) []string {
	var lines []string
	for _, o := range f.Orders {
		lines = append(lines, fmt.Sprintf("order %s %s %s %q %s [%s]", dash(o.OrderID), dash(string(o.Total)),
			dash(o.Currency), o.Merchant, dash(o.Date), itemList(o.Items)))
	}
	for _, c := range f.Receipts {
		lines = append(lines, fmt.Sprintf("receipt %s %s %q %s %q %s", dash(string(c.Amount)), dash(c.Currency),
			c.Merchant, dash(c.Date), c.PaymentMethod, dash(c.OrderID)))
	}
	for _, s := range f.Shippings {
		lines = append(lines, fmt.Sprintf("shipping %s %q %s %s %s", dash(s.TrackingNumber), s.Carrier,
			dash(string(s.Status)), dash(s.ETA), dash(s.URL)))
	}
	for _, c := range f.Calendars {
		lines = append(lines, fmt.Sprintf("calendar %s %s %s %s %q %q %s", dash(c.Date), dash(c.Time), dash(c.End),
			dash(c.Timezone), c.Title, c.Location, dash(c.Method)))
	}
	return lines
}

func itemList(items []Item) string {
	var list []string
	for _, i := range items {
		list = append(list, fmt.Sprintf("%s×%s %s", dash(string(i.Quantity)), i.Name, dash(string(i.Price))))
	}
	return strings.Join(list, "; ")
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// checkBounds tests what holds for everything that Find returns.
func checkBounds(t *testing.T, f Found) {
	t.Helper()
	var all []float64
	for _, o := range f.Orders {
		all = append(all, o.Confidence)
		if o.Currency != "" && !isCurrency(o.Currency) || !isDateOrNone(o.Date) || o.Source == "" {
			t.Errorf("order %+v", o)
		}
		if _, ok := o.Total.Float(); o.Total.Known() && !ok {
			t.Errorf("total %q is no number", o.Total)
		}
	}
	for _, c := range f.Receipts {
		all = append(all, c.Confidence)
		if c.Currency != "" && !isCurrency(c.Currency) || !isDateOrNone(c.Date) || !c.Amount.Known() || c.Source == "" {
			t.Errorf("receipt %+v", c)
		}
	}
	for _, s := range f.Shippings {
		all = append(all, s.Confidence)
		if !isDateOrNone(s.ETA) || s.Source == "" {
			t.Errorf("shipping %+v", s)
		}
	}
	for _, c := range f.Calendars {
		all = append(all, c.Confidence)
		if _, err := time.Parse("15:04", c.Time); c.Time != "" && err != nil || !isDateOrNone(c.Date) ||
			!isDateOrNone(c.Next) || c.Source == "" {
			t.Errorf("calendar %+v", c)
		}
	}
	for _, confidence := range all {
		if confidence < 0.5 || confidence > 1 {
			t.Errorf("confidence %v", confidence)
		}
	}
}

func isDateOrNone(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return s == "" || err == nil
}
