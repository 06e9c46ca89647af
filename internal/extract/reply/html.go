package reply

import (
	"strings"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// The elements that matter become characters of a private plane, which go through the making of text as letters do and
// say afterwards where the elements were.
const (
	markQuote    = '\U0010FE00' + iota // quoted lines follow
	markUnquote                        // they end
	markHead                           // an attribution follows
	markHeadEnd                        // it ends
	markSign                           // a signature follows
	markSignEnd                        // it ends
	markIntro                          // history begins with an attribution
	markHard                           // everything from here on is history
	markRule                           // a line is drawn as Outlook does it
	markThinRule                       // a line is drawn
)

const (
	maxHTMLText  = 1 << 20 // bytes
	maxContainer = 64      // open elements that are followed
)

// splitHTML makes lines of a document, of all of it or only as far as somebody has written. It says no if the document
// has none of the elements that matter: then its text says as much.
func splitHTML(doc string, all bool) ([]line, bool) {
	m := marker{scan: tagScanner{doc: doc}, history: -1, all: all}
	for !m.cut {
		t, ok := m.scan.next()
		if m.scan.text {
			m.text()
		}
		if !ok {
			break
		}
		if t.end {
			m.end(t)
		} else {
			m.start(t)
		}
	}
	if m.out.Len() == 0 {
		return nil, false
	}
	return splitMarked(rfc822.HTMLText(m.marked(), maxHTMLText)), true
}

// marker copies a document and puts marks into it.
type marker struct {
	scan   tagScanner
	out    strings.Builder
	copied int // how much of the document is in out
	open   []container
	cut    bool // what follows is history and not needed
	all    bool // it is needed

	written bool // there was text
	history int  // how much of out is above the first history that there was text above, -1 if there was none
	quoted  bool // and a quotation in it
	below   bool // and text below that
}

// container is an open element with a mark at its end.
type container struct {
	tag  string
	mark rune
	deep int // open elements of the same name inside it
}

// marked is the document with the marks. What stands below an answer is left out where nobody has written into it.
func (m *marker) marked() string {
	switch {
	case m.cut:
		return m.out.String()
	case m.history >= 0 && !m.below && !m.all:
		return m.out.String()[:m.history] + block(markHard)
	}
	m.out.WriteString(m.scan.doc[m.copied:])
	return m.out.String()
}

// text notes that there is text. That of a signature is none.
func (m *marker) text() {
	if n := len(m.open); n > 0 && m.open[n-1].mark == markSignEnd {
		return
	}
	m.written = true
	if m.history >= 0 && m.quoted && len(m.open) == 0 {
		m.below = true
	}
}

// block is a mark in a block of its own.
func block(mark rune) string { return "<div>" + string(mark) + "</div>" }

// put writes a mark before offset.
func (m *marker) put(mark rune, offset int) {
	if m.out.Len() == 0 {
		m.out.Grow(len(m.scan.doc) + len(m.scan.doc)/8 + 64)
	}
	m.out.WriteString(m.scan.doc[m.copied:offset])
	m.copied = offset
	if m.history < 0 && m.written && len(m.open) == 0 && (mark == markQuote || mark == markHead || mark == markIntro) {
		m.history = m.out.Len()
	}
	m.quoted = m.quoted || mark == markQuote
	m.out.WriteString(block(mark))
}

// start looks at a start tag.
func (m *marker) start(t tag) {
	begin, end := meaning(t)
	if begin != 0 {
		m.put(begin, t.from)
		m.cut = begin == markHard && m.written && len(m.open) == 0 && !m.all
	}
	if t.name == "hr" || t.name == "br" {
		return
	}
	if end != 0 && len(m.open) < maxContainer {
		m.open = append(m.open, container{tag: t.name, mark: end})
		return
	}
	for i := len(m.open) - 1; i >= 0; i-- {
		if m.open[i].tag == t.name {
			m.open[i].deep++
			return
		}
	}
}

// end closes the container that an end tag belongs to, and what is open inside it.
func (m *marker) end(t tag) {
	for i := len(m.open) - 1; i >= 0; i-- {
		c := &m.open[i]
		if c.tag != t.name {
			continue
		}
		if c.deep > 0 {
			c.deep--
			return
		}
		for k := len(m.open) - 1; k >= i; k-- {
			m.put(m.open[k].mark, t.to)
		}
		m.open = m.open[:i]
		return
	}
}
