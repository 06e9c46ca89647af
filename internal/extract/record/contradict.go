package record

import (
	"net/url"
	"slices"
	"strings"
)

// Markup is for programs, and no person sees it. What it says counts as long as the mail does not show something else:
// where the text has another number, and that of the markup is to be seen nowhere, the text is right. Where the mail
// shows amounts, and that of the markup is not among them, nobody can have read it, so it counts for nothing; where the
// mail says which amount is the whole sum, no other amount will do. The same goes for the numbers of parcels, which may
// also be in the links, and for where the markup would lead.

// dropContradicted takes from the markup what the mail contradicts, and returns the values of which the mail shows
// others.
func (f *Found) dropContradicted(s *scene, said Found, pages []*page) (dropped []string) {
	took := func(drop bool, value string) bool {
		if drop {
			dropped = append(dropped, value)
		}
		return drop
	}
	f.Orders = slices.DeleteFunc(f.Orders, func(o Order) bool {
		return fromMarkup(o.Source) && len(said.Orders) > 0 && (took(unlike(o.Total, said.Orders[0].Total, pages),
			string(o.Total)) || took(o.otherID(&said.Orders[0], pages), o.OrderID))
	})
	for i := range f.Orders {
		if o := &f.Orders[i]; fromMarkup(o.Source) && !isTotal(s, o.Total, pages, orderSums) {
			took(!isSum(s, o.Total, pages), string(o.Total))
			o.Total, o.Currency = "", ""
		}
	}
	f.Receipts = slices.DeleteFunc(f.Receipts, func(c Receipt) bool {
		drop := fromMarkup(c.Source) && !isTotal(s, c.Amount, pages, receiptSums)
		took(drop && !isSum(s, c.Amount, pages), string(c.Amount))
		return drop
	})
	f.Shippings = slices.DeleteFunc(f.Shippings, func(s Shipping) bool {
		return fromMarkup(s.Source) && took(s.TrackingNumber != "" && !showsID(pages, s.TrackingNumber) &&
			!linksID(pages, s.TrackingNumber) && (numbered(said.Shippings) || showsParcel(pages)), s.TrackingNumber)
	})
	for i := range f.Shippings {
		if s := &f.Shippings[i]; fromMarkup(s.Source) && leadsAway(s.URL, pages) {
			took(len(said.Shippings) > 0 && said.Shippings[0].URL != "", s.URL)
			s.URL = ""
		}
	}
	f.Calendars = slices.DeleteFunc(f.Calendars, func(c Calendar) bool {
		return fromMarkup(c.Source) && took(len(said.Calendars) > 0 && c.Date != "" &&
			c.Date != said.Calendars[0].Date && !showsDate(pages, c.Date), c.Date)
	})
	return dropped
}

func fromMarkup(s Source) bool { return s == FromJSONLD || s == FromMicrodata }

// otherID tells whether the mail shows another number, and that of the markup nowhere.
func (o *Order) otherID(said *Order, pages []*page) bool {
	return o.OrderID != "" && said.OrderID != "" && !sameID(o.OrderID, said.OrderID) && !showsID(pages, o.OrderID)
}

// unlike tells whether two amounts differ, and the first is to be seen nowhere.
func unlike(markup, said Decimal, pages []*page) bool {
	a, ok := markup.units()
	b, known := said.units()
	return markup.Known() && said.Known() && ok && known && a != b && !showsAmount(pages, a)
}

// isTotal tells whether an amount can be the whole sum. Where the mail says what that is, it is one of those that say
// the most; else, where the mail shows amounts, it is one of them.
func isTotal(s *scene, amount Decimal, pages []*page, labels map[meaning]int) bool {
	units, ok := amount.units()
	if !amount.Known() || !ok || units == 0 {
		return true
	}
	labelled := false
	for _, p := range pages {
		for _, sum := range (&reader{scene: s, page: p}).sumsLabelled(labels) {
			if n, ok := sum.value.units(); ok && n == units {
				return true
			}
			labelled = true
		}
	}
	return !labelled && (showsAmount(pages, units) || !showsMoney(pages))
}

// isSum tells whether the mail shows an amount as a sum of some kind, such as one without the taxes.
func isSum(s *scene, amount Decimal, pages []*page) bool {
	units, ok := amount.units()
	return !ok || slices.ContainsFunc(pages, func(p *page) bool { return (&reader{scene: s, page: p}).isGiven(units) })
}

// showsMoney tells whether an amount with its currency is to be seen.
func showsMoney(pages []*page) bool {
	for _, p := range pages {
		for i := range p.lines {
			for _, a := range p.lines[i].amounts() {
				if n, ok := a.value.units(); ok && n != 0 && a.currency != "" {
					return true
				}
			}
		}
	}
	return false
}

// linksID tells whether a link leads to what has this number.
func linksID(pages []*page, id string) bool {
	id = strings.ToLower(id)
	for _, p := range pages {
		for _, l := range p.links {
			if strings.Contains(strings.ToLower(l.url), id) {
				return true
			}
		}
	}
	return false
}

// showsParcel tells whether something is to be seen that can only be the number of a parcel.
func showsParcel(pages []*page) bool {
	for _, p := range pages {
		for i := range p.lines {
			for word := range strings.FieldsFuncSeq(p.lines[i].text, notInNumber) {
				if len(word) >= shortestNo && soleCarrier(identify(word)) != "" {
					return true
				}
			}
		}
	}
	return false
}

// leadsAway tells whether an address of the markup is neither a carrier's nor on a host that a link of the mail leads
// to. Of a mail without links nothing is known.
func leadsAway(address string, pages []*page) bool {
	host := hostOf(address)
	if host == "" || carrierAt(host) >= 0 {
		return false
	}
	linked := false
	for _, p := range pages {
		for _, l := range p.links {
			if linked = true; sameSite(hostOf(l.url), host) {
				return false
			}
		}
	}
	return linked
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// sameSite tells whether one host is the other, or under it.
func sameSite(a, b string) bool {
	return a == b || strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
}

// Shows tells whether a mail shows an amount as a sum, or where it names no sum, whether it shows it at all.
func Shows(m Mail, amount Decimal) bool {
	m = m.valid()
	pages, _ := m.pages()
	s := newScene(&m, pages...)
	units, ok := amount.units()
	return ok && showsAmount(pages, units) && (isTotal(s, amount, pages, receiptSums) || isSum(s, amount, pages))
}

func showsAmount(pages []*page, units int64) bool {
	for _, p := range pages {
		for i := range p.lines {
			for _, a := range p.lines[i].amounts() {
				if n, ok := a.value.units(); ok && n == units {
					return true
				}
			}
		}
	}
	return false
}

func showsID(pages []*page, id string) bool {
	id = strings.ToLower(bareID(id))
	for _, p := range pages {
		for i := range p.lines {
			if strings.Contains(strings.ToLower(bareID(p.lines[i].text)), id) {
				return true
			}
		}
	}
	return false
}

func showsDate(pages []*page, date string) bool {
	for _, p := range pages {
		for i := range p.lines {
			for _, d := range dates(p.lines[i].folded) {
				day := d.moment
				if day.year == 0 {
					day.year = yearOf(date)
				}
				if day.date() == date || d.swapped.known() && d.swapped.date() == date {
					return true
				}
			}
		}
	}
	return false
}

func yearOf(date string) int {
	year, _, _ := digits(date, 4, 4)
	return year
}
