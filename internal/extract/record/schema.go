package record

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// schema makes records of things in the words of schema.org.
type schema struct {
	scene      *scene
	source     Source
	confidence float64
	seen       map[*node]bool
	around     *node // the reservation at hand
	found      Found
}

// maxFound is how many records of a kind are given.
const maxFound = 50

// readSchema returns the records that things and their parts are.
func readSchema(s *scene, roots []*node, source Source, confidence float64) Found {
	r := &schema{scene: s, source: source, confidence: confidence, seen: map[*node]bool{}}
	for _, n := range roots {
		r.walk(n, nil, 0)
	}
	return r.found
}

// walk takes a thing, then its parts. inside is the record's thing that it is part of.
func (r *schema) walk(n, inside *node, depth int) {
	if n == nil || r.seen[n] || depth > maxJSONDepth {
		return
	}
	r.seen[n] = true
	switch {
	case n.is("Order"):
		r.order(n, inside)
		inside = n
	case n.is("Invoice"):
		r.invoice(n)
		inside = n
	case n.is("ParcelDelivery"):
		r.parcel(n, inside)
	case n.endsWith("Reservation"):
		r.reservation(n)
		inside = n
	case isEvent(n) && (inside == nil || !inside.endsWith("Reservation")):
		r.event(n)
	case n.is("OrderItem"):
		inside = n
	}
	for _, p := range n.props {
		for _, v := range p.values {
			r.walk(v.node, inside, depth+1)
		}
	}
}

// isEvent says whether a thing is something that takes place.
func isEvent(n *node) bool {
	if n.is("DeliveryEvent", "PublicationEvent", "UserInteraction", "SaleEvent") {
		return false
	}
	return n.endsWith("Event") || n.is("Festival", "Hackathon", "CourseInstance", "Trip", "TouristTrip")
}

// price returns the amount of a thing: its own price, or that of what specifies it.
func (r *schema) price(n *node, names ...string) (value Decimal, currency string) {
	currency = r.code(n.text("priceCurrency", "currency"))
	for _, name := range names {
		for _, v := range n.all(name) {
			if v.node != nil {
				value, inner := r.price(v.node, "price", "value", "amount", "@value")
				if value.Known() {
					return value, either(inner, currency)
				}
				continue
			}
			if value, inner := r.money(v.text); value.Known() {
				return value, either(currency, inner)
			}
		}
	}
	return "", currency
}

// money reads a text like 1234.50, $20.00 or 8,50 €.
func (r *schema) money(s string) (value Decimal, currency string) {
	l := newLine(s)
	list := l.amounts()
	if len(list) == 0 {
		return "", ""
	}
	return list[0].value, r.scene.currencyOf(list[0].currency)
}

// code returns the code of a currency, however it is named.
func (r *schema) code(s string) string {
	s = strings.TrimSpace(s)
	if upper := strings.ToUpper(s); isCurrency(upper) {
		return upper
	}
	return r.scene.currencyOf(currencySigns()[fold(s)])
}

// either returns the first that is known.
func either[T ~string](list ...T) T {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// moment reads a date and time. Where 02-04-2018 could be either day, another number of the thing may say which.
func (r *schema) moment(n *node, names ...string) moment {
	for _, name := range names {
		for _, v := range n.all(name) {
			text := v.String()
			if m, ok := readISO(text); ok {
				return m
			}
			if m := r.scene.momentIn(text, func(m moment) bool { return n.names(m) || r.around.names(m) }); m.known() {
				return m
			}
		}
	}
	return moment{}
}

// names says whether a day is written in eight digits in one of the thing's texts. QUIRK: Eurowings writes the days of
// flights so that they can be misread, and the tickets so that they cannot.
func (n *node) names(m moment) bool {
	if n == nil {
		return false
	}
	digits := strings.ReplaceAll(m.date(), "-", "")
	for _, p := range n.props {
		for _, v := range p.values {
			if v.node == nil && strings.Contains(v.text, digits) {
				return true
			}
		}
	}
	return false
}

// momentIn reads a date and time in words or numbers. evidence says which of two readings of a day is meant.
func (s *scene) momentIn(text string, evidence func(moment) bool) moment {
	folded := fold(mailbox.Cut(text, 200))
	list := dates(folded)
	if len(list) == 0 {
		return moment{}
	}
	d := list[0]
	m := s.read(d, false, true)
	switch {
	case !d.swapped.known():
	case evidence(d.moment):
		m = d.moment
	case evidence(d.swapped):
		m = d.swapped
	}
	for _, c := range clocks(folded) {
		if !c.bare && (c.from >= d.to || c.to <= d.from) {
			m.timed, m.hour, m.minute, m.zone = true, c.hour, c.minute, zoneOf(text)
			break
		}
	}
	return m
}
