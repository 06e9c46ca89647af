package view

import "golang.org/x/net/html/atom"

// The list of active formatting elements (HTML 13.2.4.3): what is opened again where a block has closed it.

// activate notes a formatting element, so that it is opened again where a block has closed it.
func (b *builder) activate(e *element) {
	if b.sheet.budget <= 0 { // everything is hidden
		return
	}
	const most = 3 // HTML 13.2.4.3: of those that are alike
	const longest = 64
	if b.dead > longest {
		b.compact()
	}
	alike, first := 0, -1
	for i := len(b.active) - 1; i >= 0 && !b.active[i].marker; i-- {
		if f := &b.active[i]; !f.dead && f.atom == e.atom && f.attrs == e.attrs {
			alike++
			first = i
		}
		b.sheet.budget--
	}
	if alike >= most {
		b.active[first].dead = true
		b.dead++
	}
	e.active = int32(len(b.active))
	b.active = append(b.active, formatting{node: e.node, open: true})
}

// compact drops what is closed from the list.
func (b *builder) compact() {
	moved := make([]int32, len(b.active))
	kept := b.active[:0]
	for i, f := range b.active {
		moved[i] = -1
		if !f.dead {
			moved[i] = int32(len(kept))
			kept = append(kept, f)
		}
	}
	b.dead = 0
	b.active = kept
	for i := range b.stack {
		if e := &b.stack[i]; e.active >= 0 && int(e.active) < len(moved) {
			e.active = moved[e.active]
		}
	}
}

// reconstruct opens the formatting elements again that a block has closed.
func (b *builder) reconstruct() {
	if b.sheet.budget <= 0 {
		return
	}
	from := len(b.active)
	for from > 0 && !b.active[from-1].marker && !(b.active[from-1].open && !b.active[from-1].dead) {
		from--
	}
	const cost = 30 // steps for each
	for i := from; i < len(b.active); i++ {
		f := &b.active[i]
		if f.dead || f.open {
			continue
		}
		b.sheet.budget -= cost
		f.open = true
		e := b.elementOf(tag{atom: f.atom, name: f.name, attrs: f.attrs})
		e.active = int32(i)
		top := b.push(e)
		b.startLink(top)
		top.from, top.run = int32(len(b.shown.buf)), int32(len(b.view.Runs))
	}
}

// endFormatting closes a formatting element. Blocks that were opened in it stay open, and are no longer in it
// (HTML 13.2.6.4.7, "adoption agency"). Start says that the start of another one does it.
func (b *builder) endFormatting(tag atom.Atom, start bool) {
	at := -1
	for i := len(b.active) - 1; i >= 0 && !b.active[i].marker; i-- {
		if f := &b.active[i]; !f.dead && f.atom == tag {
			at = i
			break
		}
	}
	if at < 0 {
		if !start {
			b.endOther(globalTag(tag))
		}
		return
	}
	f := &b.active[at]
	if !f.open {
		f.dead = true
		b.trimActive()
		return
	}
	i, special := len(b.stack)-1, -1
	for ; i > 0 && int(b.stack[i].active) != at; i-- {
		if a := b.stack[i].atom; isFence(a) && !start {
			return
		} else if isSpecial(a) {
			special = i
		}
	}
	f.dead = true
	b.dead++
	if i <= 0 {
		b.trimActive()
		return
	}
	if special < 0 {
		b.closeTo(i)
	} else {
		b.remove(i)
	}
	b.trimActive()
}

// trimActive drops what is closed from the end of the list.
func (b *builder) trimActive() {
	for n := len(b.active); n > 0 && b.active[n-1].dead; n-- {
		b.active = b.active[:n-1]
	}
}

// remove takes an element from under those that are open in it.
func (b *builder) remove(i int) {
	const cost = 20 // steps for each
	b.open[slot(b.stack[i].atom)]--
	b.endMarks(&b.stack[i])
	copy(b.stack[i:], b.stack[i+1:])
	b.stack = b.stack[:len(b.stack)-1]
	all := b.stack
	for k := i; k < len(all); k++ {
		b.stack = all[:k+1] // selectors look at what is above it
		e := &b.stack[k]
		b.sheet.budget -= cost
		b.styleOf(e, &b.stack[k-1].style)
		if e.atom != atom.A || !e.hasHref {
			e.link = b.stack[k-1].link
		}
	}
	b.stack = all
}
