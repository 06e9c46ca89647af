package view

// cover is an element that stands before others.
type cover struct {
	by int32   // its number; 0 for none
	z  float32 // its z-index
}

// settleCover notes an opaque element that is set over all of what it stands in, so that the next reading knows it.
// What is positioned and comes after it, or stands higher, is not covered.
func (b *builder) settleCover(e *element, c *computed, x *box) {
	e.positioned = true
	if c.cover.by != 0 && (e.number >= c.cover.by || x.z.n > c.cover.z) {
		c.cover = cover{}
	}
	if b.second || b.streams || !x.covers() || x.z.n < 0 {
		return
	}
	at := len(b.stack) - 2
	for at > 1 && !b.stack[at].positioned {
		at--
	}
	if at < 1 {
		return
	}
	b.late = true
	b.factsOf(b.stack[at].number).cover = cover{e.number, x.z.n}
}

// anchored tells whether the innermost element stands in one that is positioned.
func (b *builder) anchored() bool {
	for i := len(b.stack) - 2; i >= 0; i-- {
		if b.stack[i].positioned {
			return true
		}
	}
	return false
}

// covers tells whether an element fills what it stands in and is opaque.
func (x *box) covers() bool {
	if x.position != kwAbsolute && x.position != kwFixed || x.paint.alpha() < 0.95 && x.imageColour.alpha() < 0.95 ||
		x.opacity < 0.95 {
		return false
	}
	const near = 8 // pixels
	fills := func(from, to, size length, whole, least float32) bool {
		begins := from.set() && from.px(rootSize, whole) <= near
		ends := to.set() && to.px(rootSize, whole) <= near
		return begins && ends || (begins || ends) && size.set() && size.px(rootSize, whole) >= least
	}
	return fills(x.left, x.right, x.width, screenWidth, screenWidth/2) &&
		fills(x.top, x.bottom, x.height, screenHeight, 100)
}
