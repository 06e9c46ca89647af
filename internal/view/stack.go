package view

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// The stack of open elements, and the siblings of each that selectors ask for.

// closeTo closes the elements from i on.
func (b *builder) closeTo(i int) {
	for n := len(b.stack) - 1; n >= i; n-- {
		e := &b.stack[n]
		b.box(e)
		b.endMarks(e)
		b.stack = b.stack[:n+1]
		b.layout(e, false)
		switch e.atom {
		case atom.Li:
			b.shown.prefix = ""
		case atom.Tr:
			b.row, b.cell = e.row, e.cell
		case atom.Td, atom.Th, atom.Caption, atom.Applet, atom.Object, atom.Marquee, atom.Template:
			for k := len(b.active) - 1; k >= 0; k-- {
				marker := b.active[k].marker
				b.active = b.active[:k]
				if marker {
					break
				}
			}
		}
		if e.active >= 0 && int(e.active) < len(b.active) {
			b.active[e.active].open = false
		}
		if e.link >= 0 && e.atom == atom.A {
			b.view.Links[e.link].End = int32(len(b.view.Runs))
		}
		if b.sheet.counts && !b.second && !b.streams {
			b.found(e)
		}
		if b.sheet.siblings {
			b.kids = b.kids[:min(int(e.kidsFrom), len(b.kids))]
		}
		b.open[slot(e.atom)]--
		b.stack = b.stack[:n]
	}
}

// push opens an element that elementOf has read, and works out its style.
func (b *builder) push(e *element) *element {
	parent := &rootStyle
	e.link, e.list = -1, bulleted
	e.number = b.elements
	b.elements++
	deep := Visible
	if n := len(b.stack); n > 0 {
		p := &b.stack[n-1]
		parent = &p.style
		e.link, e.quote, e.keep = p.link, p.quote, e.keep || p.keep
		if n >= maxOpen { // it takes the place of the innermost
			deep = p.style.hide
			b.closeTo(n - 1)
			n--
			b.stack[:n+1][n] = *e
			e = &b.stack[:n+1][n]
			p = &b.stack[n-1]
			parent = &p.style
		}
		p.children++
		e.index = p.children
		if b.sheet.siblings {
			b.kids = append(b.kids, e.node)
		}
	}
	if e.atom == atom.Pre || e.atom == atom.Listing {
		e.keep = true
	}
	e.kidsFrom = int32(len(b.kids))
	if e.atom == atom.Ol {
		e.list = 0
		if start, ok := attributeOf(e.attrs, "start"); ok {
			if n, err := strconv.Atoi(start); err == nil && n >= 0 && n < 1e6 {
				e.list = max(n-1, 0)
			}
		}
	}
	b.open[slot(e.atom)]++
	b.stack = b.stack[:len(b.stack)+1]
	b.styleOf(e, parent)
	if b.second && int(e.number) < len(b.facts) && b.facts[e.number].cover.by != 0 && e.style.hide == 0 {
		e.style.cover = b.facts[e.number].cover
		e.style.text = e.style.textReason()
	}
	if len(b.sheet.having) > 0 && !b.second && !b.streams {
		b.noteHaving(e)
	}
	if e.atom == atom.Option && b.unchosen(e) {
		deep = NotRendered
	}
	if (e.atom == atom.Td || e.atom == atom.Th) && b.inGoneColumn(e) {
		deep = Visibility
	}
	if isUnseen(e.atom) || e.atom == atom.Dialog && !has(e.attrs, "open") ||
		e.atom == 0 && strings.EqualFold(e.name, "mphantom") {
		deep = max(deep, NotRendered)
	}
	if deep != 0 && e.style.hide == 0 {
		e.style.hide, e.style.text = deep, deep
	}
	return e
}

// unchosen tells whether an option of a list is not the one that is shown: it is not selected, and not the first where
// none is.
func (b *builder) unchosen(e *element) bool {
	n := len(b.stack) - 2
	if n < 1 || b.stack[n].atom != atom.Select || has(b.stack[n].attrs, "multiple") || has(b.stack[n].attrs, "size") ||
		has(e.attrs, "selected") {
		return false
	}
	if e.index > 1 {
		return true
	}
	const reach = 2 << 10
	rest, _, _ := strings.Cut(lowered(b.doc[b.at:min(len(b.doc), b.at+reach)]), "</select")
	return strings.Contains(rest, " selected")
}

func has(attrs, name string) bool {
	_, ok := attributeOf(attrs, name)
	return ok
}

// countKid counts an element that is not pushed.
func (b *builder) countKid(t tag) {
	p := b.top()
	p.children++
	if b.sheet.siblings {
		e := b.elementOf(t)
		e.index, e.number = p.children, -1
		b.kids = append(b.kids, e.node)
	}
}

// siblingsBefore are the siblings before a node at a depth.
func (b *builder) siblingsBefore(depth int, n *node) []node {
	if depth == 0 {
		return nil
	}
	from := int(b.stack[depth-1].kidsFrom)
	to := min(from+int(n.index)-1, len(b.kids))
	if from >= to {
		return nil
	}
	return b.kids[from:to]
}

func (b *builder) indexOfType(depth int, n *node) int32 {
	index := int32(1)
	for _, k := range b.siblingsBefore(depth, n) {
		b.sheet.budget--
		if k.atom == n.atom && (n.atom != 0 || strings.EqualFold(k.name, n.name)) {
			index++
		}
	}
	return index
}
