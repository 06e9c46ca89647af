package view

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// attribute is one that is read.
type attribute uint16

const (
	attrClass attribute = 1 << iota
	attrID
	attrStyle
	attrHidden
	attrHref
	attrPresented
	attrName
	attrMarker
	attrItem
	attrSilent           // what has no words in it
	attrOther  attribute = 0
)

func attributeKind(name string) attribute {
	var low [16]byte
	if len(name) > len(low) {
		return attrOther
	}
	for i := range len(name) {
		low[i] = lower(name[i])
	}
	switch string(low[:len(name)]) {
	case "class":
		return attrClass
	case "id":
		return attrID
	case "style":
		return attrStyle
	case "hidden", "popover":
		return attrHidden
	case "href":
		return attrHref
	case "bgcolor", "background", "color", "text", "link", "size":
		return attrPresented
	case "name":
		return attrName
	case "data-marker", "data-smartmail":
		return attrMarker
	case "itemprop", "itemscope":
		return attrItem
	case "src", "srcset", "xmlns", "width", "height", "face", "border", "align", "valign", "cellpadding", "cellspacing",
		"target", "rel":
		return attrSilent
	}
	return attrOther
}

// elementOf reads the attributes of a tag. The element is in the place after the open ones, where push leaves it;
// nothing may be opened before that.
func (b *builder) elementOf(t tag) *element {
	n := len(b.stack)
	if n == cap(b.stack) {
		b.stack = append(b.stack, element{})[:n]
	}
	e := &b.stack[:n+1][n]
	*e = element{node: node{atom: t.atom, name: t.name, attrs: t.attrs}, link: -1, active: -1, item: -1, list: bulleted}
	b.named, b.marker = "", ""
	if t.attrs == "" {
		return e
	}
	var seen attribute
	for rest := t.attrs; rest != ""; {
		var key, value string
		if key, value, rest = nextAttribute(rest); key == "" {
			break
		}
		kind := attributeKind(key)
		if kind == attrOther {
			b.words(key, value)
			continue
		}
		if seen&kind != 0 && kind != attrPresented {
			continue // the first counts
		}
		seen |= kind
		switch kind {
		case attrClass:
			e.class = trim(unescapeValue(value))
		case attrID:
			e.id = unescapeValue(value)
		case attrStyle:
			e.inline = value
		case attrHidden:
			e.hidden = true
		case attrHref:
			e.hasHref = true
		case attrPresented:
			e.presented = true
		case attrName:
			b.named = value
		case attrMarker:
			b.marker = value
		case attrItem:
			e.isItem = true
		}
	}
	return e
}

// Bounds of what is kept besides the text.
const (
	maxAsides = 2000
	fewWords  = 12 // letters; shorter ones say nothing
)

// words keeps an attribute that has words in it.
func (b *builder) words(name, value string) {
	if len(value) < fewWords || strings.IndexByte(value, ' ') < 0 && strings.IndexByte(value, '_') < 0 &&
		isASCII(value) {
		return
	}
	b.aside(Attribute, name, value)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func (b *builder) aside(kind AsideKind, name, text string) {
	if (len(b.view.Asides) < maxAsides || kind == Script && len(b.view.Asides) < 2*maxAsides) && !b.streams {
		b.view.Asides = append(b.view.Asides, Aside{Kind: kind, Name: name, Text: text})
	}
}

// void shows an element without content.
func (b *builder) void(t tag) {
	switch t.atom {
	case atom.Br:
		if t.attrs != "" {
			b.startMarks(b.elementOf(t), t)
		}
		b.countKid(t)
		b.block++
		b.breakLine(&b.top().style)
		b.out(b.top()).lineBreak()
		return
	case atom.P:
		b.block++
		b.out(b.top()).breakLine(breaks(atom.P))
		return
	case atom.Wbr, atom.Param, atom.Source, atom.Track, atom.Embed, atom.Keygen, atom.Basefont, atom.Bgsound:
		b.countKid(t)
		return
	}
	if t.atom != atom.Hr {
		b.reconstruct()
	}
	top := b.push(b.elementOf(t))
	switch t.atom {
	case atom.Hr:
		b.startMarks(top, t)
		b.layout(top, true)
	case atom.Img, atom.Image, atom.Area:
		b.enter(top, top.style.display == kwBlock)
		if t.atom == atom.Area {
			b.startLink(top)
		}
		b.image(top)
	}
	if top.isItem && b.startItem(top) {
		b.endItem(top)
	}
	top.run = int32(len(b.view.Runs)) // an image is no box
	b.closeTo(len(b.stack) - 1)
}

// image shows the text of an image, which mail programs show where they load none.
func (b *builder) image(e *element) {
	alt, pixel := "", false
	for rest := e.attrs; rest != ""; {
		var key, value string
		if key, value, rest = nextAttribute(rest); key == "" {
			break
		}
		switch {
		case len(key) == 3 && strings.EqualFold(key, "alt"):
			alt = value
		case len(key) == 6 && strings.EqualFold(key, "usemap"):
			b.mapped = true
		case len(key) == 5 && strings.EqualFold(key, "width"), len(key) == 6 && strings.EqualFold(key, "height"):
			pixel = pixel || value == "0" || value == "1" || value == "1px" || value == "0px"
		}
	}
	reason := e.style.hide
	if reason == 0 {
		reason = e.style.visibility
	}
	if pixel && reason == 0 {
		reason = ZeroSize
	}
	if e.atom == atom.Area {
		if e.link >= 0 && e.hasHref {
			b.view.Links[e.link].Label = unescape(alt)
		}
		return
	}
	if e.link >= 0 {
		l := &b.view.Links[e.link]
		l.Images = true
		l.show(reason)
	}
	if alt == "" {
		return
	}
	out := &b.shown
	if reason != 0 {
		out = &b.hidden
	}
	out.space = true
	keep := e.keep
	e.keep = false
	b.run(alt, e, reason, Alt)
	e.keep = keep
	out.space = true
}

// startLink begins a link.
func (b *builder) startLink(e *element) {
	if b.streams || !e.hasHref || e.atom != atom.A && e.atom != atom.Area || len(b.view.Links) >= maxLinks {
		return
	}
	href, _ := attributeOf(e.attrs, "href")
	runs := int32(len(b.view.Runs))
	l := Link{Href: unescapeValue(href), Hidden: Empty, Run: runs, End: runs}
	if e.style.hide != 0 {
		l.Hidden, l.rank = e.style.hide, 1
	} else if e.painted {
		l.show(e.style.visibility)
	}
	e.link = int32(len(b.view.Links))
	if e.atom == atom.Area && e.style.hide == 0 {
		b.areas = append(b.areas, e.link)
	}
	b.view.Links = append(b.view.Links, l)
}

// maxLinks bounds the links that are kept.
const maxLinks = 5000

// layout breaks the line as the start or end of an element does.
func (b *builder) layout(e *element, start bool) {
	out := b.out(e)
	display := e.style.display
	switch e.atom {
	case atom.Td, atom.Th:
		if start {
			out.startCell()
			b.cell++
			b.block++
			b.enter(e, true)
		} else {
			b.leave(e, true)
		}
		return
	case atom.Tr:
		if start {
			e.row, e.cell = b.row, b.cell
			b.rows++
			b.row, b.cell = b.rows, 0
		}
		out.endRow()
	case atom.Table, atom.Tbody, atom.Thead, atom.Tfoot:
		out.endRow()
	}
	n := breaks(e.atom)
	switch display {
	case kwBlock, kwTable:
		n = max(n, 1)
	case kwInline, kwContents:
		n = 0
	}
	if n > 0 {
		out.breakLine(n)
		b.block++
	}
	if start {
		b.enter(e, n > 0)
	} else {
		b.leave(e, n > 0)
	}
}

// bullet is what stands before the next item of the innermost list.
func (b *builder) bullet() string {
	for i := len(b.stack) - 1; i >= 0; i-- {
		e := &b.stack[i]
		if e.atom == atom.Ol {
			e.list++
			return itoa(e.list) + ". "
		}
		if e.atom == atom.Ul {
			break
		}
	}
	return "- "
}

// maxBoxed is the longest text of a box, and maxBoxes how many there are.
const (
	maxBoxed = 48
	maxBoxes = 4000
)

// box notes an element with little text in it.
func (b *builder) box(e *element) {
	last := int32(len(b.view.Runs)) - 1
	if b.streams || last < e.run || e.style.hide != 0 || len(b.shown.buf)-int(b.view.Runs[e.run].At) > maxBoxed ||
		len(b.view.Boxes) >= maxBoxes {
		return
	}
	b.view.Boxes = append(b.view.Boxes, Box{First: e.run, Last: last, Style: e.ownStyle()})
}
