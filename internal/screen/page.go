package screen

import (
	"html"
	"strings"
	"unicode/utf8"
)

// page is the text of an HTML document, by what a reader sees of it.
type page struct {
	shown, hidden, comments, attributes strings.Builder

	styles  styles
	room    []attribute // of the tag that is being read
	open    [maxOpen]element
	depth   int // of open elements that are told apart
	deeper  int // of those that are not
	conceal int // open elements that are hidden
}

// element is an open element.
type element struct {
	name   string
	hidden bool
}

// maxOpen bounds the elements that are told apart.
const maxOpen = 64

// readPage sorts the text of a document.
func readPage(s string) *page {
	p := &page{}
	p.shown.Grow(len(s) / 2)
	for s != "" {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			i = len(s)
		}
		p.text(s[:i])
		if s = s[i:]; s == "" {
			break
		}
		s = p.markup(s)
	}
	return p
}

// markup takes what begins with "<", and gives the rest.
func (p *page) markup(s string) string {
	if strings.HasPrefix(s, "<!--") {
		body, rest, _ := strings.Cut(s[4:], "-->")
		p.comments.WriteString(gap)
		writeText(&p.comments, body)
		return rest
	}
	if len(s) < 2 || !isLetter(s[1]) && s[1] != '/' && s[1] != '!' && s[1] != '?' {
		p.text(s[:1])
		return s[1:]
	}
	t, rest := cutTag(s, p.room[:0])
	p.room = t.attributes
	switch {
	case s[1] == '!' || s[1] == '?':
	case t.closing:
		p.close(t.name)
	case t.name == "style":
		body, after := cutRaw(rest, "</style")
		p.styles.read(body)
		return after
	case t.name == "script":
		body, after := cutRaw(rest, "</script")
		p.comments.WriteString(gap)
		writeText(&p.comments, body)
		return after
	default:
		p.start(t)
	}
	return rest
}

// cutRaw parts the content of an element that has no markup in it from what follows.
func cutRaw(s, end string) (body, rest string) {
	for i := 0; ; {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			return s, ""
		}
		if i += n; len(s)-i >= len(end) && strings.EqualFold(s[i:i+len(end)], end) {
			return s[:i], s[i:]
		}
		i++
	}
}

func (p *page) text(s string) {
	switch {
	case s == "":
	case p.conceal > 0:
		writeText(&p.hidden, s)
	default:
		writeText(&p.shown, s)
	}
}

// gap is what parts paragraphs.
const gap = "\n\n"

func writeText(b *strings.Builder, s string) {
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	b.WriteString(s)
}

// start opens an element.
func (p *page) start(t tag) {
	hides := p.hides(&t)
	if isBlock(t.name) {
		p.part()
	}
	p.keepAttributes(&t)
	if isVoid(t.name) || t.closed {
		return
	}
	if p.depth == maxOpen {
		p.deeper++
		return
	}
	p.open[p.depth] = element{t.name, hides}
	p.depth++
	if hides {
		p.conceal++
		p.hidden.WriteString(gap)
	}
}

// part writes a gap between paragraphs.
func (p *page) part() {
	if p.conceal > 0 {
		p.hidden.WriteString(gap)
	} else {
		p.shown.WriteString(gap)
	}
}

// close closes an element, and those within it that were left open.
func (p *page) close(name string) {
	if isBlock(name) {
		p.part()
	}
	if p.deeper > 0 {
		p.deeper--
		return
	}
	for i := p.depth - 1; i >= 0; i-- {
		if p.open[i].name != name {
			continue
		}
		for ; p.depth > i; p.depth-- {
			if p.open[p.depth-1].hidden {
				p.conceal--
			}
		}
		return
	}
}

// hides tells whether an element is not shown, or cannot be read.
func (p *page) hides(t *tag) bool {
	switch t.name {
	case "template", "noscript", "title", "head", "meta", "desc", "metadata":
		return true
	}
	for _, a := range t.attributes {
		switch a.name {
		case "hidden":
			return true
		case "color":
			if t.name == "font" && plainColor(strings.ToLower(a.value)) == "white" {
				return true
			}
		case "style":
			if hidesStyle(a.value) {
				return true
			}
		case "class", "id":
			if p.styles.hide(a.name, a.value) {
				return true
			}
		}
	}
	return false
}

// keepAttributes keeps what attributes say in words.
func (p *page) keepAttributes(t *tag) {
	const words = 12 // letters; shorter ones are no instruction
	for _, a := range t.attributes {
		if len(a.value) < words {
			continue
		}
		switch a.name {
		case "style", "class", "id", "href", "src", "srcset", "xmlns", "width", "height", "background", "bgcolor", "face":
			continue
		}
		if strings.IndexByte(a.value, ' ') < 0 && strings.IndexByte(a.value, '_') < 0 && isASCII(a.value) {
			continue
		}
		p.attributes.WriteString(gap + a.name + ":" + gap)
		writeText(&p.attributes, a.value)
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isBlock(name string) bool {
	switch name {
	case "p", "div", "td", "th", "tr", "table", "li", "ul", "ol", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "section",
		"article", "header", "footer", "pre", "body", "title", "dd", "dt", "center", "button", "option":
		return true
	}
	return false
}

func isVoid(name string) bool {
	switch name {
	case "br", "hr", "img", "meta", "link", "input", "area", "base", "col", "embed", "source", "track", "wbr":
		return true
	}
	return false
}
