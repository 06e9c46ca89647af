package link

import (
	"bytes"

	"github.com/mailkin/mailkin/internal/view"
)

// readView returns what a document shows, and the links in it, at most max.
func (m *room) readView(v *view.View, max int) page {
	r := htmlReader{v: v, out: m.out[:0], anchors: m.anchors[:0]}
	for i := range v.Links {
		if len(r.anchors) == max {
			break
		}
		l := &v.Links[i]
		r.runs(l.Run)
		if u, ok := target(l.Href); ok && l.Hidden == 0 {
			r.anchor(u, l)
		} else {
			r.runs(l.End)
		}
	}
	if len(r.anchors) < max {
		r.runs(int32(len(v.Runs)))
	}
	p := r.page(m.spans[:0], max)
	m.out, m.anchors, m.spans = r.out, r.anchors, p.spans
	return p
}

// htmlReader makes a text of what a document shows: blocks are parted by an empty line.
type htmlReader struct {
	v       *view.View
	next    int32 // the first run that was not yet written
	gap     view.Gap
	out     []byte
	anchors []span
	images  []byte // what the images of the anchor say
}

// runs writes the runs up to one. Images are left out: outside of links they say nothing about them.
func (r *htmlReader) runs(to int32) {
	for ; r.next < to; r.next++ {
		run := &r.v.Runs[r.next]
		if run.Hidden != 0 {
			continue
		}
		r.gap = max(r.gap, run.Gap)
		if run.Style&view.Alt != 0 {
			r.images = append(append(r.images, run.Text...), ' ')
			continue
		}
		r.space()
		r.out = append(r.out, run.Text...)
	}
}

// space writes the gap that waits.
func (r *htmlReader) space() {
	if len(r.out) > 0 {
		switch r.gap {
		case view.GapNone:
		case view.GapSpace:
			r.out = appendSpace(r.out)
		case view.GapLine:
			r.out = append(r.out, '\n')
		default:
			r.out = append(r.out, "\n\n"...)
		}
	}
	r.gap = view.GapNone
}

func appendSpace(out []byte) []byte {
	if n := len(out); n > 0 && out[n-1] != ' ' && out[n-1] != '\n' {
		return append(out, ' ')
	}
	return out
}

// anchor writes a link, whose span begins and ends with something to see, or is empty. One without text shows what its
// images say.
func (r *htmlReader) anchor(url string, l *view.Link) {
	r.images = append(r.images[:0], l.Label...)
	a := span{start: len(r.out), url: url}
	r.runs(l.End)
	if len(r.out) == a.start {
		if a.label = string(bytes.TrimSpace(r.images)); a.label != "" {
			r.gap = max(r.gap, view.GapSpace)
			r.space()
			r.out = append(r.out, a.label...)
			r.gap = view.GapSpace
		}
	}
	a.end = len(r.out)
	for a.start < a.end && isBlank(r.out[a.start]) {
		a.start++
	}
	r.anchors = append(r.anchors, a)
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' }

// page puts the addresses between the anchors to them.
func (r *htmlReader) page(spans []span, max int) page {
	p := page{text: string(r.out), spans: spans}
	from := 0
	for _, a := range r.anchors {
		p.spans = appendBare(p.spans, p.text, from, a.start, max)
		p.spans = append(p.spans, a)
		from = a.end
		for _, s := range appendBare(nil, p.text, a.start, a.end, 4) {
			p.shown = append(p.shown, s.url)
		}
	}
	p.spans = appendBare(p.spans, p.text, from, len(p.text), max)
	return p
}
