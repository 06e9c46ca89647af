package record

import (
	"strings"
	"time"
)

// scene is what a whole mail says about how its parts are to be read.
type scene struct {
	mail   *Mail
	lang   string
	domain string // the sender's
	tld    string
	named  map[string]bool // currencies that are named by their code
	order  dateOrder       // of 03/04
	sure   bool            // the order was seen in the mail itself

	british bool // the money is of a country that puts the day first
}

type dateOrder bool

const (
	dayFirst   dateOrder = false
	monthFirst dateOrder = true
)

// newScene looks at the mail's lines.
func newScene(m *Mail, pages ...*page) *scene {
	s := &scene{mail: m, named: map[string]bool{}}
	_, s.domain, _ = strings.Cut(strings.ToLower(strings.Trim(m.From, "<> ")), "@")
	s.tld = s.domain[strings.LastIndexByte(s.domain, '.')+1:]
	s.lang = languageOf(pages)
	for _, p := range pages {
		for i := range p.lines {
			s.look(&p.lines[i])
		}
	}
	if !s.sure {
		s.order = s.usualOrder()
	}
	return s
}

// isReport says whether the sender is a mail system, which speaks of deliveries of another kind.
func (s *scene) isReport() bool {
	local, _, _ := strings.Cut(strings.ToLower(strings.Trim(s.mail.From, "<> ")), "@")
	return local == "mailer-daemon" || local == "postmaster"
}

// look takes from a line what settles currencies and the order of dates.
func (s *scene) look(l *line) {
	for _, a := range l.amounts() {
		if isCurrency(a.currency) && strings.Contains(l.original(a.from, a.to), a.currency) {
			s.named[a.currency] = true
		}
		s.british = s.british || a.currency == "GBP" || a.currency == "EUR" || a.currency == "INR" ||
			a.currency == "AUD" || a.currency == "NZD"
	}
	if s.sure || strings.IndexByte(l.folded, '/') < 0 {
		return
	}
	for _, d := range dates(l.folded) {
		if d.year != 0 && !d.swapped.known() && strings.Contains(l.folded[d.from:d.to], "/") &&
			!strings.HasPrefix(l.folded[d.from:], "20") {
			first, _, _ := digits(l.folded[d.from:d.to], 1, 2)
			s.order, s.sure = dateOrder(first == d.month), d.day != d.month
		}
	}
}

// usualOrder returns the order by language and country: only Americans put the month first.
func (s *scene) usualOrder() dateOrder {
	if s.lang != "en" && s.lang != "" {
		return dayFirst
	}
	switch s.tld {
	case "uk", "au", "nz", "ie", "in", "za", "sg", "my", "hk", "eu", "de", "fr", "es", "it", "nl", "be", "ch", "at",
		"se", "dk", "no", "fi", "pl", "br", "pt", "mx":
		return dayFirst
	}
	return dateOrder(!s.british)
}

// read returns the reading of a date that fits the mail best. Near says whether it ought to be close to the mail's
// date, as the day of an order is; ahead whether a day without a year lies rather after the mail than before it.
func (s *scene) read(d dated, near, ahead bool) moment {
	first := s.withYear(d.moment, ahead)
	if !d.swapped.known() {
		return first
	}
	second := s.withYear(d.swapped, ahead)
	if near && !s.mail.Date.IsZero() {
		a, b := s.away(first), s.away(second)
		switch {
		case a <= 10*day24 && b > 20*day24:
			return first
		case b <= 10*day24 && a > 20*day24:
			return second
		}
	}
	if s.order == monthFirst {
		return second
	}
	return first
}

const day24 = 24 * time.Hour

// away returns how far a day is from the mail.
func (s *scene) away(m moment) time.Duration { return s.mail.Date.Sub(m.time()).Abs() }

// withYear adds the year that brings a day closest to the mail.
func (s *scene) withYear(m moment, ahead bool) moment {
	if m.year != 0 || s.mail.Date.IsZero() {
		return m
	}
	target := s.mail.Date
	if ahead {
		target = target.AddDate(0, 4, 0)
	}
	best := m
	for year := target.Year() - 1; year <= target.Year()+1; year++ {
		try := m
		try.year = year
		if !isDay(year, m.month, m.day) {
			continue
		}
		if best.year == 0 || target.Sub(try.time()).Abs() < target.Sub(best.time()).Abs() {
			best = try
		}
	}
	return best
}
