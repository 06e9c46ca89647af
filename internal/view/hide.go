package view

// settle works out what the declarations of an element come to: whether it is seen.
func (b *builder) settle(e *element, c *computed, x *box, parent *computed) {
	if x.display != kwNone && x.display != kwInherit {
		c.display = x.display
	} else if x.display == kwInherit {
		c.display = parent.display
	}
	if c.display == kwInline && (x.float == kwYes || x.position == kwAbsolute) {
		c.display = kwBlock
	}
	c.opacity = parent.opacity * min(max(x.opacity, 0), 1)
	hide, by := b.hidesBox(e, c, x)
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
	c.unknown = c.unknown || x.image
	if x.current {
		c.back, c.unknown = c.colour.over(parent.back, c.colour.alpha()), false
	}
	c.text = c.textReason(b)
	if c.text == FontSize && x.sheet[pFontSize] || c.text == Colour && (x.sheet[pColour] || x.sheet[pBackground]) {
		c.text |= bySheet
	}
}

// hidesBox tells by which rule nothing in an element is seen, and which property says so.
func (b *builder) hidesBox(e *element, c *computed, x *box) (Reason, property) {
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
	case x.mso == kwHidden && !b.msoTwin():
		return MsoHide, pMsoHide
	case x.clip == kwHidden && x.position == kwAbsolute:
		return Clip, pClip
	case x.clipPath == kwHidden:
		return Clip, pClipPath
	case x.mask == kwHidden:
		return Clip, pMask
	}
	if c.display != kwInline && c.display != kwContents {
		switch {
		case x.transform == kwHidden || x.transform == kwTurned && x.backface == kwHidden:
			return Transform, pTransform
		case x.scale == kwHidden:
			return Transform, pScale
		case x.transform == kwAway:
			return OffScreen, pTransform
		case x.translate == kwAway:
			return OffScreen, pTranslate
		}
	}
	if by := x.offScreen(c); by != pNone {
		return OffScreen, by
	}
	if by := x.zeroSize(c); by != pNone {
		return ZeroSize, by
	}
	return 0, pNone
}

// offScreen gives the property that moves an element out of sight.
func (x *box) offScreen(c *computed) property {
	px := func(l length, whole float32) float32 { return l.px(c.font, whole) }
	if x.position == kwAbsolute || x.position == kwRelative {
		far := float32(farAway)
		if x.position == kwRelative {
			far = farFlow
		}
		switch {
		case x.left.set() && (px(x.left, screenWidth) <= -far || px(x.left, screenWidth) >= farRight):
			return pLeft
		case x.top.set() && px(x.top, screenHeight) <= -far:
			return pTop
		case x.right.set() && (px(x.right, screenWidth) <= -far || px(x.right, screenWidth) >= farRight):
			return pRight
		case x.bottom.set() && px(x.bottom, screenHeight) >= 100*farRight:
			return pBottom
		case !x.top.set() && x.bottom.set() && px(x.bottom, screenHeight) <= -9*farRight:
			return pBottom
		case x.top.set() && px(x.top, screenHeight) >= 9*farRight:
			return pTop
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
func (x *box) zeroSize(c *computed) property {
	if x.overflow != kwHidden {
		return pNone
	}
	const least = 1
	switch c.display {
	case kwCell:
		if x.width.set() && x.width.n <= least && x.maxWidth.set() && x.maxWidth.n <= least {
			return pMaxWidth
		}
		return pNone
	case kwInline, kwContents, kwTable, kwRow:
		return pNone // sizes do not apply, or are only the least that it takes
	}
	small := func(size, most, atLeast length, whole float32) bool {
		is := func(l length) bool {
			return l.set() && l.px(c.font, whole) <= least && (l.u != unitPercent || l.n <= 0.1)
		}
		return (is(size) || is(most)) && !(atLeast.set() && atLeast.px(c.font, whole) > 2*least)
	}
	room := x.padding.set() && x.padding.px(c.font, screenWidth) >= 10
	switch {
	case small(x.height, x.maxHeight, x.minHeight, screenHeight) && !room:
		if x.height.set() && x.height.px(c.font, screenHeight) <= least {
			return pHeight
		}
		return pMaxHeight
	case small(x.width, x.maxWidth, x.minWidth, screenWidth):
		if x.width.set() && x.width.px(c.font, screenWidth) <= least {
			return pWidth
		}
		return pMaxWidth
	case c.line.set() && c.line.px(c.font, c.font) <= least && !x.height.set() && !x.minHeight.set() && !room:
		return pLineHeight
	}
	return pNone
}

// textReason tells why text that stands directly in an element is not seen.
func (c *computed) textReason(b *builder) Reason {
	switch {
	case c.hide != 0:
		return c.hide
	case c.visibility != 0:
		return c.visibility
	case c.indent != 0:
		return c.indent
	case c.font <= leastFont:
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
	if !c.unknown && !c.shadow && text.over(c.back, alpha).near(c.back) {
		return Colour
	}
	return 0
}
