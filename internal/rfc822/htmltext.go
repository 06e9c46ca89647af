package rfc822

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTMLText is the readable text of an HTML document, cut at max bytes: what a reader sees, and nothing that a
// sender has hidden. Elements that stand in a line do not part words, so that <b>12</b><b>34</b> is 1234; blocks
// and breaks end lines, and cells of a row are parted by a tab. It reads tokens and builds no tree, so that
// neither depth nor broken nesting cost anything.
func HTMLText(doc string, max int) string {
	if strings.IndexByte(doc, '<') < 0 {
		return plainInHTML(doc, max)
	}
	r := htmlReader{z: html.NewTokenizer(strings.NewReader(doc)), sheet: hiddenBy{}}
	r.out.max = max
	_ = r.read() // it fails at the end
	return r.out.String()
}

// read reads tokens until there are no more, or there is enough text.
func (r *htmlReader) read() error {
	for len(r.out.buf) < r.out.max && r.out.err == nil {
		switch kind := r.z.Next(); kind {
		case html.ErrorToken:
			return r.z.Err()
		case html.TextToken:
			text := r.cutShort(kind)
			if n := len(r.stack); n > 0 && r.stack[n-1].tag == atom.Style {
				r.sheet.sheet(text)
			} else if !r.hidden() {
				r.out.text(r.unescaped(text), r.pre > 0)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if !r.again {
				r.start()
			}
			r.again = false
		case html.EndTagToken:
			tag, _ := tagOf(r.z.Raw()[1:])
			r.end(tag)
		default:
			r.cutShort(kind)
		}
	}
	return nil
}

// unescaped resolves character references. Most runs of text have none, and are not copied.
func (r *htmlReader) unescaped(b []byte) []byte {
	amp := bytes.IndexByte(b, '&')
	if amp < 0 {
		return b
	}
	out := r.scratch[:0]
	for ; amp >= 0; amp = bytes.IndexByte(b, '&') {
		out = append(out, b[:amp]...)
		n := referenceLength(b[amp:])
		switch ref := b[amp : amp+n]; string(ref) {
		case "&nbsp;":
			out = append(out, ' ')
		case "&amp;":
			out = append(out, '&')
		default:
			out = append(out, html.UnescapeString(string(ref))...)
		}
		b = b[amp+n:]
	}
	r.scratch = append(out, b...)
	return r.scratch
}

// referenceLength is how much of b, which begins with an ampersand, may be a character reference: the longest
// name has 32 letters, and some need no semicolon.
func referenceLength(b []byte) int {
	n := 1
	for n < len(b) && n < 40 && b[n] != ';' && b[n] != '&' && b[n] > ' ' && b[n] < 0x7f {
		n++
	}
	if n < len(b) && b[n] == ';' {
		n++
	}
	return n
}

// plainInHTML reads a document without any tag.
//
// QUIRK: plain text that is labelled text/html keeps its lines.
func plainInHTML(doc string, max int) string {
	var out textLines
	out.max = max
	out.text([]byte(html.UnescapeString(doc)), true)
	return out.String()
}

// htmlReader follows which elements are open.
type htmlReader struct {
	z     *html.Tokenizer
	out   textLines
	stack []element
	pre   int // open elements that keep white space

	paragraphs int // open

	sheet   hiddenBy
	scratch []byte

	cut   html.TokenType // what was too long to be read as one token; 0: a tag
	tail  []byte         // of it
	again bool           // the next tag was read before
}

// element is an open element.
type element struct {
	tag    atom.Atom
	hidden bool // with everything in it
	tiny   bool // font-size is zero here; something inside may be larger again
	item   int  // of a list: the number of the last item, or bulleted
}

const bulleted = -1

// maxOpen bounds the elements that are followed. What is deeper is read, but cannot hide anything any more.
const maxOpen = 512

func (r *htmlReader) hidden() bool {
	if n := len(r.stack); n > 0 {
		return r.stack[n-1].hidden || r.stack[n-1].tiny
	}
	return false
}

// start opens an element.
func (r *htmlReader) start() {
	tag, more := tagOf(r.z.Raw())
	if tag == 0 && !more {
		return
	}
	a := r.attributes(more)
	r.closeImplied(tag)
	r.layout(tag, true)
	switch tag {
	case atom.Br:
		if !r.hidden() {
			r.out.lineBreak()
		}
		return
	case atom.Img:
		if !r.hidden() && !a.hidden && !a.pixel && a.alt != "" {
			r.out.space = true
			r.out.text([]byte(a.alt), false)
			r.out.space = true
		}
		return
	case atom.Li:
		if !r.hidden() && !a.hidden {
			r.out.prefix = r.bullet()
		}
	}
	if !isVoid(tag) {
		r.push(tag, a)
	}
}

// tagOf reads the name of a raw tag, and whether attributes may follow. The tokenizer's own way copies it twice.
func tagOf(raw []byte) (tag atom.Atom, more bool) {
	var name [16]byte // no element has a longer name
	n := 0
	for _, c := range raw[1:] {
		if isSpace(c) || c == '\f' || c == '/' || c == '>' {
			more = c != '>'
			break
		}
		if n == len(name) {
			return 0, true
		}
		name[n] = lower(c)
		n++
	}
	return atom.Lookup(name[:n]), more
}

func (r *htmlReader) push(tag atom.Atom, a attributes) {
	if len(r.stack) == maxOpen {
		return
	}
	e := element{tag: tag, hidden: a.hidden || isSkipped(tag), item: bulleted}
	if n := len(r.stack); n > 0 {
		e.hidden = e.hidden || r.stack[n-1].hidden
		e.tiny = r.stack[n-1].tiny
	}
	switch a.size {
	case sizeZero:
		e.tiny = true
	case sizeSome:
		e.tiny = false
	}
	if tag == atom.Ol {
		e.item = max(a.first-1, 0)
	}
	switch tag {
	case atom.Pre:
		r.pre++
	case atom.P:
		r.paragraphs++
	}
	r.stack = append(r.stack, e)
}

// end closes an element and what is still open inside it. An end tag that nothing is open for is ignored, except
// that </p> and </br> break a line.
func (r *htmlReader) end(tag atom.Atom) {
	if tag == 0 {
		return
	}
	hidden := r.hidden()
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.stack[i].tag == tag {
			hidden = r.stack[i].hidden
			r.closeTo(i)
			break
		}
	}
	if !hidden {
		r.layout(tag, false)
	}
}

// closeTo closes the elements from i on.
func (r *htmlReader) closeTo(i int) {
	for _, e := range r.stack[i:] {
		switch e.tag {
		case atom.Pre:
			r.pre--
		case atom.P:
			r.paragraphs--
		case atom.Li:
			r.out.prefix = ""
		}
	}
	r.stack = r.stack[:i]
}

// closeImplied closes what the start of an element ends without an end tag: a paragraph at the next block, an
// item at the next item, a cell at the next cell.
func (r *htmlReader) closeImplied(tag atom.Atom) {
	switch tag {
	case atom.Li:
		r.closeNearest([]atom.Atom{atom.Li}, atom.Ul, atom.Ol)
	case atom.Td, atom.Th:
		r.closeNearest([]atom.Atom{atom.Td, atom.Th}, atom.Table, atom.Tr)
	case atom.Tr:
		r.closeNearest([]atom.Atom{atom.Tr}, atom.Table, 0)
	case atom.Dt, atom.Dd:
		r.closeNearest([]atom.Atom{atom.Dt, atom.Dd}, atom.Dl, 0)
	case atom.Option:
		r.closeNearest([]atom.Atom{atom.Option}, atom.Select, 0)
	}
	if r.paragraphs > 0 && breaks(tag) > 0 {
		r.closeNearest([]atom.Atom{atom.P}, atom.Td, atom.Table)
	}
}

// closeNearest closes the innermost element of tags, unless a fence is inside it.
func (r *htmlReader) closeNearest(tags []atom.Atom, fence, other atom.Atom) {
	for i := len(r.stack) - 1; i >= 0; i-- {
		tag := r.stack[i].tag
		for _, t := range tags {
			if t == tag {
				r.closeTo(i)
				return
			}
		}
		if tag == fence || tag == other && other != 0 {
			return
		}
	}
}

// layout breaks the line as the start or end of an element does.
func (r *htmlReader) layout(tag atom.Atom, start bool) {
	if r.hidden() {
		return
	}
	switch tag {
	case atom.Td, atom.Th:
		if start {
			r.out.startCell()
		}
		return
	case atom.Tr, atom.Table, atom.Tbody, atom.Thead, atom.Tfoot:
		r.out.endRow()
	}
	if n := breaks(tag); n > 0 {
		r.out.breakLine(n)
	}
}

// bullet is what stands before the next item of the innermost list.
func (r *htmlReader) bullet() string {
	for i := len(r.stack) - 1; i >= 0; i-- {
		e := &r.stack[i]
		if e.tag == atom.Ol {
			e.item++
			return itoa(e.item) + ". "
		}
		if e.tag == atom.Ul {
			break
		}
	}
	return "- "
}
