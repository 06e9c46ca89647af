package link

import (
	"bytes"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// readHTML gives what a document shows, and the links in it, at most max.
func (m *room) readHTML(doc string, max int) page {
	r := htmlReader{s: scanner{doc: doc}, max: max, open: -1, out: m.out[:0], anchors: m.anchors[:0]}
	for len(r.anchors) < max {
		text, t, ok := r.s.next()
		r.write(text)
		if !ok {
			break
		}
		switch {
		case t.name == "":
		case t.end:
			r.endTag(t.name)
		default:
			r.startTag(t)
		}
	}
	r.closeAnchor()
	p := r.page(m.spans[:0])
	m.out, m.anchors, m.spans = r.out, r.anchors, p.spans
	return p
}

// htmlReader makes a text of HTML: white space is folded, blocks are parted by an empty line.
type htmlReader struct {
	s       scanner
	max     int
	out     []byte
	anchors []span
	open    int    // the anchor that is open, -1 if none
	cells   int    // of a table, opened since
	images  []byte // what the images of the anchor say
	hidden  hidden
}

func (r *htmlReader) startTag(t tag) {
	switch t.name {
	case "script", "style", "title", "textarea", "iframe", "xmp", "noembed", "noframes":
		r.s.skipRaw(t.name)
		return
	}
	if r.hidden.start(t) {
		return
	}
	switch t.name {
	case "a":
		r.closeAnchor()
		r.openAnchor(t)
	case "area":
		r.openAnchor(t)
		r.image(t)
		r.closeAnchor()
	case "img":
		r.image(t)
	case "br":
		r.line("\n")
	case "td", "th":
		r.cells++
		r.line("\n\n")
	default:
		if isBlock(t.name) {
			r.line("\n\n")
		}
	}
}

func (r *htmlReader) endTag(name string) {
	if r.hidden.end(name) {
		return
	}
	switch name {
	case "a":
		r.closeAnchor()
	case "td", "th":
		if r.cells--; r.cells < 0 {
			r.closeAnchor() // it was opened in this cell
		}
		r.line("\n\n")
	default:
		if isBlock(name) {
			r.line("\n\n")
		}
	}
}

// openAnchor begins a link, if its target is one.
func (r *htmlReader) openAnchor(t tag) {
	const longest = 4 * maxURL // as written, with references
	if len(t.href) > longest {
		return
	}
	if u, ok := target(unescapeAttribute(t.href)); ok {
		r.cells, r.images = 0, r.images[:0]
		r.open = len(r.anchors)
		r.anchors = append(r.anchors, span{start: len(r.out), url: u})
	}
}

// closeAnchor ends the open link. Its span begins and ends with something to see, or is empty.
func (r *htmlReader) closeAnchor() {
	if r.open < 0 {
		return
	}
	a := &r.anchors[r.open]
	r.open = -1
	if len(bytes.TrimSpace(r.out[a.start:])) == 0 {
		a.label = string(bytes.TrimSpace(r.images))
		r.out = appendSpace(r.out)
		r.write(a.label)
	}
	a.end = len(r.out)
	for a.end > 0 && isBlank(r.out[a.end-1]) {
		a.end--
	}
	for a.start < a.end && isBlank(r.out[a.start]) {
		a.start++
	}
	a.start = min(a.start, a.end)
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' }

// image keeps what an image of a link says, for where there is no text.
func (r *htmlReader) image(t tag) {
	if r.open >= 0 && t.alt != "" {
		r.images = append(append(r.images, html.UnescapeString(t.alt)...), ' ')
	}
}

// write appends text as it is shown.
func (r *htmlReader) write(text string) {
	if r.hidden.depth > 0 || text == "" {
		return
	}
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	out := r.out
	for i := 0; i < len(text); {
		if text[i] > ' ' && text[i] < utf8.RuneSelf {
			word := i
			i = plainRun(text, i+1)
			out = append(out, text[word:i]...)
			continue
		}
		c, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case c <= ' ' || unicode.IsSpace(c):
			out = appendSpace(out)
		case !lexicon.Invisible(c):
			out = utf8.AppendRune(out, c)
		}
		i += n
	}
	r.out = out
}

func appendSpace(out []byte) []byte {
	if n := len(out); n > 0 && out[n-1] != ' ' && out[n-1] != '\n' {
		return append(out, ' ')
	}
	return out
}

// line ends a line or, with "\n\n", a paragraph, unless it is ended already.
func (r *htmlReader) line(end string) {
	if r.hidden.depth > 0 {
		return
	}
	n := len(r.out)
	first := 0
	if r.open >= 0 {
		first = r.anchors[r.open].start
	}
	for n > first && r.out[n-1] == ' ' {
		n--
	}
	r.out = r.out[:n]
	have := 0
	for have < n && have < 2 && r.out[n-1-have] == '\n' {
		have++
	}
	if n > 0 && have < 2 {
		r.out = append(r.out, end[min(have, len(end)):]...)
	}
}

// page puts the addresses between the anchors to them.
func (r *htmlReader) page(spans []span) page {
	p := page{text: string(r.out), spans: spans}
	from := 0
	for _, a := range r.anchors {
		p.spans = appendBare(p.spans, p.text, from, a.start, r.max)
		p.spans = append(p.spans, a)
		from = a.end
		for _, s := range appendBare(nil, p.text, a.start, a.end, 4) {
			p.shown = append(p.shown, s.url)
		}
	}
	p.spans = appendBare(p.spans, p.text, from, len(p.text), r.max)
	return p
}

// isBlock tells of elements that stand by themselves.
func isBlock(name string) bool {
	switch name {
	case "p", "div", "tr", "table", "tbody", "thead", "tfoot", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4",
		"h5", "h6", "blockquote", "pre", "hr", "center", "section", "article", "header", "footer", "main", "nav", "aside",
		"address", "form", "body", "html", "caption", "fieldset", "figure", "option":
		return true
	}
	return false
}
