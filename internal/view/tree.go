package view

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// The steps of tree construction that decide what stands in what (HTML 13.2.6), without a tree.

func slot(tag atom.Atom) int { return int((uint32(tag) ^ uint32(tag)>>8 ^ uint32(tag)>>17) & 0xff) }

// isOpen tells whether an element may be open.
func (b *builder) isOpen(tag atom.Atom) bool { return b.open[slot(tag)] > 0 }

// startTag opens an element, after what its start closes.
func (b *builder) startTag(t tag) {
	switch t.atom {
	case atom.Html, atom.Head, atom.Body:
		b.outermost(t)
		return
	case atom.Meta, atom.Link, atom.Base, atom.Noframes, atom.Noembed, atom.Title, atom.Style, atom.Script:
		b.unshown(t)
		return
	case atom.Col, atom.Colgroup:
		b.column(t)
		return
	case atom.Frame, atom.Frameset:
		return
	}
	b.ensureBody()
	if !b.place(t) {
		b.elementOf(t) // its attributes may have words
		return
	}
	if isRaw(t.atom) {
		b.rawText(t)
		return
	}
	if isVoid(t.atom) {
		b.void(t)
		return
	}
	formats := isFormatting(t.atom)
	if len(b.active) > 0 && (formats || !isSpecial(t.atom)) {
		b.reconstruct()
	}
	if e := b.begin(t, formats); t.closed && (e.isItem || b.foreign()) { // QUIRK: <time …/> is meant to be closed
		b.closeTo(len(b.stack) - 1)
	}
}

// begin pushes an element, with what its start shows.
func (b *builder) begin(t tag, formats bool) *element {
	top := b.push(b.elementOf(t))
	if formats {
		b.activate(top)
	}
	b.startLink(top)
	b.startMarks(top, t)
	b.layout(top, true)
	top.from, top.run = int32(len(b.shown.buf)), int32(len(b.view.Runs))
	if t.atom == atom.Li && top.style.hide == 0 {
		b.shown.prefix = b.bullet()
	}
	switch t.atom {
	case atom.Td, atom.Th, atom.Caption, atom.Applet, atom.Object, atom.Marquee, atom.Template:
		b.active = append(b.active, formatting{marker: true})
	}
	return top
}

// foreign tells whether the innermost element is of SVG or MathML, where "/>" closes.
func (b *builder) foreign() bool {
	return (b.isOpen(atom.Svg) || b.isOpen(atom.Math)) && b.find(func(e *element) bool {
		return e.atom == atom.Svg ||
			e.atom == atom.Math
	}) >= 0
}

func (b *builder) find(is func(*element) bool) int {
	for i := len(b.stack) - 1; i >= 0; i-- {
		if is(&b.stack[i]) {
			return i
		}
	}
	return -1
}

// outermost takes the tags of html, head and body.
func (b *builder) outermost(t tag) {
	switch t.atom {
	case atom.Html:
		if b.addRoot(0, t); !b.bodyOpen && b.stack[0].attrs == "" {
			e := b.elementOf(t)
			e.number = b.stack[0].number
			b.stack[0] = *e
		}
	case atom.Head:
		b.headTag = t
	case atom.Body:
		if b.addRoot(1, t); !b.bodyOpen {
			b.startMarks(b.openBody(t), t)
		}
	}
}

// unshown reads elements whose content is no text.
func (b *builder) unshown(t tag) {
	switch t.atom {
	case atom.Meta, atom.Link, atom.Base:
		if rel, _ := attributeOf(t.attrs, "rel"); t.atom == atom.Link && strings.EqualFold(trim(rel), "stylesheet") {
			href, _ := attributeOf(t.attrs, "href")
			b.addSheet(t, unescapeValue(href), b.sheet.addData)
		}
		if b.bodyOpen {
			b.countKid(t)
		}
		if e := b.elementOf(t); b.startItem(e) {
			b.endItem(e)
		}
		return
	}
	body := b.raw(t.name)
	switch t.atom {
	case atom.Style:
		b.addSheet(t, body, b.sheet.add)
	case atom.Script:
		kind, _ := attributeOf(t.attrs, "type")
		b.aside(Script, kind, body)
	case atom.Title:
		if b.view.Title == "" {
			const longest = 1000
			b.view.Title = unescape(body[:min(len(body), longest)])
		}
	}
}

// column reads a column of a table, or a group of them: one that is collapsed hides its cells.
func (b *builder) column(t tag) {
	table := b.find(func(e *element) bool { return e.atom == atom.Table })
	if !b.isOpen(atom.Table) || table != len(b.stack)-1 {
		return
	}
	span := 1
	if n, ok := attributeOf(t.attrs, "span"); ok {
		span = int(min(max(numberOf(trim(n)), 1), 64))
	}
	children := b.top().children
	gone := b.push(b.elementOf(t)).style.visibility != 0
	b.closeTo(len(b.stack) - 1)
	e := b.top()
	if t.atom == atom.Colgroup {
		if e.groupGone = gone; !gone || !has(t.attrs, "span") {
			return
		}
	} else {
		e.children = children // it stands in a group
	}
	for range span {
		if gone || e.groupGone {
			e.gone |= 1 << e.columns
		}
		e.columns++
	}
}

// inGoneColumn tells whether a cell stands in a column that is collapsed.
func (b *builder) inGoneColumn(e *element) bool {
	n := len(b.stack) - 2
	table := b.find(func(e *element) bool { return e.atom == atom.Table })
	if table < 0 || n < table || b.stack[table].gone == 0 {
		return false
	}
	row := &b.stack[n]
	at := row.columns
	span, _ := attributeOf(e.attrs, "colspan")
	row.columns += uint8(min(max(numberOf(trim(span)), 1), 64))
	return b.stack[table].gone>>at&1 == 1
}

// addSheet reads a style sheet for the screen.
func (b *builder) addSheet(t tag, css string, add func(string)) {
	if b.sheetsKnown {
		return
	}
	if kind, ok := attributeOf(t.attrs, "type"); ok && kind != "" && !strings.EqualFold(trim(kind), "text/css") {
		return
	}
	if media, ok := attributeOf(t.attrs, "media"); ok && !mediaApplies(unescapeValue(media)) {
		return
	}
	if len(b.stack) > 0 && b.top().atom == atom.Template {
		return
	}
	before := len(b.sheet.rules)
	add(css)
	if b.bodyOpen && (len(b.sheet.rules) > before || b.sheet.exceeded) || b.sheet.counts {
		b.late, b.missed = true, b.missed || b.bodyOpen && (b.sheet.counts ||
			strings.Contains(css, "absolute") || strings.Contains(css, "fixed"))
	}
}

// rawText reads an element whose content is no markup.
func (b *builder) rawText(t tag) {
	if t.atom == atom.Plaintext {
		b.write(strings.ReplaceAll(b.doc[b.at:], "&", "&amp;"))
		b.at = len(b.doc)
		return
	}
	body := b.raw(t.name)
	e := b.elementOf(t)
	e.keep = t.atom == atom.Xmp
	top := b.push(e)
	top.written = body != ""
	b.layout(top, true)
	reason := top.style.text
	if t.atom != atom.Xmp && reason == 0 {
		reason = NotRendered
	}
	if t.atom == atom.Xmp {
		body = strings.ReplaceAll(body, "&", "&amp;")
	}
	b.run(body, top, reason, 0)
	b.closeTo(len(b.stack) - 1)
}

// place closes what the start of an element ends, and tells whether it may stand here.
func (b *builder) place(t tag) bool {
	switch t.atom {
	case atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption:
		return b.placeInTable(t.atom)
	case atom.Li:
		b.closeItem(atom.Li, 0)
	case atom.Dd, atom.Dt:
		b.closeItem(atom.Dd, atom.Dt)
	case atom.Option, atom.Optgroup:
		if top := b.top().atom; top == atom.Option || top == atom.Optgroup && t.atom == atom.Optgroup {
			b.closeTo(len(b.stack) - 1)
		}
	case atom.A, atom.Nobr:
		if b.isOpen(t.atom) || len(b.active) > 0 {
			b.endFormatting(t.atom, true)
		}
	case atom.Button:
		b.endScoped(atom.Button)
	case atom.Form:
		if b.isOpen(atom.Form) && b.find(func(e *element) bool { return e.atom == atom.Form }) >= 0 {
			return false
		}
	}
	if b.isOpen(atom.P) && (endsParagraph(t.atom) || t.atom == atom.Table && !b.quirks) {
		b.endScoped(atom.P)
	}
	if isHeading(t.atom) && isHeading(b.top().atom) {
		b.closeTo(len(b.stack) - 1)
	}
	return true
}

// placeInTable closes cells and rows up to where a part of a table stands, and opens those that are implied.
func (b *builder) placeInTable(tag atom.Atom) bool {
	table := -1
	for i := len(b.stack) - 1; i >= 0; i-- {
		if a := b.stack[i].atom; a == atom.Table || a == atom.Template {
			table = i
			break
		}
	}
	if table < 0 || !b.isOpen(atom.Table) && !b.isOpen(atom.Template) {
		return false // browsers ignore it
	}
	keep := table // what stays open
	for i := table + 1; i < len(b.stack); i++ {
		a := b.stack[i].atom
		group := a == atom.Tbody || a == atom.Thead || a == atom.Tfoot
		if i == keep+1 && (group && (tag == atom.Tr || tag == atom.Td || tag == atom.Th) ||
			a == atom.Tr && (tag == atom.Td || tag == atom.Th)) {
			keep = i
		}
	}
	b.closeTo(keep + 1)
	if b.stack[table].atom == atom.Template {
		return true
	}
	if top := b.top().atom; top == atom.Table && (tag == atom.Tr || tag == atom.Td || tag == atom.Th) {
		b.begin(globalTag(atom.Tbody), false)
	}
	if top := b.top().atom; top != atom.Tr && (tag == atom.Td || tag == atom.Th) {
		b.begin(globalTag(atom.Tr), false)
	}
	return true
}

func globalTag(a atom.Atom) tag { return tag{atom: a, name: a.String()} }

// closeItem closes an open item of the same list.
func (b *builder) closeItem(a, other atom.Atom) {
	if !b.isOpen(a) && (other == 0 || !b.isOpen(other)) {
		return
	}
	for i := len(b.stack) - 1; i > 0; i-- {
		switch tag := b.stack[i].atom; {
		case tag == a || other != 0 && tag == other:
			b.closeTo(i)
			return
		case isSpecial(tag) && tag != atom.Address && tag != atom.Div && tag != atom.P:
			return
		}
	}
}

// endScoped closes an element if it is open and no fence stands within it.
func (b *builder) endScoped(tag atom.Atom) bool {
	if !b.isOpen(tag) {
		return false
	}
	for i := len(b.stack) - 1; i > 0; i-- {
		switch a := b.stack[i].atom; {
		case a == tag:
			b.closeTo(i)
			return true
		case isFence(a) || tag == atom.P && a == atom.Button || tag == atom.Li && (a == atom.Ul || a == atom.Ol):
			return false
		}
	}
	return false
}

// endTag closes an element.
func (b *builder) endTag(t tag) {
	switch {
	case t.atom == atom.Body || t.atom == atom.Html || t.atom == atom.Head:
		return
	case t.atom == atom.Br:
		b.ensureBody()
		b.void(globalTag(atom.Br))
		return
	case !b.bodyOpen:
		return
	case isFormatting(t.atom):
		b.endFormatting(t.atom, false)
		return
	case isHeading(t.atom):
		b.endHeading()
		return
	}
	switch t.atom {
	case atom.P:
		if !b.endScoped(atom.P) {
			b.void(globalTag(atom.P))
		}
	case atom.Table, atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption:
		b.endInTable(t.atom)
	default:
		if t.atom != 0 && isSpecial(t.atom) {
			b.endScoped(t.atom)
			return
		}
		b.endOther(t)
	}
}

// endHeading closes a heading of any size.
func (b *builder) endHeading() {
	for i := len(b.stack) - 1; i > 0; i-- {
		a := b.stack[i].atom
		if isHeading(a) {
			b.closeTo(i)
			return
		}
		if isFence(a) {
			return
		}
	}
}

// endInTable closes a part of a table.
func (b *builder) endInTable(tag atom.Atom) {
	if !b.isOpen(tag) {
		return
	}
	for i := len(b.stack) - 1; i > 0; i-- {
		switch a := b.stack[i].atom; a {
		case tag:
			b.closeTo(i)
			return
		case atom.Table, atom.Template:
			return
		}
	}
}

// endOther closes any other element.
func (b *builder) endOther(t tag) {
	if !b.isOpen(t.atom) {
		return
	}
	for i := len(b.stack) - 1; i > 0; i-- {
		e := &b.stack[i]
		if e.atom == t.atom && (t.atom != 0 || strings.EqualFold(e.name, t.name)) {
			b.closeTo(i)
			return
		}
		if isSpecial(e.atom) {
			return
		}
	}
}
