package code

import (
	"iter"
	"sync"
)

// reader is the memory that reading a mail takes: its pages, and what was found on them. Nothing of one mail is left to
// the next but room, and nothing that is given out points into it.
type reader struct {
	text, html page
	ends       []int32 // of the runs of the HTML
	found      tally
}

var readers = sync.Pool{New: func() any { return new(reader) }}

func takeReader() *reader { return readers.Get().(*reader) }

// give hands the memory back, unless a mail of an unusual kind has made it large.
func (r *reader) give() {
	const most = 4096 // labels
	if cap(r.text.labels) <= most && cap(r.html.labels) <= most {
		r.text.clear()
		r.html.clear()
		r.found.clear()
		readers.Put(r)
	}
}

// read finds what has the shape of a code.
func (r *reader) read(m *Mail) {
	if m.Text != "" || m.View == nil {
		r.text.readText(m.Subject, m.Text)
	}
	if m.View != nil {
		r.ends = r.html.readView(m.Subject, m.View, r.ends)
	}
}

// pages are those on which something was found.
func (r *reader) pages() iter.Seq[*page] {
	return func(yield func(*page) bool) {
		_ = (len(r.text.tokens) == 0 || yield(&r.text)) && len(r.html.tokens) > 0 && yield(&r.html)
	}
}

func (r *reader) findLabels() {
	for p := range r.pages() {
		p.labels = findLabels(p.labels[:0], p.text)
	}
}

// best is the code: one that the HTML shows, where both forms of a body are there, else any.
func (r *reader) best(m *Mail) string {
	if m.Alternative && m.View != nil {
		if shown := r.found.best(onHTML); shown != "" {
			return shown
		}
	}
	return r.found.best(onText | onHTML)
}

// weigh sets the points of everything that was found. The labels of the pages are found already.
func (r *reader) weigh(from *sender) {
	for p := range r.pages() {
		countPlaces(p)
		settleLabels(p.labels, p.text)
		where := onText
		if p == &r.html {
			where = onHTML
		}
		r.found.add(p, from, where)
	}
	r.found.discountLists()
	r.found.discountQuoted()
}
