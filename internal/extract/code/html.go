package code

import "github.com/mailkin/mailkin/internal/view"

// readView reads what a person sees of HTML: lines and cells, and which text has an element of its own and how that
// looks.
func (p *page) readView(subject string, v *view.View, ends []int32) []int32 {
	f := p.begin(subject, len(v.Text()))
	ends = ends[:0]
	for i := range v.Runs {
		if r := &v.Runs[i]; r.Hidden == 0 && !f.full() {
			f.block(gapOf(r.Gap))
			f.text(r.Text, gapLine)
		}
		ends = append(ends, int32(len(f.buf)))
	}
	p.text, p.links = f.buf, v.Links
	p.mark(v, ends)
	p.findTokens()
	return ends
}

// gapOf is the white space that a run begins with.
func gapOf(g view.Gap) gap {
	switch g {
	case view.GapSpace:
		return gapSpace
	case view.GapCell:
		return gapTab
	case view.GapLine, view.GapBlock:
		return gapLine
	case view.GapBlank:
		return gapBlank
	}
	return gapNone
}

// maxMarked is the longest text that is marked, and maxMarks how many.
const (
	maxMarked = 48
	maxMarks  = 2000
)

// strong is what sets a text off.
const strong = view.Heading | view.Large | view.Spaced | view.Mono

// mark notes the texts that have an element of their own and could be a code. Ends are where the runs end in the folded
// text.
func (p *page) mark(v *view.View, ends []int32) {
	for _, b := range v.Boxes {
		from, to := p.subject, int(ends[b.Last])
		if b.First > 0 {
			from = int(ends[b.First-1])
		}
		for from < to && p.text[from] <= ' ' {
			from++
		}
		if to == from || to-from > maxMarked || len(p.marks) == maxMarks {
			continue
		}
		p.marks = append(p.marks, mark{start: from, end: to, strong: b.Style&strong != 0})
	}
}
