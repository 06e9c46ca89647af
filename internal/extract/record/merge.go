package record

import (
	"slices"
	"strings"
)

// merge adds the records of another source.
func (f *Found) merge(g Found) {
	f.Orders = mergeRecords(f.Orders, g.Orders, (*Order).same, (*Order).fill)
	f.Receipts = mergeRecords(f.Receipts, g.Receipts, (*Receipt).same, func(*Receipt, Receipt) {})
	f.Shippings = mergeRecords(f.Shippings, g.Shippings, (*Shipping).same, (*Shipping).fill)
	f.Calendars = mergeRecords(f.Calendars, g.Calendars, (*Calendar).same, (*Calendar).fill)
}

// mergeRecords adds records to a list. One that is there already is completed, not doubled.
func mergeRecords[T any](list, more []T, same func(have, other *T) bool, fill func(have *T, other T)) []T {
	for _, r := range more {
		if i := slices.IndexFunc(list, func(have T) bool { return same(&have, &r) }); i >= 0 {
			fill(&list[i], r)
		} else {
			list = append(list, r)
		}
	}
	return list
}

// mergeText adds what the text says. Where markup speaks of a record of the kind, the text completes it, if there is
// but one and it says nothing else, and has none of its own.
func (f *Found) mergeText(g Found) {
	if len(f.Orders) == 0 {
		f.Orders = g.Orders
	} else if len(f.Orders) == 1 && len(g.Orders) > 0 && (f.Orders[0].OrderID == "" ||
		sameID(f.Orders[0].OrderID, g.Orders[0].OrderID)) {
		f.Orders[0].fill(g.Orders[0])
	}
	if len(f.Receipts) == 0 {
		f.Receipts = g.Receipts
	} else if len(f.Receipts) == 1 && len(g.Receipts) > 0 && f.Receipts[0].Amount == g.Receipts[0].Amount {
		f.Receipts[0].fill(g.Receipts[0])
	}
	switch {
	case len(f.Shippings) == 0:
		f.Shippings = g.Shippings
	case len(f.Shippings) == 1 && len(g.Shippings) > 0 && (f.Shippings[0].TrackingNumber == "" ||
		sameID(f.Shippings[0].TrackingNumber, g.Shippings[0].TrackingNumber)):
		f.Shippings[0].fill(g.Shippings[0])
	}
	if len(f.Calendars) == 0 {
		f.Calendars = g.Calendars
	}
}

// complete returns what one page says with what another page of the same mail adds. The page that is surer of a record
// leads, unless the first one is what mail programs show.
func (f Found) complete(g Found, shown bool) Found {
	if len(f.Orders) > 0 && len(g.Orders) > 0 {
		if g.Orders[0].Confidence > f.Orders[0].Confidence && !shown {
			f.Orders, g.Orders = g.Orders, f.Orders
		}
		f.Orders[0].fill(g.Orders[0])
	}
	if len(f.Receipts) > 0 && len(g.Receipts) > 0 {
		if g.Receipts[0].Confidence > f.Receipts[0].Confidence && !shown {
			f.Receipts, g.Receipts = g.Receipts, f.Receipts
		}
		f.Receipts[0].fill(g.Receipts[0])
	}
	if len(f.Calendars) > 0 && len(g.Calendars) > 0 && g.Calendars[0].Confidence > f.Calendars[0].Confidence && !shown {
		f.Calendars = g.Calendars
	}
	if numbered(g.Shippings) && !numbered(f.Shippings) && !(shown && len(f.Shippings) > 0) {
		f.Shippings, g.Shippings = g.Shippings, f.Shippings
	}
	if len(f.Shippings) > 0 && len(g.Shippings) > 0 && (sameID(f.Shippings[0].TrackingNumber,
		g.Shippings[0].TrackingNumber) || g.Shippings[0].TrackingNumber == "") {
		f.Shippings[0].fill(g.Shippings[0])
	}
	return Found{
		Orders: first(f.Orders, g.Orders), Receipts: first(f.Receipts, g.Receipts),
		Shippings: first(f.Shippings, g.Shippings), Calendars: first(f.Calendars, g.Calendars),
	}
}

func numbered(list []Shipping) bool { return len(list) > 0 && list[0].TrackingNumber != "" }

func first[T any](a, b []T) []T {
	if len(a) > 0 {
		return a
	}
	return b
}

// sameID says whether two numbers are the same but for signs and case.
func sameID(a, b string) bool {
	return a != "" && strings.EqualFold(bareID(a), bareID(b))
}

func bareID(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' || r == '.' || r == '#' {
			return -1
		}
		return r
	}, s)
}

// same says whether two orders of different sources are one: by the number, else by the goods.
func (o *Order) same(p *Order) bool {
	if o.OrderID != "" || p.OrderID != "" {
		return sameID(o.OrderID, p.OrderID)
	}
	return o.Source != p.Source && len(o.Items) > 0 && slices.EqualFunc(o.Items, p.Items,
		func(a, b Item) bool { return a.Name == b.Name })
}

func (o *Order) fill(p Order) {
	o.OrderID, o.Merchant, o.Date = either(o.OrderID, p.OrderID), either(o.Merchant, p.Merchant), either(o.Date, p.Date)
	if !o.Total.Known() {
		o.Total, o.Currency = p.Total, either(p.Currency, o.Currency)
	}
	if o.Currency == "" && o.Total == p.Total {
		o.Currency = p.Currency
	}
	if len(o.Items) == 0 {
		o.Items = p.Items
	}
}

func (c *Receipt) same(d *Receipt) bool { return c.Amount == d.Amount && c.Date == d.Date }

func (c *Receipt) fill(d Receipt) {
	if !c.Amount.Known() {
		c.Amount, c.Currency = d.Amount, d.Currency
	}
	if c.Currency == "" && c.Amount == d.Amount {
		c.Currency = d.Currency
	}
	c.Merchant, c.Date = either(c.Merchant, d.Merchant), either(c.Date, d.Date)
	c.PaymentMethod, c.OrderID = either(c.PaymentMethod, d.PaymentMethod), either(c.OrderID, d.OrderID)
}

// same says whether two parcels are one: by the number, else by when and where they can be expected.
func (s *Shipping) same(t *Shipping) bool {
	return sameID(s.TrackingNumber, t.TrackingNumber) || t.TrackingNumber == "" && s.ETA == t.ETA && s.URL == t.URL &&
		s.TrackingNumber == ""
}

func (s *Shipping) fill(t Shipping) {
	s.TrackingNumber, s.Carrier = either(s.TrackingNumber, t.TrackingNumber), either(s.Carrier, t.Carrier)
	s.ETA, s.Status, s.URL = either(s.ETA, t.ETA), either(s.Status, t.Status), either(s.URL, t.URL)
}

// same says whether two entries are of one appointment.
func (c *Calendar) same(d *Calendar) bool {
	if c.Source == d.Source && c.UID != "" && d.UID != "" && c.UID != d.UID {
		return false
	}
	return c.Date == d.Date && c.Date != "" && (c.Time == d.Time || c.Time == "" || d.Time == "" ||
		c.Timezone != d.Timezone) &&
		(c.Source != d.Source || c.Title == d.Title && c.Time == d.Time)
}

func (c *Calendar) fill(d Calendar) {
	c.Title, c.Location, c.UID = either(c.Title, d.Title), either(c.Location, d.Location), either(c.UID, d.UID)
	if c.End == "" {
		c.End = d.End
	}
	if c.Time == "" {
		c.Time, c.Timezone = d.Time, either(c.Timezone, d.Timezone)
	}
	if c.Organizer == (Person{}) {
		c.Organizer = d.Organizer
	}
	if len(c.Attendees) == 0 {
		c.Attendees = d.Attendees
	}
	c.Method = either(c.Method, d.Method)
}
