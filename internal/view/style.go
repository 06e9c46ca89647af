package view

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// computed is the style of an open element, as far as it decides what is seen.
type computed struct {
	hide       Reason // nothing within can be seen
	visibility Reason // inherited; something within may be visible again
	indent     Reason // inherited
	text       Reason // why text that stands directly in it is not seen, 0 if it is
	display    keyword
	mono, bold bool // inherited

	font    float32 // size in pixels
	line    length  // line-height
	spacing float32 // letter-spacing, in pixels
	opacity float32 // with that of what is around it
	colour  colour
	fill    colour // where filled says so
	filled  bool
	shadow  bool
	back    colour // what is behind it
	unknown bool   // what is behind it is an image, or cannot be told

	zoom        float32 // by how much all is larger, with what is around it
	perspective float32 // of its children; 0 for none
	smear       Reason  // text cannot be read; inherited
	flat        bool    // a filter paints all in one colour; inherited
	cover       cover   // what stands before it; inherited

	mayColour, mayBack maybe // inherited

	window      *window // what is seen of the box that it stands in; nil: all
	low, thin   bool    // it has no height, or no width, whatever is in it; not inherited
	rowless     bool    // of a grid: the rows of its children have no height; not inherited
	fixedLayout bool    // of a table and what is in it: cells are as wide as they say
}

// box is what the declarations for one element say, that is not inherited.
type box struct {
	display, overflow, position, clip, clipPath, mso, filter, content, float, mask, maskDetail, backface, ends, cut,
	contain, table, rows keyword

	transform, scale, translate, rotate shape

	width, height, maxWidth, maxHeight, minWidth, minHeight, left, top, right, bottom, marginLeft, marginTop,
	paddingTop, paddingRight, paddingBottom, paddingLeft, indent, z length

	opacity, zoom float32
	paint         colour // of its own background
	image         bool   // it has an image behind it, whose colours nobody knows
	imageColour   colour // but that it is this one
	imageSized    bool   // it may not fill the element
	current       bool   // its background has the colour of its text
	ofWindow      bool   // nothing around it is positioned
	borderBox     bool   // its size is with the padding
	painted       colour // by a filter
	animation     *decl
	sheet         [properties]bool // the last word was a style sheet's
	unsure        uint64           // the properties whose last word cannot be told
}

// rootStyle is that of the window.
var rootStyle = computed{display: kwBlock, font: rootSize, opacity: 1, zoom: 1, colour: black, back: white}

const (
	leastOpacity = 0.05
	leastFont    = 2.0 // pixels; what is no larger cannot be read
	largeFont    = 20
)

// inherit is the style that an element has where nothing is said about it.
func (c *computed) inherit() computed {
	d := *c
	d.text, d.display, d.perspective, d.low, d.thin = 0, kwInline, 0, false, false
	d.rowless = false
	return d
}

// styleOf works out the style of the innermost open element.
func (b *builder) styleOf(e *element, parent *computed) {
	c := parent.inherit()
	if c.hide != 0 {
		c.text = c.hide
		e.style = c
		return
	}
	c.display = displayByTag(e.atom)
	var x box
	x.opacity, x.zoom = 1, 1
	plain := b.defaults(e, &c, &x)
	b.matched = b.matched[:0]
	ok := true
	if len(b.sheet.rules) > 0 {
		b.matched, ok = b.matches(b.matched, e)
	}
	if !ok || b.sheet.budget <= 0 {
		c.hide, c.text = Unread, Unread
		e.style = c
		return
	}
	var own []decl
	if e.inline != "" {
		s := b.inlineStyle(e.inline)
		own, e.border = b.inline[s.from:s.to], s.border
	}
	if plain && len(b.matched) == 0 && len(own) == 0 {
		e.style = c
		e.style.text = c.textReason()
		return
	}
	b.cascade(own, e, &c, &x, parent)
	b.settle(e, &c, &x, parent)
	e.style = c
}

// inlineStyle reads a style attribute. Mail has the same ones again and again.
func (b *builder) inlineStyle(css string) inlineStyle {
	s, ok := b.styles[css]
	if !ok {
		s.from = int32(len(b.inline))
		b.inline, s.border = parseDecls(b.inline, unescapeValue(css), &b.sheet.vars)
		s.to = int32(len(b.inline))
		b.styles[css] = s
	}
	return s
}

// cascade applies the declarations, the weakest first.
func (b *builder) cascade(own []decl, e *element, c *computed, x *box, parent *computed) {
	for _, important := range [...]bool{false, true} {
		for _, m := range b.matched {
			if !important || m.precedence >= unlayered {
				b.apply(b.sheet.decls[m.decls[0]:m.decls[1]], important, true, e, c, x, parent)
			}
		}
		for _, m := range b.matched {
			if important && m.precedence < unlayered {
				b.apply(b.sheet.decls[m.decls[0]:m.decls[1]], important, true, e, c, x, parent)
			}
		}
		b.apply(own, important, false, e, c, x, parent)
		if x.animation != nil && !important {
			b.animate(e, c, x, parent)
		}
	}
}

// apply applies those of some declarations that are as important.
func (b *builder) apply(list []decl, important, bySheet bool, e *element, c *computed, x *box, parent *computed) {
	for i := range list {
		if d := &list[i]; d.important == important {
			x.sheet[d.id] = bySheet
			if d.kw == kwUndecided || d.doubt != 0 && !c.mayPaint(d, parent) {
				x.unsure |= 1 << d.id
				continue
			}
			if d.doubt != 0 {
				continue
			}
			x.unsure &^= 1 << d.id
			c.painted(d, parent)
			x.take(d, e, c, parent)
		}
	}
}

// take applies one declaration.
func (x *box) take(d *decl, e *element, c *computed, parent *computed) {
	switch d.id {
	case pDisplay:
		if x.display = d.kw; d.kw == kwInitial {
			x.display = kwInline
		}
	case pVisibility:
		c.visibility = 0
		if d.kw == kwHidden || d.kw == kwInherit && parent.visibility != 0 {
			c.visibility = Visibility
		}
	case pOpacity:
		if x.opacity = d.length.n; d.kw != kwNone {
			x.opacity = 1
		}
	case pOverflow:
		x.overflow = d.kw
	case pPosition:
		x.position = d.kw
	case pTransform, pScale, pTranslate, pRotate:
		s := shape{d.kw, d.length.n, d.z}
		switch d.id {
		case pTransform:
			x.transform = s
		case pScale:
			x.scale = s
		case pTranslate:
			x.translate = s
		default:
			x.rotate = s
		}
	case pCut:
		x.cut = d.kw
	case pContain:
		x.contain = d.kw
	case pTableLayout:
		x.table = d.kw
	case pGridRows:
		x.rows = d.kw
	case pZoom:
		if x.zoom = d.length.n; d.kw != kwNone || x.zoom <= 0 {
			x.zoom = 1
		}
	case pPerspective:
		c.perspective = d.length.px(c.font, 0)
	case pBoxSizing:
		x.borderBox = d.kw == kwYes
	case pTextIndent:
		x.indent = d.length
		c.indent = 0
		if v := d.length.px(c.font, screenWidth); d.length.set() && (v <= -farAway || v >= farRight ||
			d.length.u == unitPercent && d.length.n >= 100) {
			c.indent = Indent
		}
	case pAnimation:
		x.animation = d
	case pAnimationEnd:
		x.ends = d.kw
	case pMaskDetail:
		x.maskDetail = d.kw
	case pBackgroundSize:
		x.imageSized = d.kw == kwYes
	case pClip:
		x.clip = d.kw
	case pClipPath:
		x.clipPath = d.kw
	case pMsoHide:
		x.mso = d.kw
	case pFilter:
		x.filter, x.painted = d.kw, d.colour
	case pContentVisibility:
		x.content = d.kw
	case pFloat:
		x.float = d.kw
	case pMask:
		x.mask = d.kw
	case pBackface:
		x.backface = d.kw
	default:
		if p := x.lengthOf(d.id); p != nil {
			*p = d.length
			return
		}
		x.takeText(d, e, c, parent)
	}
}

// lengthOf is where the length of a property is kept.
func (x *box) lengthOf(id property) *length {
	switch id {
	case pWidth:
		return &x.width
	case pHeight:
		return &x.height
	case pMaxWidth:
		return &x.maxWidth
	case pMaxHeight:
		return &x.maxHeight
	case pMinWidth:
		return &x.minWidth
	case pMinHeight:
		return &x.minHeight
	case pLeft:
		return &x.left
	case pTop:
		return &x.top
	case pRight:
		return &x.right
	case pBottom:
		return &x.bottom
	case pMarginLeft:
		return &x.marginLeft
	case pMarginTop:
		return &x.marginTop
	case pZIndex:
		return &x.z
	case pPaddingTop:
		return &x.paddingTop
	case pPaddingRight:
		return &x.paddingRight
	case pPaddingBottom:
		return &x.paddingBottom
	case pPaddingLeft:
		return &x.paddingLeft
	}
	return nil
}

// takeText applies what is about the text.
func (x *box) takeText(d *decl, e *element, c *computed, parent *computed) {
	inherits, initial := d.kw == kwInherit, d.kw == kwInitial
	switch d.id {
	case pColour:
		switch {
		case inherits:
			c.colour = parent.colour
		case initial:
			c.colour = black
		default:
			c.colour = d.colour
		}
	case pFill:
		c.fill, c.filled = d.colour, !inherits && !initial
	case pBackground:
		if !inherits && !initial && d.colour != 0 {
			c.back, c.unknown = d.colour.over(parent.back, d.colour.alpha()), parent.unknown && d.colour.alpha() < 0.95
		} else {
			c.back, c.unknown = parent.back, parent.unknown
		}
		x.paint = d.colour
		e.painted, x.current = e.painted || d.colour != 0, d.kw == kwYes
	case pBackgroundImage:
		x.image, x.imageColour = d.kw == kwYes, d.colour
		e.painted = e.painted || d.kw == kwYes
	case pBackgroundClip:
		x.image = x.image || d.kw == kwYes
	case pFontSize:
		switch {
		case inherits:
			c.font = parent.font
		case initial:
			c.font = rootSize
		default:
			c.font = d.length.px(parent.font, parent.font)
			e.sized = true
		}
	case pLineHeight:
		c.line = d.length
	case pLetterSpacing:
		c.spacing = d.length.px(c.font, 0)
		e.spaced = d.length.set()
	case pFontFamily:
		c.mono = d.kw == kwMono
		e.mono = c.mono
	case pFontWeight:
		c.bold = d.kw == kwYes
	case pShadow:
		c.shadow = d.kw == kwYes
	case pTextSecurity:
		if c.smear = parent.smear; d.kw == kwYes {
			c.smear = Unreadable
		} else if !inherits && c.smear == Unreadable {
			c.smear = 0
		}
	}
}

// displayByTag is how an element is set where nothing is said about it.
func displayByTag(tag atom.Atom) keyword {
	switch tag {
	case atom.Td, atom.Th:
		return kwCell
	case atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot:
		return kwRow
	case atom.Table:
		return kwTable
	case atom.Img, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Meter, atom.Progress:
		return kwInlineBlock
	}
	if breaks(tag) > 0 {
		return kwBlock
	}
	return kwInline
}

// defaults applies what HTML says of an element by itself and by its attributes. It tells whether that was nothing.
func (b *builder) defaults(e *element, c *computed, x *box) (plain bool) {
	plain = true
	switch e.atom {
	case atom.A:
		if e.hasHref && c.hide == 0 {
			c.colour = rgb(0, 0, 0xee)
			if b.linkColour != 0 {
				c.colour = b.linkColour
			}
		}
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		c.font, c.bold = c.font*headingSize[e.atom], true
	case atom.B, atom.Strong, atom.Th:
		c.bold = true
	case atom.Pre, atom.Code, atom.Kbd, atom.Samp, atom.Tt, atom.Xmp, atom.Listing:
		c.mono = true
	case atom.Small, atom.Sub, atom.Sup:
		c.font *= 0.83
	case atom.Big:
		c.font *= 1.2
	case atom.Mark:
		c.colour, c.back, c.unknown = black, rgb(255, 255, 0), false
	case atom.Button:
		c.colour, c.back, c.unknown, c.font = black, rgb(0xef, 0xef, 0xef), false, 13.3
	case atom.Table:
		if b.quirks { // QUIRK: without a doctype tables do not inherit the size
			c.font, c.bold = rootSize, false
		}
	}
	if e.presented {
		plain = false
		b.presentational(e, c, x)
	}
	if e.hidden {
		plain, x.display = false, kwNo
	}
	return plain
}

var headingSize = map[atom.Atom]float32{atom.H1: 2, atom.H2: 1.5, atom.H3: 1.17, atom.H4: 1, atom.H5: 0.83,
	atom.H6: 0.67}

// presentational applies the attributes that say how an element looks.
func (b *builder) presentational(e *element, c *computed, x *box) {
	for rest := e.attrs; rest != ""; {
		var key, value string
		if key, value, rest = nextAttribute(rest); key == "" {
			break
		}
		switch lowered(key) {
		case "bgcolor":
			if col, ok := parseOldColour(value); ok {
				c.back, c.unknown, e.painted = col|0xff, false, true
			}
		case "background":
			if trim(value) != "" {
				x.image, e.painted = true, true
			}
		case "color":
			if col, ok := parseOldColour(value); ok && (e.atom == atom.Font || e.atom == atom.Basefont) {
				c.colour = col
			}
		case "text":
			if col, ok := parseOldColour(value); ok && e.atom == atom.Body {
				c.colour = col
			}
		case "link":
			if col, ok := parseOldColour(value); ok && e.atom == atom.Body {
				b.linkColour = col
			}
		case "size":
			if e.atom == atom.Font {
				fontElement(e, c, trim(value))
			}
		}
	}
}

var fontSizes = [...]float32{10, 10, 13, 16, 18, 24, 32, 48}

// fontElement sets the size that <font size> says.
func fontElement(e *element, c *computed, value string) {
	n, _, ok := number(value)
	if !ok {
		return
	}
	if strings.HasPrefix(value, "+") || strings.HasPrefix(value, "-") {
		n += 3
	}
	c.font = fontSizes[int(min(max(n, 1), 7))]
	e.sized = true
}
