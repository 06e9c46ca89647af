package record

import (
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Confidence in markup: as it should be, and repaired.
const (
	sureJSON      = 0.97
	repairedJSON  = 0.93
	sureMicrodata = 0.95
)

// Find returns everything that was found, best first.
func Find(m Mail) Found {
	found, _ := m.read()
	return found
}

// Contradicted returns the values of markup that nobody sees, and of which the mail shows others.
func Contradicted(m Mail) []string {
	if m.View == nil || len(m.View.Items) == 0 && !slices.ContainsFunc(m.View.Asides, isJSONLD) {
		return nil
	}
	_, dropped := m.read()
	return dropped
}

// read returns everything that was found, and what the mail contradicts.
func (m Mail) read() (found Found, dropped []string) {
	m = m.valid()
	pages, doc := m.pages()
	s := newScene(&m, pages...)
	found.Calendars = calendarsOf(s, calendarTexts(&m))
	if doc != nil {
		found.merge(doc.markup(s))
	}
	if !s.isReport() {
		said := m.said(s, pages, doc)
		if doc != nil {
			dropped = found.dropContradicted(s, said, pages)
		}
		found.mergeText(said)
	}
	found.sort()
	return found, dropped
}

// pages reads what the mail shows: its text first, where it has one of its own or nothing else, then its HTML.
func (m *Mail) pages() (pages []*page, doc *document) {
	if m.Text != "" || m.View == nil {
		pages = append(pages, textPage(m.Subject, m.Text))
	}
	if m.View != nil {
		doc = readView(m.Subject, m.View)
		pages = append(pages, doc.page)
	}
	return pages, doc
}

// said returns the records of what the mail shows.
func (m *Mail) said(s *scene, pages []*page, doc *document) Found {
	first := readText(s, pages[0])
	if doc == nil || len(pages) == 1 {
		return first
	}
	return readText(s, doc.page).complete(first, m.Alternative)
}

// Differ tells whether the two forms of a body give different totals.
func Differ(m Mail) bool {
	if !m.Alternative || m.View == nil || !strings.ContainsAny(m.Text, "0123456789") {
		return false
	}
	m = m.valid()
	pages, doc := m.pages()
	s := newScene(&m, pages...)
	text, html := readText(s, pages[0]), readText(s, doc.page)
	differ := func(a, b Decimal) bool {
		x, ok := a.units()
		y, known := b.units()
		return a.Known() && b.Known() && ok && known && x != y
	}
	return len(text.Orders) > 0 && len(html.Orders) > 0 && differ(text.Orders[0].Total, html.Orders[0].Total) ||
		len(text.Receipts) > 0 && len(html.Receipts) > 0 && differ(text.Receipts[0].Amount, html.Receipts[0].Amount)
}

// valid returns the mail in valid UTF-8.
func (m Mail) valid() Mail {
	for _, s := range []*string{&m.From, &m.FromName, &m.Subject, &m.Text} {
		*s = strings.ToValidUTF8(*s, "\ufffd")
	}
	m.Calendars = slices.Clone(m.Calendars)
	for i, c := range m.Calendars {
		m.Calendars[i] = strings.ToValidUTF8(mailbox.Cut(c, maxICS), "\ufffd")
	}
	return m
}

// calendarTexts returns the calendars of a mail. QUIRK: some stand in the text.
func calendarTexts(m *Mail) []string {
	if at := strings.Index(m.Text, "BEGIN:VCALENDAR"); at >= 0 && len(m.Calendars) == 0 {
		return []string{m.Text[at:]}
	}
	return m.Calendars
}

// markup returns the records of JSON-LD and microdata.
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
