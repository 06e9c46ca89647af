package view

// What cannot be told. Where a browser may hide something and it cannot be told here whether it does, the text counts
// as hidden: a reader that acts on codes, links and sums must not be given what a person may not see. That is so for
// declarations whose value is not understood, for rules whose selector or condition is not followed, and for
// everything once a bound on work is met. What could only show something in such a case does not count.

// doubts gives for some declarations, of which it cannot be told whether they apply, those that count.
func (s *sheet) doubts(decls [2]int32) [2]int32 {
	from := int32(len(s.decls))
	for _, d := range s.decls[decls[0]:decls[1]] {
		if d.mayHide() {
			s.decls = append(s.decls, decl{id: d.id, important: d.important, kw: kwUndecided})
		}
	}
	return [2]int32{from, int32(len(s.decls))}
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
