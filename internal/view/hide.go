package view

// settle works out what the declarations of an element come to: whether it is seen.
func (b *builder) settle(e *element, c *computed, x *box, parent *computed) {
	if x.display != kwNone && x.display != kwInherit {
		c.display = x.display
	} else if x.display == kwInherit {
		c.display = parent.display
	}
	if c.display == kwFlex {
		c.display = kwBlock
	}
	if c.display == kwInline && (x.float == kwYes || x.position == kwAbsolute || x.position == kwFixed) {
		c.display = kwBlock
	}
	c.opacity = parent.opacity * min(max(x.opacity, 0), 1)
	c.zoom = parent.zoom * x.zoom
	if x.position == kwAbsolute && x.bottom.set() && !x.top.set() {
		x.ofWindow = !b.anchored()
	}
	hide, by := x.hides(e, c, parent)
	if hide == 0 && x.mso == kwHidden && !b.msoTwin() {
		hide, by = MsoHide, pMsoHide
	}
	if hide != 0 {
		if x.sheet[by] {
			hide |= bySheet
		}
		c.hide, c.text = hide, hide
		return
	}
	if c.visibility != 0 && c.visibility.Rule() == Visibility && x.sheet[pVisibility] {
		c.visibility |= bySheet
	}
	c.settleSizes(x)
	c.settleColours(e, x, parent)
	if x.position != kwNone && x.position != kwShown {
		b.settleCover(e, c, x)
	}
	if b.takeSpace(e, c, x, parent); c.hide != 0 {
		return
	}
	c.text = c.textReason()
	if c.text == FontSize && x.sheet[pFontSize] || c.text == Colour && (x.sheet[pColour] || x.sheet[pBackground]) {
		c.text |= bySheet
	}
}

// settleSizes works out which sides of an element are nothing, so that a share of them is nothing, too.
func (c *computed) settleSizes(x *box) {
	nothing := func(l length) bool { return l.set() && l.u != unitPercent && l.px(c.font, 0) <= 1 }
	if c.display == kwTable {
		c.fixedLayout = x.table == kwYes
	}
	if c.display == kwBlock || c.display == kwInlineBlock {
		c.low = nothing(x.height) && !x.minHeight.set()
		c.rowless = x.rows == kwHidden && x.display == kwFlex && !x.height.set()
		c.thin = nothing(x.width) && !x.minWidth.set()
	}
}

// settleColours works out what is behind an element, and what filters do to its text.
func (c *computed) settleColours(e *element, x *box, parent *computed) {
	if x.image && x.imageColour != 0 && !x.imageSized {
		c.back, c.unknown = x.imageColour, false
	} else {
		c.unknown = c.unknown || x.image
	}
	if x.current {
		c.back, c.unknown = c.colour.over(parent.back, c.colour.alpha()), false
	}
	switch {
	case x.filter == kwYes:
		c.smear = Filtered
	case x.filter == kwFlat && (e.painted || !c.unknown && x.painted.near(c.back)), parent.flat && e.painted:
		c.smear = Colour
	case x.filter == kwFlat:
		c.flat = true
	}
}

// hides tells by which rule nothing in an element is seen, and which property says so.
func (x *box) hides(e *element, c, parent *computed) (Reason, property) {
	switch {
	case c.display == kwNo && e.hidden && x.display == kwNo && !x.sheet[pDisplay]:
		if e.inline == "" {
			return HiddenAttribute, pNone
		}
		return DisplayNone, pDisplay
	case c.display == kwNo:
		return DisplayNone, pDisplay
	case c.opacity < leastOpacity:
		return Opacity, pOpacity
	case x.filter == kwHidden:
		return Opacity, pFilter
	case x.content == kwHidden && c.display != kwInline:
		return Visibility, pContentVisibility
	case x.clip == kwHidden && (x.position == kwAbsolute || x.position == kwFixed):
		return Clip, pClip
	case x.clipPath == kwHidden:
		return Clip, pClipPath
	case x.mask == kwHidden, x.mask == kwYes && x.maskDetail == kwYes:
		return Clip, pMask
	}
	if c.display != kwInline && c.display != kwContents {
		if hide, by := x.transformed(c, parent); hide != 0 {
			return hide, by
		}
	}
	if by := x.offScreen(c); by != pNone {
		return OffScreen, by
	}
	if by := x.zeroSize(c, parent); by != pNone {
		return ZeroSize, by
	}
	if x.unsure != 0 && x.undecided() {
		return Undecided, pNone
	}
	return 0, pNone
}

// transformed tells whether a transformation leaves nothing to see.
func (x *box) transformed(c, parent *computed) (Reason, property) {
	for _, one := range [...]struct {
		shape
		by property
	}{{x.transform, pTransform}, {x.scale, pScale}, {x.translate, pTranslate}, {x.rotate, pRotate}} {
		switch {
		case one.kw == kwHidden, one.kw == kwTurned && x.backface == kwHidden,
			parent.perspective > 0 && one.z >= parent.perspective:
			return Transform, one.by
		case one.kw == kwAway:
			return OffScreen, one.by
		}
		if one.scale > 0 {
			c.zoom *= one.scale
		}
		if d := parent.perspective; d > 0 {
			c.zoom *= d / (d - one.z)
		}
	}
	return 0, pNone
}

// offScreen gives the property that moves an element out of sight.
func (x *box) offScreen(c *computed) property {
	px := func(l length, whole float32) float32 { return l.px(c.font, whole) }
	if x.position == kwAbsolute || x.position == kwRelative || x.position == kwFixed {
		far, right, below, above := float32(farAway), float32(farRight), float32(9*farRight), float32(100*farRight)
		switch x.position {
		case kwAbsolute:
			if x.ofWindow {
				above = 3 * screenHeight
			}
		case kwRelative:
			far = farFlow
		case kwFixed: // nobody can scroll there
			right, below, above = screenWidth, screenHeight, screenHeight
		}
		switch {
		case x.left.set() && (px(x.left, screenWidth) <= -far || px(x.left, screenWidth) >= right):
			return pLeft
		case x.top.set() && (px(x.top, screenHeight) <= -far || px(x.top, screenHeight) >= below):
			return pTop
		case !x.left.set() && x.right.set() && (px(x.right, screenWidth) <= -far || px(x.right, screenWidth) >= right):
			return pRight
		case !x.top.set() && x.bottom.set() && (px(x.bottom, screenHeight) >= above ||
			px(x.bottom, screenHeight) <= -below):
			return pBottom
		}
	}
	switch {
	case x.marginLeft.set() && (px(x.marginLeft, screenWidth) <= -farFlow || px(x.marginLeft, screenWidth) >= farRight):
		return pMarginLeft
	case x.marginTop.set() && px(x.marginTop, screenWidth) <= -farFlow && c.display != kwInline:
		return pMarginTop
	}
	return pNone
}

// zeroSize returns the property that leaves no room for an element whose content is cut off at its edge.
func (x *box) zeroSize(c, parent *computed) property {
	if x.overflow != kwHidden && x.contain != kwHidden {
		return pNone
	}
	const least = 1
	switch c.display {
	case kwCell:
		if x.width.set() && x.width.n <= least && (c.fixedLayout || x.maxWidth.set() && x.maxWidth.n <= least) {
			return pMaxWidth
		}
		return pNone
	case kwInline, kwContents, kwTable, kwRow:
		return pNone // sizes do not apply, or are only the least that it takes
	}
	// small tells whether no line has room. Text goes on into the padding after it.
	small := func(size, most, atLeast, before, after length, whole float32, ofNothing bool) bool {
		is := func(l length) bool {
			if l.u == unitPercent && ofNothing {
				return !roomy(after, c.font)
			}
			if !l.set() || l.u == unitPercent && l.n > 0.1 {
				return false
			}
			v := l.px(c.font, whole)
			if x.borderBox && before.set() {
				v -= before.px(c.font, whole)
			} else if !x.borderBox && roomy(after, c.font) {
				return false
			}
			return v <= least
		}
		return (is(size) || is(most)) && !(atLeast.set() && atLeast.px(c.font, whole) > 2*least)
	}
	cutOff := x.indent.set() && x.width.set() && x.width.u != unitPercent &&
		x.indent.px(c.font, screenWidth) >= x.width.px(c.font, screenWidth)
	noHeight := !x.height.set() && !roomy(x.minHeight, c.font) && !roomy(x.paddingTop, c.font) &&
		!roomy(x.paddingBottom, c.font)
	switch {
	case noHeight && (x.contain == kwHidden || x.contain == kwYes):
		return pContain
	case noHeight && parent.rowless && x.position != kwAbsolute && x.position != kwFixed:
		return pGridRows
	case small(x.height, x.maxHeight, x.minHeight, x.paddingTop, x.paddingBottom, screenHeight, parent.low):
		if x.height.set() {
			return pHeight
		}
		return pMaxHeight
	case small(x.width, x.maxWidth, x.minWidth, x.paddingLeft, x.paddingRight, screenWidth, parent.thin):
		if x.width.set() {
			return pWidth
		}
		return pMaxWidth
	case cutOff:
		return pTextIndent
	case c.line.set() && c.line.px(c.font, c.font) <= least && !x.height.set() && !x.minHeight.set() &&
		!roomy(x.paddingTop, c.font) && !roomy(x.paddingBottom, c.font):
		return pLineHeight
	}
	return pNone
}

// roomy tells whether a padding has room for text.
func roomy(l length, font float32) bool { return l.set() && l.px(font, screenWidth) >= 10 }

// textReason tells why text that stands directly in an element is not seen.
func (c *computed) textReason() Reason {
	switch {
	case c.hide != 0:
		return c.hide
	case c.visibility != 0:
		return c.visibility
	case c.indent != 0:
		return c.indent
	case c.cover.by != 0:
		return Covered
	case c.smear != 0:
		return c.smear
	case c.font*c.zoom <= leastFont:
		return FontSize
	case c.spacing < 0 && -c.spacing >= 0.9*c.font:
		return ZeroSize
	}
	text := c.colour
	if c.filled {
		text = c.fill
	}
	alpha := text.alpha() * c.opacity
	if alpha < leastOpacity {
		if c.shadow || c.unknown && c.filled {
			return 0
		}
		return Colour
	}
	if !c.unknown && !c.shadow && !c.flat && text.over(c.back, alpha).near(c.back) {
		return Colour
	}
	if (c.mayColour.colour != 0 || c.mayBack.colour != 0) && !c.unknown && !c.shadow && c.mayFade(text) {
		return Undecided
	}
	return 0
}
