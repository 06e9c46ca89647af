package view

// What cannot be told. Where a browser may hide something and it cannot be told here whether it does, the text counts
// as hidden: a reader that acts on codes, links and sums must not be given what a person may not see. That is so for
// declarations whose value is not understood, for rules whose selector or condition is not followed, and for
// everything once a bound on work is met. What could only show something in such a case does not count.

// doubts gives for some declarations, of which it cannot be told whether they apply, those that count.
func (s *sheet) doubts(decls [2]int32) [2]int32 {
	from := int32(len(s.decls))
	for _, d := range s.decls[decls[0]:decls[1]] {
		if (d.id == pColour || d.id == pBackground) && d.kw == kwNone && d.colour != 0 {
			d.doubt = from + 1 // the declarations of a rule apply together, or none of them
			s.decls = append(s.decls, d)
		} else if d.mayHide() {
			s.decls = append(s.decls, decl{id: d.id, important: d.important, kw: kwUndecided})
		}
	}
	return [2]int32{from, int32(len(s.decls))}
}

// maybe is a colour that text or what is behind it has where rules apply of which that cannot be told.
type maybe struct {
	colour colour // 0: none
	rule   int32
}

// mayPaint notes a colour in doubt. Of several different ones it cannot be told what they come to.
func (c *computed) mayPaint(d *decl, parent *computed) (told bool) {
	at, value := &c.mayColour, d.colour
	if d.id == pBackground {
		at, value = &c.mayBack, d.colour.over(parent.back, d.colour.alpha())
	}
	told = at.colour == 0 || at.colour == value
	*at = maybe{value, d.doubt}
	return told
}

// painted takes colours that are certain in place of those in doubt.
func (c *computed) painted(d *decl, parent *computed) {
	switch {
	case d.id == pColour && d.kw == kwInherit:
		c.mayColour = parent.mayColour
	case d.id == pColour:
		c.mayColour = maybe{}
	case d.id == pBackground && d.colour.alpha() >= 0.95:
		c.mayBack = maybe{}
	}
}

// mayFade tells whether text has the colour of what is behind it where rules apply of which that cannot be told.
func (c *computed) mayFade(text colour) bool {
	texts, backs := []colour{text, c.mayColour.colour}, []colour{c.back, c.mayBack.colour}
	together := c.mayColour.rule == c.mayBack.rule
	for i, text := range texts {
		for j, back := range backs {
			if text == 0 || back == 0 || together && i != j {
				continue
			}
			if alpha := text.alpha() * c.opacity; alpha < leastOpacity || text.over(back, alpha).near(back) {
				return true
			}
		}
	}
	return false
}

// mayHide tells whether a declaration can hide an element, together with others.
func (d *decl) mayHide() bool {
	switch d.id {
	case pColour, pFill, pBackground:
		return true
	}
	if d.kw == kwUndecided {
		return true
	}
	c := rootStyle
	x := box{opacity: 1, zoom: 1, overflow: kwHidden, position: kwAbsolute, backface: kwHidden}
	x.take(d, &element{}, &c, &rootStyle)
	if d.id == pDisplay {
		c.display = d.kw
	}
	c.opacity, c.zoom = x.opacity, x.zoom
	hide, _ := x.hides(&element{}, &c, &rootStyle)
	return hide != 0 || x.mso == kwHidden || x.filter == kwYes || x.filter == kwFlat || c.textReason() != 0
}

// undecided tells whether a property may hide the element whose value cannot be told.
func (x *box) undecided() bool {
	const sizes = 1<<pWidth | 1<<pHeight | 1<<pMaxWidth | 1<<pMaxHeight
	const offsets = 1<<pLeft | 1<<pTop | 1<<pRight | 1<<pBottom
	const harmless = 1<<pMinWidth | 1<<pMinHeight | 1<<pPaddingTop | 1<<pPaddingRight | 1<<pPaddingBottom |
		1<<pPaddingLeft | 1<<pLineHeight | 1<<pFontFamily | 1<<pFontWeight | 1<<pShadow | 1<<pFloat | 1<<pBoxSizing |
		1<<pPerspective | 1<<pBackgroundImage | 1<<pBackgroundSize | 1<<pBackface | 1<<pOverflow | 1<<pZIndex
	doubts := x.unsure &^ harmless
	if x.overflow != kwHidden {
		doubts &^= sizes
	}
	if x.position == kwNone || x.position == kwShown {
		doubts &^= offsets
	}
	return doubts != 0
}
