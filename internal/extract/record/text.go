package record

import (
	"math"
	"strings"
)

// reader reads records out of the lines of one page. Each gathers what it finds, and points for it.
type reader struct {
	*scene
	page     *page
	table    bool  // the lines at hand are below the head of a table of goods
	counts   bool  // and that has a column of quantities
	carriers []int // what carriersAnywhere returns, once it was asked
}

// Text is believed up to here, and not below there.
const (
	mostText  = 0.89
	leastText = 0.5
)

// readText returns the records of a page.
func readText(s *scene, p *page) Found {
	r := &reader{scene: s, page: p}
	var found Found
	order, orderOK := r.order()
	if orderOK {
		found.Orders = append(found.Orders, order)
	}
	if c, ok := r.receipt(order); ok {
		found.Receipts = append(found.Receipts, c)
	}
	found.Shippings = r.shippings()
	if c, ok := r.appointment(); ok {
		found.Calendars = append(found.Calendars, c)
	}
	return found
}

// confidence turns points into what is given, and says whether it is enough.
func confidence(points float64) (float64, bool) {
	points = rounded(min(points, mostText))
	return points, points >= leastText
}

// lower returns the confidence in a record that lacks what such records have.
func lower(confidence float64) float64 { return rounded(confidence - 0.05) }

func rounded(f float64) float64 { return math.Round(f*100) / 100 }

// each calls f with every phrase of a meaning until it returns true.
func (r *reader) each(m meaning, f func(i int, h hit) bool) {
	for i := range r.page.lines {
		hits := r.page.lines[i].hits
		for k := range hits { // most are of other meanings
			if hits[k].means&m != 0 && f(i, hits[k]) {
				return
			}
		}
	}
}

// volume is how loudly something is said.
type volume int

const (
	notSaid   volume = iota
	below            // further down
	atHead           // among the first lines
	inSubject        // in the subject
)

// volumeOf returns how loud a line is.
func (p *page) volumeOf(i int) volume {
	switch {
	case i == 0:
		return inSubject
	case i < 25:
		return atHead
	}
	return below
}

// said says how loudly something is said.
func (r *reader) said(m meaning) (loud volume) {
	r.each(m, func(i int, h hit) bool {
		switch {
		case r.denied(i, h):
		case r.page.isTitle(i, h):
			loud = inSubject
		default:
			loud = max(loud, r.page.volumeOf(i))
		}
		return loud == inSubject
	})
	return loud
}

// isTitle says whether a phrase is most of a short line at the top, which says what the mail is about as a subject
// does.
func (p *page) isTitle(i int, h hit) bool {
	l := &p.lines[i]
	return i < 8 && len(l.folded) < 48 && (h.to-h.from)*2 >= len(l.folded)
}

// means returns how many phrases of a meaning a line has.
func (l *line) means(m meaning) (n int) {
	for k := range l.hits {
		n += b2i(l.hits[k].means&m != 0)
	}
	return n
}

// denied says whether the words around a phrase say that it has not happened: once shipped, will be delivered.
func (r *reader) denied(i int, h hit) bool {
	const near = 32
	l := &r.page.lines[i]
	for _, n := range l.hits {
		if n.is(notYet) && n.from < h.from && n.to <= h.from+1 && n.to+near >= h.from &&
			!strings.ContainsAny(l.folded[min(n.to, h.from):h.from], ".,!?;:") && l.denies(n, h) {
			return true
		}
	}
	return particles().AtStart(strings.TrimPrefix(l.folded[h.to:], " ")).Any(notYetAfter)
}

// denies says whether a word denies a phrase: it is of a language of the phrase, and not the sign before a number (n°
// 2451).
func (l *line) denies(n, h hit) bool {
	word := l.folded[n.from:n.to]
	if word == "no" && countDigits(firstRun(strings.TrimLeft(l.folded[n.to:], " .:#"))) > 0 {
		return false
	}
	for d := range denials().Find(word) {
		if d.Languages.Meets(h.langs) {
			return true
		}
	}
	return false
}

// dateOf reads the day of a label.
func (r *reader) dateOf(i int, h hit, near, ahead bool) moment {
	for _, v := range r.page.values(i, h) {
		if v.at != i && v.line.startsLabel(0) {
			break
		}
		for _, d := range dates(v.folded()) {
			if d.from > 60 || d.loose && d.from > 20 {
				break
			}
			return r.read(d, near, ahead)
		}
		if v.at != i {
			break
		}
	}
	return moment{}
}

// dateLabelled returns the first day that a label of the meaning has.
func (r *reader) dateLabelled(m meaning, near, ahead bool) (found moment) {
	r.each(m, func(i int, h hit) bool {
		if r.page.lines[i].isLabel(h) {
			found = r.dateOf(i, h, near, ahead)
		}
		return found.date() != ""
	})
	return found
}

// loneDate returns the first day that has a line to itself, if it is not far from the mail.
func (r *reader) loneDate() string {
	for i := 1; i < len(r.page.lines); i++ {
		l := &r.page.lines[i]
		if len(l.folded) > 40 || l.means(anyLabel&^(dateIs|paidIs)) > 0 {
			continue
		}
		for _, d := range dates(l.folded) {
			m := r.read(d, true, false)
			if d.loose || d.year == 0 || d.from > 12 || len(l.folded)-d.to > 12 || strings.IndexByte(l.folded[:d.from],
				':') >= 0 || !r.mail.Date.IsZero() && r.away(m) > 60*day24 {
				continue
			}
			return m.date()
		}
	}
	return ""
}

// promoted says how much a mail looks like advertising.
func (r *reader) promoted() float64 {
	points := 0.0
	if r.page.has(promo, 0, 1) {
		points += 0.25
	}
	return points + min(0.2, 0.03*float64(r.page.count(promo)))
}
