package code

import (
	"html"
	"strings"
)

// readHTML reads HTML as far as it adds evidence: lines and cells, and which text has an element of its own and how
// that looks. What a reader does not see is left out. It is one pass without a tree; broken HTML costs nothing. The stack
// is memory for the elements that are open; it is given back.
func (p *page) readHTML(subject, doc string, stack []element) []element {
	r := htmlReader{folder: p.begin(subject, len(doc)/3), page: p, doc: doc[:min(len(doc), maxHTML)], stack: stack[:0]}
	r.read()
	p.text = r.buf
	p.findTokens()
	return r.stack
}

// htmlReader follows which elements are open.
type htmlReader struct {
	folder
	page  *page
	doc   string
	stack []element
}

// element is an open element.
type element struct {
	tag    string // as written
	from   int    // where its text begins
	hidden bool
	strong bool
}

// maxOpen bounds the elements that are followed.
const maxOpen = 128

func (r *htmlReader) read() {
	for i := 0; i < len(r.doc) && !r.full(); {
		lt := strings.IndexByte(r.doc[i:], '<')
		if lt < 0 {
			r.data(r.doc[i:])
			break
		}
		if lt > 0 {
			r.data(r.doc[i : i+lt])
		}
		i = r.markup(i + lt)
	}
	for len(r.stack) > 0 {
		r.pop()
	}
}

// hidden says whether what is read now is not shown.
func (r *htmlReader) hidden() bool { return len(r.stack) > 0 && r.stack[len(r.stack)-1].hidden }

// data writes a run of text, with its character references resolved.
func (r *htmlReader) data(s string) {
	if r.hidden() {
		return
	}
	for {
		amp := strings.IndexByte(s, '&')
		if amp < 0 {
			r.text(s, gapSpace)
			return
		}
		r.text(s[:amp], gapSpace)
		n := referenceLength(s[amp:])
		r.text(html.UnescapeString(s[amp:amp+n]), gapSpace)
		s = s[amp+n:]
	}
}

// referenceLength is how much of s, which begins with an ampersand, may be a character reference.
func referenceLength(s string) int {
	for n := 1; n < len(s) && n < 40; n++ {
		switch c := s[n]; {
		case c == ';':
			return n + 1
		case !isAlnum(c) && c != '#':
			return n
		}
	}
	return min(len(s), 40)
}

// markup reads the tag or comment at i and returns where it ends.
func (r *htmlReader) markup(i int) int {
	rest := r.doc[i:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		if end := strings.Index(rest[4:], "-->"); end >= 0 {
			return i + 4 + end + 3
		}
		return len(r.doc)
	case len(rest) > 1 && (rest[1] == '!' || rest[1] == '?'):
		return i + tagLength(rest)
	case len(rest) > 2 && rest[1] == '/' && isLetter(rest[2]):
		n := tagLength(rest)
		r.end(tagName(rest[2:n]))
		return i + n
	case len(rest) > 1 && isLetter(rest[1]):
		n := tagLength(rest)
		return r.start(i, n)
	}
	r.data("<")
	return i + 1
}

// tagLength is how long the tag is that s begins with; a > in quotes does not end it.
func tagLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '>':
			return i + 1
		case '=':
			if i+1 == len(s) || s[i+1] != '"' && s[i+1] != '\'' {
				continue
			}
			n := strings.IndexByte(s[i+2:], s[i+1])
			if n < 0 {
				return len(s)
			}
			i += 2 + n
		}
	}
	return len(s)
}

func tagName(s string) string {
	n := 0
	for n < len(s) && isAlnum(s[n]) {
		n++
	}
	return s[:n]
}

// start opens the element whose tag of n bytes begins at i, and returns where to go on.
func (r *htmlReader) start(i, n int) int {
	tag := r.doc[i : i+n]
	name := tagName(tag[1:])
	what := tagKind(name)
	switch what {
	case tagRaw:
		return r.skip(i+n, name)
	case tagVoid:
		if isTag(name, "br") && !r.hidden() {
			r.space(gapLine)
		}
		return i + n
	}
	r.closeImplied(name, what)
	if !r.hidden() {
		r.block(what.gap())
	}
	e := element{tag: name, from: len(r.buf), hidden: r.hidden(), strong: what == tagHeading || what == tagFixed}
	if len(tag) > len(name)+2 {
		readStyle(tag[1+len(name):], &e)
	}
	if len(r.stack) < maxOpen && !strings.HasSuffix(tag, "/>") {
		r.stack = append(r.stack, e)
	}
	return i + n
}

// skip steps over the content of an element that holds no text to be read.
func (r *htmlReader) skip(i int, name string) int {
	for i < len(r.doc) {
		lt := strings.Index(r.doc[i:], "</")
		if lt < 0 {
			return len(r.doc)
		}
		i += lt + 2
		if isTag(tagName(r.doc[i:]), name) {
			return i - 2 + tagLength(r.doc[i-2:])
		}
	}
	return i
}

// closeImplied closes what the start of an element ends without an end tag.
func (r *htmlReader) closeImplied(name string, what tag) {
	n := len(r.stack)
	if n == 0 {
		return
	}
	top := r.stack[n-1].tag
	switch {
	case isTag(top, "p") && what.gap() >= gapLine,
		what == tagCell && tagKind(top) == tagCell,
		isTag(name, "li") && isTag(top, "li"):
		r.pop()
	}
}

// maxUnwind is how deep an end tag looks for its start.
const maxUnwind = 16

// end closes an element and what is still open inside it.
func (r *htmlReader) end(name string) {
	for i := len(r.stack) - 1; i >= 0 && i >= len(r.stack)-maxUnwind; i-- {
		if isTag(r.stack[i].tag, name) {
			for len(r.stack) > i {
				r.pop()
			}
			break
		}
	}
	if !r.hidden() {
		r.block(tagKind(name).gapAfter())
	}
}

// maxMarked is the longest text that is marked, and maxMarks how many.
const (
	maxMarked = 48
	maxMarks  = 2000
)

// pop closes the innermost element, and marks its text if it could be a code.
func (r *htmlReader) pop() {
	e := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	from, to := e.from, len(r.buf)
	for from < to && r.buf[from] <= ' ' {
		from++
	}
	if e.hidden || to == from || to-from > maxMarked || len(r.page.marks) == maxMarks {
		return
	}
	r.page.marks = append(r.page.marks, mark{start: from, end: to, strong: e.strong})
}
