package view

import "golang.org/x/net/html/atom"

// Text that is pushed out of a box which cuts off what does not fit: 20 pixels high, and it begins with 300 pixels of
// padding, empty lines or a tall cell. How far down something stands is counted from what is certain to be above it, so
// what is seen is never taken for cut off. Nothing is counted outside of such boxes.

// window is the part of a box that is seen, for what stands in it.
type window struct {
	bottom float32 // how far down it goes; 0: nothing is cut off below
	wide   float32 // how wide it is; 0: not known
	anchor float32 // where it begins, if what is set by its distance from there counts from it; 0: it does not
	shift  float32 // by how much what stands in it is moved down
}

// space is the room that an element takes, in pixels.
type space struct {
	margin, padding float32 // above it, and above its content
	high            float32 // how high it says it is
	at              float32 // where it is set by its distance from the top
	top, floor      float32 // where it begins, and ends at the least
	over            keyword // it stands over others: kwYes for floats, kwAbsolute
	flex            bool    // its children stand beside each other
	window          *window // which it opens, or moves
	cut             float32 // how much of it is seen; 0: all
}

// flow is how far down what comes next stands, at the least.
type flow struct {
	y, margin, line float32 // margin is the part of y that the next margin shares; line is the height of the open line
}

// takeSpace notes what space an element takes, where that can push text out of a window.
func (b *builder) takeSpace(e *element, c *computed, x *box, parent *computed) {
	if parent.window == nil && x.cut != kwYes && x.overflow != kwHidden {
		return
	}
	down := func(l length) float32 {
		if !l.set() || l.u == unitPercent {
			return 0
		}
		return l.px(c.font, 0)
	}
	w := parent.window
	if w != nil && w.wide > 0 && max(down(x.marginLeft), down(x.paddingLeft), down(x.left)) >= w.wide {
		c.hide, c.text = Clip, Clip
		return
	}
	s := &space{flex: x.display == kwFlex, high: max(down(x.height), down(x.minHeight))}
	if c.display != kwInline {
		s.margin, s.padding = down(x.marginTop), max(down(x.paddingTop), 0)
	}
	if s.high > 0 && !x.borderBox {
		s.high += s.padding + max(down(x.paddingBottom), 0)
	}
	switch {
	case x.position == kwAbsolute || x.position == kwFixed:
		s.over, s.at = kwAbsolute, max(down(x.top), 0)
	case x.float == kwYes:
		s.over = kwYes
	case x.position == kwRelative && w != nil:
		moved := *w
		moved.shift += down(x.top)
		s.window = &moved
	}
	if (c.display == kwBlock || c.display == kwInlineBlock) && e.atom != atom.Body && e.atom != atom.Html {
		x.opens(s, w, down)
	}
	e.space = s
}

// opens notes which window an element opens whose content is cut off at its edge.
func (x *box) opens(s *space, around *window, down func(length) float32) {
	if x.cut != kwYes && x.overflow != kwHidden {
		return
	}
	var w window
	if around != nil {
		w = *around
	}
	if x.cut == kwYes {
		s.cut = x.seen(s, down)
	}
	if w.wide = 0; x.overflow == kwHidden && x.width.set() && x.width.u != unitPercent {
		w.wide = max(down(x.width), down(x.minWidth)) + max(down(x.paddingLeft), 0) + max(down(x.paddingRight), 0)
	}
	if s.cut > 0 || w != (window{}) {
		s.window = &w
	}
}

// seen is how much of an element is seen whose content is cut off at the edge; 0 where that is not known.
func (x *box) seen(s *space, down func(length) float32) float32 {
	most := down(x.maxHeight)
	if most > 0 && !x.borderBox {
		most += s.padding + max(down(x.paddingBottom), 0)
	}
	if x.height.set() && x.height.u != unitPercent && (most == 0 || s.high < most) {
		return s.high
	}
	return max(most, down(x.minHeight))
}

// enter goes down by the space above what stands in an element.
func (b *builder) enter(e *element, block bool) {
	if e.style.window == nil && e.space == nil {
		return
	}
	if e.space == nil {
		e.space = &space{}
	}
	s := e.space
	switch around := e.style.window; {
	case around == nil || around.bottom == 0:
		b.flow = flow{y: 1}
	case s.over == kwAbsolute:
		if s.top = b.y; around.anchor == 0 { // it stands somewhere else
			e.style.window = nil
			return
		}
		b.flow = flow{y: around.anchor + s.at}
	}
	if block {
		b.endLine()
	}
	if s.over != kwAbsolute {
		s.top = b.y
	}
	if s.margin < 0 {
		b.y += s.margin
	} else if s.margin > b.margin {
		b.y, b.margin = b.y+s.margin-b.margin, s.margin
	}
	from := b.y
	if s.window != nil {
		e.style.window = s.window
	}
	if s.cut > 0 {
		w := s.window
		if w.bottom == 0 || from+s.cut < w.bottom {
			w.bottom = from + s.cut
		}
		if w.anchor = 0; e.positioned {
			w.anchor = from
		}
		b.margin = 0
	}
	if s.padding > 0 {
		b.y, b.margin = b.y+s.padding, 0
	}
	if s.high == 0 {
		s.high = e.tallByAttribute()
	}
	if s.high > 0 {
		s.floor = from + s.high
	}
}

// tallByAttribute is the height that an attribute gives a part of a table or an image.
func (e *element) tallByAttribute() float32 {
	switch e.atom {
	case atom.Td, atom.Th, atom.Tr, atom.Table, atom.Img:
		if value, ok := attributeOf(e.attrs, "height"); ok {
			if l, ok := parseLength(trim(value)); ok && l.u == unitPx {
				return l.n
			}
		}
	}
	return 0
}

// leave goes down to the end of an element.
func (b *builder) leave(e *element, block bool) {
	s := e.space
	if s == nil {
		return
	}
	if block {
		b.endLine()
	}
	if s.floor > b.y || s.cut > 0 && s.floor > 0 {
		b.y, b.margin = s.floor, 0
	}
	around := &b.stack[max(len(b.stack)-2, 0)]
	switch {
	case s.over != kwNone:
	case e.style.display == kwInlineBlock:
		b.line = max(b.line, b.y-s.top)
	case around.space != nil && (e.style.display == kwCell || around.space.flex):
		around.space.floor = max(around.space.floor, b.y)
	default:
		return
	}
	b.y, b.margin = s.top, 0
}

// endLine goes down by the line that is open.
func (b *builder) endLine() {
	if b.line > 0 {
		b.y, b.line, b.margin = b.y+b.line, 0, 0
	}
}

// breakLine goes down by a line, which may be empty.
func (b *builder) breakLine(c *computed) {
	if c.window != nil {
		b.line = max(b.line, c.lineHeight())
		b.endLine()
	}
}

func (c *computed) lineHeight() float32 {
	if c.line.set() {
		return min(c.line.px(c.font, c.font), c.font)
	}
	return c.font
}

// beyond tells whether text in an element stands below what is seen, and goes down by the lines that it fills.
func (b *builder) beyond(e *element, text string) bool {
	const slack, widest, narrow = 4, screenWidth, 0.25 // a letter is at least a quarter as wide as it is high
	c := &e.style
	w := c.window
	below := w.bottom != 0 && b.y+w.shift >= w.bottom+slack
	if text = trim(text); text != "" {
		high := c.lineHeight()
		b.line, b.margin = max(b.line, high), 0
		b.y += float32(int(float32(len(text))*narrow*c.font/(4*widest))) * high
	}
	return below
}
