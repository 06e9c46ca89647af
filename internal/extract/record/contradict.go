package record

import (
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/view"
)

// Markup is for programs, and no person sees it. What it says counts as long as the mail does not show something else:
// where the text gives a record of the kind with another value, and the value of the markup is to be seen nowhere, the
// text is right.

// dropContradicted takes from the markup what the mail contradicts.
func (f *Found) dropContradicted(said Found, pages []*page) {
	f.Orders = slices.DeleteFunc(f.Orders, func(o Order) bool {
		return fromMarkup(o.Source) && len(said.Orders) > 0 && o.contradicted(&said.Orders[0], pages)
	})
	f.Receipts = slices.DeleteFunc(f.Receipts, func(c Receipt) bool {
		return fromMarkup(c.Source) && len(said.Receipts) > 0 && unlike(c.Amount, said.Receipts[0].Amount, pages)
	})
	f.Shippings = slices.DeleteFunc(f.Shippings, func(s Shipping) bool {
		return fromMarkup(s.Source) && numbered(said.Shippings) && s.TrackingNumber != "" &&
			!sameID(s.TrackingNumber, said.Shippings[0].TrackingNumber) && !showsID(pages, s.TrackingNumber)
	})
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
