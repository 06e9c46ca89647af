package screen

import (
	"html"
	"strings"

	"github.com/mailkin/mailkin/internal/view"
)

// page is the text of an HTML document, by what a reader sees of it.
type page struct{ shown, hidden, comments, attributes strings.Builder }

// gap is what parts paragraphs.
const gap = "\n\n"

// readPage sorts the text of a document.
func readPage(v *view.View) *page {
	p := &page{}
	p.shown.Grow(len(v.Text()) + len(v.Text())/4)
	for i := range v.Runs {
		r := &v.Runs[i]
		if r.Style&view.Alt != 0 {
			continue // it is an attribute
		}
		b := &p.shown
		if r.Hidden != 0 {
			b = &p.hidden
		}
		switch {
		case r.Gap == view.GapSpace:
			b.WriteByte(' ')
		case r.Gap != view.GapNone || r.Hidden != 0 && i > 0 && v.Runs[i-1].Hidden == 0:
			b.WriteString(gap)
		}
		b.WriteString(r.Text)
	}
	p.hidden.WriteString(gap + v.Title)
	for _, a := range v.Asides {
		b := &p.comments
		if a.Kind == view.Attribute {
			b = &p.attributes
			b.WriteString(gap + strings.ToLower(a.Name) + ":")
		}
		b.WriteString(gap)
		if b.Len() < maxLayer {
			b.WriteString(html.UnescapeString(a.Text))
		}
	}
	return p
}
