package record

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/view"
)

// Markup is for programs, and no person sees it. What it says counts as long as the mail does not show something else:
// where the text has another number, and that of the markup is to be seen nowhere, the text is right. Where the mail
// shows amounts, and that of the markup is not among them, nobody can have read it, so it counts for nothing. The same
// goes for the numbers of parcels, which may also be in the links, and for where the markup would lead.

// dropContradicted takes from the markup what the mail contradicts.
func (f *Found) dropContradicted(said Found, pages []*page) {
	f.Orders = slices.DeleteFunc(f.Orders, func(o Order) bool {
		return fromMarkup(o.Source) && len(said.Orders) > 0 && o.contradicted(&said.Orders[0], pages)
	})
	for i := range f.Orders {
		if o := &f.Orders[i]; fromMarkup(o.Source) && unseen(o.Total, pages) {
			o.Total, o.Currency = "", ""
		}
	}
	f.Receipts = slices.DeleteFunc(f.Receipts, func(c Receipt) bool {
		return fromMarkup(c.Source) && unseen(c.Amount, pages)
	})
	f.Shippings = slices.DeleteFunc(f.Shippings, func(s Shipping) bool {
		return fromMarkup(s.Source) && s.TrackingNumber != "" && !showsID(pages, s.TrackingNumber) &&
			!linksID(pages, s.TrackingNumber) && (numbered(said.Shippings) || showsParcel(pages))
	})
	for i := range f.Shippings {
		if s := &f.Shippings[i]; fromMarkup(s.Source) && leadsAway(s.URL, pages) {
			s.URL = ""
		}
	}
	f.Calendars = slices.DeleteFunc(f.Calendars, func(c Calendar) bool {
		return fromMarkup(c.Source) && len(said.Calendars) > 0 && c.Date != "" && c.Date != said.Calendars[0].Date &&
			!showsDate(pages, c.Date)
	})
}

func fromMarkup(s Source) bool { return s == FromJSONLD || s == FromMicrodata }

// contradicted tells whether the mail shows another number or another total, and neither shows that of the markup.
func (o *Order) contradicted(said *Order, pages []*page) bool {
	return unlike(o.Total, said.Total, pages) ||
		o.OrderID != "" && said.OrderID != "" && !sameID(o.OrderID, said.OrderID) && !showsID(pages, o.OrderID)
}

// unlike tells whether two amounts differ, and the first is to be seen nowhere.
func unlike(markup, said Decimal, pages []*page) bool {
	a, ok := markup.units()
	b, known := said.units()
	return markup.Known() && said.Known() && ok && known && a != b && !showsAmount(pages, a)
}

// unseen tells whether the mail shows amounts, and this one is not among them.
func unseen(markup Decimal, pages []*page) bool {
	units, ok := markup.units()
	return markup.Known() && ok && units != 0 && !showsAmount(pages, units) && showsMoney(pages)
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

// Shows tells whether an amount is to be seen in HTML.
func Shows(v *view.View, amount Decimal) bool {
	units, ok := amount.units()
	return ok && showsAmount([]*page{readView("", v).page}, units)
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
