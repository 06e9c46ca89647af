package screen

import (
	"html"
	"strings"

	"github.com/mailkin/mailkin/internal/view"
)

// layers is the text of an HTML document, by what a person sees of it.
type layers struct{ shown, hidden, comments, attributes strings.Builder }

// gap is what parts paragraphs.
const gap = "\n\n"

// layersOf sorts the text of a document.
func layersOf(v *view.View) *layers {
	l := &layers{}
	l.shown.Grow(len(v.Text()) + len(v.Text())/4)
	for i := range v.Runs {
		r := &v.Runs[i]
		if r.Style&view.Alt != 0 {
			continue // it is an attribute
		}
		b := &l.shown
		if r.Hidden != 0 {
			b = &l.hidden
		}
		switch {
		case r.Gap == view.GapSpace:
			b.WriteByte(' ')
		case r.Gap != view.GapNone || r.Hidden != 0 && i > 0 && v.Runs[i-1].Hidden == 0:
			b.WriteString(gap)
		}
		b.WriteString(r.Text)
	}
	l.hidden.WriteString(gap + v.Title)
	for _, a := range v.Asides {
		b := &l.comments
		if a.Kind == view.Attribute {
			b = &l.attributes
			b.WriteString(gap + strings.ToLower(a.Name) + ":")
		}
		b.WriteString(gap)
		if b.Len() < maxLayer {
			b.WriteString(html.UnescapeString(a.Text))
		}
	}
	return l
}
