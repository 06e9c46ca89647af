package record

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Span is where the mail shows what a field of a record says.
type Span struct {
	Field    string // as the interface names it
	Subject  bool   // in the subject, else in the text of the body
	From, To int    // in characters
	Text     string // as it is written there
}

// Locate adds to each record where the subject or the text of the body shows what its fields say, whatever the record
// was read from. A field that is shown nowhere, as markup can have it, has no span.
func (f *Found) Locate(subject, body string, date time.Time) {
	if len(f.Orders)+len(f.Receipts)+len(f.Shippings)+len(f.Calendars) == 0 {
		return
	}
	p := newPlaces(subject, body, date)
	for i := range f.Orders {
		o := &f.Orders[i]
		o.Spans = p.spans(field{"order_id", o.OrderID, p.word, orderNo | orderWord | orderDone},
			field{"total", string(o.Total), p.sum, grandTotal | total | paidIs},
			field{"merchant", o.Merchant, p.word, 0}, field{"date", o.Date, p.day, orderDate | dateIs | orderDone})
	}
	for i := range f.Receipts {
		r := &f.Receipts[i]
		r.Spans = p.spans(field{"merchant", r.Merchant, p.word, 0},
			field{"amount", string(r.Amount), p.sum, grandTotal | total | paidIs | paidSaid},
			field{"date", r.Date, p.day, dateIs | orderDate | paidIs | dueIs},
			field{"payment_method", r.PaymentMethod, p.word, methodIs}, field{"order_id", r.OrderID, p.word, orderNo})
	}
	for i := range f.Shippings {
		s := &f.Shippings[i]
		s.Spans = p.spans(field{"tracking_number", s.TrackingNumber, p.word, trackNo},
			field{"carrier", s.Carrier, p.word, carrierIs}, field{"eta", s.ETA, p.day, etaIs | outFor},
			field{"url", s.URL, p.word, 0})
	}
	for i := range f.Calendars {
		c := &f.Calendars[i]
		c.Spans = p.spans(field{"title", c.Title, p.word, what}, field{"date", c.Date, p.day, when | checkIn},
			field{"time", c.Time, p.word, when | timeIs}, field{"location", c.Location, p.word, where},
			field{"organizer", c.Organizer.Name, p.word, host})
	}
}

// field is what is looked for.
type field struct {
	name, value string
	in          func(l *line, value string) []hit
	labels      meaning
}

// places are the lines of a mail, and at which character each begins.
type places struct {
	*scene
	lines  []line // the first is the subject
	starts []int
}

func newPlaces(subject, body string, date time.Time) *places {
	p := &places{lines: []line{phrased(subject)}, starts: []int{0}}
	at := 0
	for text := range strings.SplitSeq(mailbox.Cut(body, maxPage), "\n") {
		if len(p.lines) == maxLines {
			break
		}
		if strings.TrimSpace(text) != "" {
			p.lines, p.starts = append(p.lines, phrased(text)), append(p.starts, at)
		}
		at += utf8.RuneCountInString(text) + 1
	}
	p.scene = newScene(&Mail{Date: date}, &page{lines: p.lines})
	return p
}

// spans returns where fields are shown.
func (p *places) spans(fields ...field) (list []Span) {
	for _, f := range fields {
		if f.value == "" {
			continue
		}
		if s, ok := p.find(f); ok {
			list = append(list, s)
		}
	}
	return list
}

// find returns the place of a field: the first on a line with its label before it, else on a line after one, else in
// the body, else in the subject.
func (p *places) find(f field) (best Span, ok bool) {
	rank := 0
	for i := range p.lines {
		l := &p.lines[i]
		for _, h := range f.in(l, f.value) {
			if r := p.rank(i, h, f.labels); r > rank {
				rank, best, ok = r, p.span(i, h), true
			}
		}
	}
	best.Field = f.name
	return best, ok
}

func (p *places) rank(i int, at hit, labels meaning) int {
	for _, h := range p.lines[i].hits {
		if i > 0 && h.means&labels != 0 && h.from <= at.from {
			return 4
		}
	}
	switch {
	case i == 0:
		return 1
	case p.lines[i-1].means(labels) > 0 && i > 1:
		return 3
	}
	return 2
}

// span is a range of a folded line as one of the text.
func (p *places) span(i int, h hit) Span {
	l := &p.lines[i]
	from := p.starts[i] + utf8.RuneCountInString(l.text[:l.at[h.from]])
	text := l.original(h.from, h.to)
	return Span{Subject: i == 0, From: from, To: from + utf8.RuneCountInString(text), Text: text}
}

// word finds a text as it is, but for the case of its letters, and not inside a longer word.
func (p *places) word(l *line, value string) (list []hit) {
	want := fold(value)
	for at := 0; want != "" && len(list) < maxAmounts; {
		i := strings.Index(l.folded[at:], want)
		if i < 0 {
			break
		}
		h := hit{from: at + i, to: at + i + len(want)}
		if at = h.to; apart(l.folded, h) {
			list = append(list, h)
		}
	}
	return list
}

// apart says whether no letter or digit is next to a range, but in scripts that write no spaces.
func apart(s string, h hit) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:h.from])
	after, _ := utf8.DecodeRuneInString(s[h.to:])
	return (h.from == 0 || !isWord(before) || isDense(before)) && (h.to == len(s) || !isWord(after) || isDense(after))
}

// sum finds an amount, however it is written.
func (p *places) sum(l *line, value string) (list []hit) {
	want, known := Decimal(value).units()
	for _, a := range l.amounts() {
		if n, ok := a.value.units(); ok && known && n == want {
			list = append(list, hit{from: a.from, to: a.to})
		}
	}
	return list
}

// day finds a day, however it is written.
func (p *places) day(l *line, value string) (list []hit) {
	for _, d := range dates(l.folded) {
		if p.read(d, true, false).date() == value || p.read(d, false, true).date() == value ||
			p.read(d, false, false).date() == value {
			list = append(list, hit{from: d.from, to: d.to})
		}
	}
	return list
}
