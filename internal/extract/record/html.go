package record

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/view"
)

// document is what is read of HTML.
type document struct {
	page   *page
	blocks []string // JSON-LD, as it stands there
	items  []*node  // microdata
}

const (
	maxBlocks = 50
	maxBlock  = 512 << 10
)

// readView reads what a person sees of HTML, and the markup that nobody sees.
func readView(subject string, v *view.View) *document {
	d := &document{page: &page{}, items: microdataOf(v)}
	d.page.add(subject, true)
	out := layout{page: d.page, v: v, link: -1}
	for i := range v.Runs {
		if out.empty(int32(i)); v.Runs[i].Hidden == 0 {
			out.run(&v.Runs[i])
		}
	}
	out.newline()
	out.empty(int32(len(v.Runs)))
	for _, a := range v.Asides {
		if isJSONLD(a) && len(d.blocks) < maxBlocks {
			d.blocks = append(d.blocks, mailbox.Cut(a.Text, maxBlock))
		}
	}
	return d
}

// isJSONLD tells whether something beside the text is a block of JSON-LD.
func isJSONLD(a view.Aside) bool {
	kind := strings.ToLower(a.Name)
	return a.Kind == view.Script && (strings.Contains(kind, "ld+json") || strings.Contains(kind, "json+ld"))
}

// layout makes lines of runs.
type layout struct {
	page *page
	v    *view.View
	line strings.Builder
	link int32 // of the run before, -1 for none
	from int   // where its text begins in line
	next int   // the first link that was not yet met
	row  int32
	cell int32
	size int
}

// run writes a run. Images count only in links: elsewhere they say nothing.
func (o *layout) run(r *view.Run) {
	if r.Style&view.Alt != 0 && r.Link < 0 {
		return
	}
	if o.size += len(r.Text); o.size > maxPage {
		return
	}
	switch {
	case r.Gap >= view.GapLine:
		o.newline()
		o.cells(r)
	case r.Gap == view.GapCell:
		o.closeLink()
		o.cells(r)
	case r.Gap == view.GapSpace:
		o.line.WriteByte(' ')
	}
	if r.Link != o.link {
		o.closeLink()
		o.link, o.from = r.Link, o.line.Len()
	}
	if text := r.Text; strings.ContainsAny(text, "\n\t") {
		o.line.WriteString(strings.Map(blankSpace, text))
	} else {
		o.line.WriteString(text)
	}
}

// cells writes a tab for each cell of the row that has begun, the first included, so that columns can be counted.
func (o *layout) cells(r *view.Run) {
	if r.Row == 0 {
		return
	}
	if r.Row != o.row {
		o.row, o.cell = r.Row, 0
	}
	for ; o.cell < r.Cell; o.cell++ {
		o.line.WriteByte('\t')
	}
}

// blankSpace makes spaces of line ends and tabs, which mean something in a page.
func blankSpace(r rune) rune {
	if r == '\n' || r == '\r' || r == '\t' {
		return ' '
	}
	return r
}

// newline ends a line. A link goes on in the next.
func (o *layout) newline() {
	o.closeLink()
	if text := o.line.String(); text != "" {
		o.page.add(text, false)
	}
	o.line.Reset()
}

// closeLink notes the link that ends here, or its part in the line.
func (o *layout) closeLink() {
	if o.link >= 0 {
		o.note(o.v.Links[o.link].Href, squeeze(o.line.String()[min(o.from, o.line.Len()):]))
	}
	o.link, o.from = -1, 0
}

// empty notes the links before a run that show an image without words.
func (o *layout) empty(run int32) {
	for ; o.next < len(o.v.Links) && o.v.Links[o.next].Run <= run; o.next++ {
		if l := &o.v.Links[o.next]; l.Hidden == 0 && l.Run == l.End {
			o.note(l.Href, l.Label)
		}
	}
}

func (o *layout) note(href, text string) {
	href = strings.TrimSpace(href)
	if strings.HasPrefix(href, "http") && strings.IndexByte(href, '.') > 0 && len(o.page.links) < maxLinks {
		o.page.links = append(o.page.links, link{url: href, text: text, line: len(o.page.lines)})
	}
}
