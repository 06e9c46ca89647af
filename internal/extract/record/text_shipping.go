package record

import (
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// shippings reads the parcels that the mail is about.
func (r *reader) shippings() []Shipping {
	status, loud := r.status()
	points := [...]float64{notSaid: 0, below: 0.15, atHead: 0.3, inSubject: 0.4}[loud]
	common := Shipping{Source: FromText, Status: status, ETA: r.eta()}
	if common.ETA != "" {
		points += 0.05
	}
	if r.page.anywhere(parcel) {
		points += 0.05
	}
	if r.said(secret) == inSubject {
		points -= 0.3
	}
	points -= r.promoted()
	numbers := r.parcelNos()
	if len(numbers) == 0 {
		return r.unnumbered(common, points, loud)
	}
	if r.senderCarrier() >= 0 {
		points += 0.1
	}
	var list []Shipping
	for _, p := range numbers {
		s := common
		s.TrackingNumber, s.Carrier, s.URL = p.number, r.carrierOf(p), r.trackingURL(p)
		sure, ok := confidence(points + p.points() + 0.05*float64(b2i(s.Carrier != "")+b2i(s.URL != "")))
		if s.Confidence = sure; ok {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b Shipping) int { return int(100 * (b.Confidence - a.Confidence)) })
	return r.closest(list, numbers)
}

// points returns what speaks for a number.
func (p parcelNo) points() float64 {
	points := [3]float64{0, 0.25, 0.35}[p.labels]
	if len(p.guesses) > 0 {
		points += 0.15*float64(b2i(p.guesses[0].checked)) + 0.2*float64(b2i(p.guesses[0].strong))
	}
	return points - 0.2*float64(b2i(p.wrong))
}

// closest leaves out numbers that look like tracking numbers next to one that certainly is: those with a wrong check
// digit, and those without a label next to those with one.
func (r *reader) closest(list []Shipping, numbers []parcelNo) []Shipping {
	sure, labelled := false, false
	by := map[string]parcelNo{}
	for _, p := range numbers {
		by[p.number] = p
		sure = sure || !p.wrong && len(p.guesses) > 0 && p.guesses[0].weight() > 0
		labelled = labelled || p.labels == 2
	}
	return slices.DeleteFunc(list, func(s Shipping) bool {
		p := by[s.TrackingNumber]
		return sure && (p.wrong || len(p.guesses) == 0) || labelled && p.labels < 2 && (len(p.guesses) == 0 ||
			!p.guesses[0].strong)
	})
}

// unnumbered returns a parcel that has no number, if the mail is plainly about one.
func (r *reader) unnumbered(s Shipping, points float64, loud volume) []Shipping {
	const more = 0.3 // what can yet be added
	if loud < atHead || points+more < leastText || !r.page.anywhere(parcel|orderWord|orderNo) {
		return nil
	}
	if named := r.namedCarriers(0); len(named) > 0 {
		s.Carrier = carriers()[named[0]].name
		points += 0.05
	}
	if s.URL = r.trackingURL(parcelNo{}); s.URL != "" {
		points += 0.1
	}
	if id, _ := r.orderID(); id != "" {
		points += 0.1
	}
	var ok bool
	if s.Confidence, ok = confidence(points + 0.05); !ok {
		return nil
	}
	return []Shipping{s}
}

// steps are the phrases of a parcel's way, the one that counts most first.
var steps = []struct {
	means  meaning
	status Status
}{{exception, Exception}, {delivered, Delivered}, {outFor, OutForDelivery}, {transit, InTransit}, {shipped, Shipped}}

// status returns how far the parcel is, by the subject, else by the first line that says so, and how loudly it is said.
func (r *reader) status() (status Status, loud volume) {
	bar := r.progressBar()
	for i := range r.page.lines {
		l := &r.page.lines[i]
		if i > 0 && bar && len(l.text) < 30 {
			continue
		}
		for _, step := range steps {
			for _, h := range l.hits {
				if !h.is(step.means) || r.denied(i, h) {
					continue
				}
				if r.page.isTitle(i, h) || i < 12 && len(l.text) < 70 && l.means(orderWord|parcel) > 0 {
					return step.status, inSubject
				}
				return step.status, r.page.volumeOf(i)
			}
		}
	}
	return "", 0
}

// progressBar says whether the mail shows all steps in short lines, of which one is marked in a way that is not in the
// text.
func (r *reader) progressBar() bool {
	seen := map[Status]bool{}
	for i := 1; i < len(r.page.lines); i++ {
		if len(r.page.lines[i].text) >= 30 {
			continue
		}
		for _, step := range steps {
			if r.page.has(step.means, i, i+1) {
				seen[step.status] = true
			}
		}
	}
	return len(seen) >= 3
}

// eta returns the day on which the parcel comes; of a span of days the last. A later date that a label has says more
// than "today".
func (r *reader) eta() string {
	day, word := r.etaOf(etaIs|outFor, true)
	if word {
		if date, _ := r.etaOf(etaIs, false); date > day {
			return date
		}
	}
	return day
}

// etaOf returns the day of the first phrase that has one, and whether it is but a word for it, if those count.
func (r *reader) etaOf(m meaning, words bool) (day string, word bool) {
	r.each(m, func(i int, h hit) bool {
		list := r.page.values(i, h)
		if len(list) == 0 || list[0].at != i { // nothing after it, but it may say "today" itself
			list = append([]value{{&r.page.lines[i], i, h.to, h.to}}, list...)
		}
		for _, v := range list {
			if v.at != i && v.line.startsLabel(0) {
				break
			}
			if day = r.lastDay(v); day != "" {
				return true
			}
			if words {
				if day = r.dayWord(v, i, h); day != "" {
					word = true
					return true
				}
			}
			if v.at != i {
				break
			}
		}
		return false
	})
	return day, word
}

// lastDay returns the last of the days that stand together in a value.
func (r *reader) lastDay(v value) string {
	var last moment
	end := 0
	for _, d := range dates(v.folded()) {
		if d.from-end > 40 || d.loose && d.from > 30 {
			break
		}
		last, end = r.read(d, true, true), d.to
	}
	return last.date()
}

// dayWord returns today or tomorrow, if a value or its label says so.
func (r *reader) dayWord(v value, at int, label hit) string {
	if r.mail.Date.IsZero() {
		return ""
	}
	from := v.from
	if v.at == at {
		from = label.from
	}
	words := find(dayWords(), nil, mailbox.Cut(v.line.folded[from:], label.to-label.from+30))
	switch {
	case len(words) == 0:
		return ""
	case words[0].is(today):
		return r.mail.Date.Format(time.DateOnly)
	}
	return r.mail.Date.AddDate(0, 0, 1).Format(time.DateOnly)
}

// trackingURL returns the link at which a parcel can be followed: one with its number, one that says so, one to a
// carrier.
func (r *reader) trackingURL(p parcelNo) string {
	best, rank := "", 0
	for _, l := range r.page.links {
		n := r.linkRank(l, p)
		if n > rank {
			best, rank = l.url, n
		}
	}
	return best
}

func (r *reader) linkRank(l link, p parcelNo) int {
	lower := strings.ToLower(l.url)
	switch {
	case strings.Contains(lower, "unsubscribe"):
		return 0
	case p.number != "" && strings.Contains(strings.ToUpper(l.url), p.number):
		return 4
	}
	for _, h := range find(phrases(), nil, fold(mailbox.Cut(l.text, 100))) {
		if h.is(track | trackNo) {
			return 3
		}
	}
	if l.text == "" && l.line < len(r.page.lines) {
		if on := &r.page.lines[l.line]; on.means(track|trackNo) > 0 && strings.Count(on.text, "://") == 1 ||
			l.line > 0 && on.url && r.page.lines[l.line-1].means(track|trackNo) > 0 {
			return 3
		}
	}
	if strings.Contains(lower, "tracking") || strings.Contains(lower, "/track") || strings.Contains(lower, "trace") ||
		strings.Contains(lower, "sendungsverfolgung") {
		return 2
	}
	return 0
}
