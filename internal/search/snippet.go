package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// snippet cleans the text of a window and marks the hits in it.
func (w window) snippet(text string, hits []textHit) Snippet {
	c := cleaner{}
	c.b.Grow(w.end - w.start + 2*len(ellipsis))
	if w.start > 0 {
		c.b.WriteString(ellipsis)
	}
	var spans []Span
	for _, h := range merge(hits, w) {
		c.add(text[w.start:h.Start])
		c.flush()
		from := c.b.Len()
		c.add(text[h.Start:h.End])
		w.start = h.End
		if c.b.Len() > from {
			spans = append(spans, Span{from, c.b.Len()})
		}
	}
	c.add(text[w.start:w.end])
	if w.end < len(text) {
		c.b.WriteString(ellipsis)
	}
	return Snippet{Text: c.b.String(), Spans: spans}
}

// merge returns the pieces of a window that are hits, as offsets into the text.
func merge(hits []textHit, w window) (spans []Span) {
	for _, h := range hits {
		s := Span{max(h.start, w.start), min(h.end, w.end)}
		switch n := len(spans); {
		case s.Start >= s.End:
		case n > 0 && s.Start <= spans[n-1].End:
			spans[n-1].End = max(spans[n-1].End, s.End)
		default:
			spans = append(spans, s)
		}
	}
	return spans
}

// cleaner writes text on one line: any white space and control is one space, none at the beginning, and format
// characters, with which text can be made to look like another, are left out. A space is written when something follows
// it.
type cleaner struct {
	b     strings.Builder
	space bool
	begun bool
}

func (c *cleaner) add(text string) {
	for i := 0; i < len(text); {
		n := i
		for n < len(text) && text[n] > ' ' && text[n] <= '~' { // most of it
			n++
		}
		if n > i {
			c.flush()
			c.b.WriteString(text[i:n])
			c.begun, i = true, n
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			c.space = true
		case unicode.Is(unicode.Cf, r) && r != '\u200C' && r != '\u200D':
		case r == utf8.RuneError:
			c.flush()
			c.b.WriteRune(unicode.ReplacementChar)
		default:
			c.flush()
			c.b.WriteRune(r)
			c.begun = true
		}
	}
}

func (c *cleaner) flush() {
	if c.space && c.begun {
		c.b.WriteByte(' ')
	}
	c.space = false
}
