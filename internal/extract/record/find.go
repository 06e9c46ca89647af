package record

import (
	"slices"
	"strings"
)

// Confidence in markup: as it should be, and repaired.
const (
	sureJSON      = 0.97
	repairedJSON  = 0.93
	sureMicrodata = 0.95
)

// Find gives everything that was found, best first.
func Find(m Mail) Found {
	m = m.valid()
	text := textPage(m.Subject, m.Text)
	pages := []*page{text}
	var doc *document
	if m.HTML != "" {
		doc = readHTML(m.Subject, m.HTML)
		pages = append(pages, doc.page)
	}
	s := newScene(&m, pages...)
	found := Found{Calendars: calendarsOf(s, calendarTexts(&m))}
	if doc != nil {
		found.merge(doc.markup(s))
	}
	if !s.isReport() {
		said := readText(s, text)
		if doc != nil {
			said = readText(s, doc.page).complete(said)
		}
		found.mergeText(said)
	}
	found.sort()
	return found
}

// valid gives the mail in valid UTF-8.
func (m Mail) valid() Mail {
	for _, s := range []*string{&m.From, &m.FromName, &m.Subject, &m.Text, &m.HTML} {
		*s = strings.ToValidUTF8(*s, "\ufffd")
	}
	m.Calendars = slices.Clone(m.Calendars)
	for i, c := range m.Calendars {
		m.Calendars[i] = strings.ToValidUTF8(cut(c, maxICS), "\ufffd")
	}
	return m
}

// calendarTexts gives the calendars of a mail. QUIRK: some stand in the text.
func calendarTexts(m *Mail) []string {
	if at := strings.Index(m.Text, "BEGIN:VCALENDAR"); at >= 0 && len(m.Calendars) == 0 {
		return []string{m.Text[at:]}
	}
	return m.Calendars
}

// markup gives the records of JSON-LD and microdata.
func (d *document) markup(s *scene) Found {
	var roots []*node
	sure := sureJSON
	for _, block := range d.blocks {
		nodes, repaired := readJSON(block)
		roots = append(roots, nodes...)
		if repaired {
			sure = repairedJSON
		}
	}
	found := readSchema(s, newGraph(roots).roots, FromJSONLD, sure)
	found.merge(readSchema(s, d.items, FromMicrodata, sureMicrodata))
	return found
}

func (f *Found) sort() {
	slices.SortStableFunc(f.Orders, func(a, b Order) int { return byConfidence(a.Confidence, b.Confidence) })
	slices.SortStableFunc(f.Receipts, func(a, b Receipt) int { return byConfidence(a.Confidence, b.Confidence) })
	slices.SortStableFunc(f.Shippings, func(a, b Shipping) int { return byConfidence(a.Confidence, b.Confidence) })
	slices.SortStableFunc(f.Calendars, func(a, b Calendar) int { return byConfidence(a.Confidence, b.Confidence) })
}

func byConfidence(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}
