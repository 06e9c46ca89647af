package view

import "strings"

// appendDecl appends what a declaration means. One with a value that makes no sense means nothing, as in browsers.
func appendDecl(list []decl, id property, name, value string) []decl {
	if value == "" {
		return list
	}
	switch value {
	case "inherit":
		return append(list, decl{id: id, kw: kwInherit})
	case "unset", "revert", "revert-layer":
		if id.inherited() {
			return append(list, decl{id: id, kw: kwInherit})
		}
		return append(list, decl{id: id, kw: kwInitial})
	case "initial":
		return append(list, decl{id: id, kw: kwInitial})
	}
	switch id {
	case pOverflow:
		return appendOverflow(list, name, value)
	case pOffsetPath:
		if value != "none" && value != "auto" { // where it leads is not followed
			list = append(list, decl{id: id, kw: kwUndecided})
		}
		return list
	case pDisplay, pVisibility, pBackface, pPosition, pMsoHide, pContentVisibility, pFloat, pFontFamily,
		pBackgroundClip, pShadow, pBoxSizing, pTextSecurity, pAnimationEnd, pMaskDetail, pBackgroundSize, pContain,
		pTableLayout, pGridRows:
		if kw := keywordOf(id, value); kw != kwNone {
			list = append(list, decl{id: id, kw: kw})
		}
		return list
	case pColour, pFill:
		if c, ok := parseColour(value); ok {
			list = append(list, decl{id: id, colour: c})
		} else if value == "currentcolor" {
			list = append(list, decl{id: id, kw: kwInherit})
		}
		return list
	case pBackground, pBackgroundImage:
		return appendBackground(list, id, len(name) == len("background"), value)
	case pFontSize:
		return appendFont(list, name, value)
	case pFontWeight:
		n, _, ok := number(value)
		kw := kwShown
		if ok && n >= 600 || value == "bold" || value == "bolder" {
			kw = kwYes
		}
		return append(list, decl{id: id, kw: kw})
	case pTransform, pScale, pTranslate, pRotate:
		s := transformOf(functionOf(id, value))
		return append(list, decl{id: id, kw: s.kw, length: length{s.scale, unitPx}, z: s.z})
	case pClip, pClipPath, pMask:
		return append(list, decl{id: id, kw: shapeOf(id, value)})
	case pFilter:
		return append(list, filterOf(value))
	case pMarginLeft, pLeft, pTop, pPaddingTop:
		return appendSides(list, id, name, value)
	case pOpacity, pZoom:
		v, ok := evaluate(value, 1)
		switch {
		case ok:
			return append(list, decl{id: id, length: length{v, unitPx}})
		case strings.IndexByte(value, '(') < 0:
			list = append(list, decl{id: id, kw: kwInitial})
		}
		return list
	case pLineHeight:
		if n, rest, ok := number(value); !ok {
			return append(list, decl{id: id, kw: kwInitial})
		} else if rest == "" {
			return append(list, decl{id: id, length: length{n, unitEm}})
		}
	}
	first, _ := cutWord(value)
	if l, ok := parseLength(first); ok {
		return append(list, decl{id: id, length: l})
	}
	switch first {
	case "auto", "none", "normal", "max-content", "min-content", "fit-content":
		return append(list, decl{id: id, length: length{0, unitAuto}})
	}
	return list
}

func keywordOf(id property, value string) keyword {
	switch id {
	case pDisplay:
		return displayOf(value)
	case pVisibility, pBackface:
		switch value {
		case "hidden", "collapse":
			return kwHidden
		case "visible":
			return kwShown
		}
	case pContain:
		size := strings.Contains(value, "strict") || strings.Contains(value, "size") && value != "inline-size"
		switch {
		case size && (strings.Contains(value, "strict") || strings.Contains(value, "paint")):
			return kwHidden
		case size:
			return kwYes
		}
		return kwShown
	case pTableLayout:
		if value == "fixed" {
			return kwYes
		}
		return kwShown
	case pGridRows:
		if rows, _, _ := strings.Cut(value, "/"); noRows(rows) {
			return kwHidden
		}
		return kwShown
	case pPosition:
		switch value {
		case "absolute":
			return kwAbsolute
		case "fixed":
			return kwFixed
		case "relative", "sticky", "-webkit-sticky":
			return kwRelative
		case "static":
			return kwShown
		}
	case pMsoHide:
		if value == "all" || value == "screen" {
			return kwHidden
		}
		return kwShown
	case pContentVisibility:
		if value == "hidden" {
			return kwHidden
		}
		return kwShown
	case pFloat:
		if value == "left" || value == "right" {
			return kwYes
		}
		return kwShown
	case pFontFamily:
		if strings.Contains(value, "mono") || strings.Contains(value, "ourier") {
			return kwMono
		}
		return kwShown
	case pBackgroundClip:
		if value == "text" {
			return kwYes
		}
		return kwShown
	case pBoxSizing:
		if value == "border-box" {
			return kwYes
		}
		return kwShown
	case pAnimationEnd:
		switch {
		case strings.Contains(value, "forwards") || strings.Contains(value, "both"):
			return kwYes
		case strings.Contains(value, "paused"):
			return kwHidden
		}
		return kwShown
	case pShadow, pTextSecurity, pMaskDetail, pBackgroundSize:
		if value == "none" || value == "auto" {
			return kwShown
		}
		return kwYes
	}
	return kwNone
}

// appendOverflow reads what becomes of what does not fit: whether it is cut off at the edge, and whether nobody can
// scroll to it.
func appendOverflow(list []decl, name, value string) []decl {
	across, down := cutWord(value)
	if down = trim(down); down == "" {
		down = across
	}
	edge, cut := kwShown, kwShown
	switch across {
	case "hidden", "clip", "scroll", "auto", "overlay":
		edge = kwHidden
	case "visible":
	default:
		return list
	}
	switch name = lowered(name); {
	case name == "overflow-x" || name == "overflow-inline":
		return append(list, decl{id: pOverflow, kw: edge})
	case down == "hidden" || down == "clip":
		cut = kwYes
	}
	return append(list, decl{id: pOverflow, kw: edge}, decl{id: pCut, kw: cut})
}

// noRows tells whether the rows of a grid have no height: "0", "0fr 0fr", "minmax(0, 0)".
func noRows(value string) bool {
	rows := 0
	for value != "" {
		var row string
		if row, value = cutWord(value); row == "" {
			continue
		}
		least, most := row, ""
		if args, ok := strings.CutPrefix(row, "minmax("); ok {
			least, most, _ = strings.Cut(args, ",")
		}
		if n, _, ok := number(least); !ok || n > 0 {
			return false
		}
		if n, _, ok := number(trim(most)); most != "" && (!ok || n > 0) {
			return false
		}
		rows++
	}
	return rows > 0
}

func displayOf(value string) keyword {
	switch value {
	case "none":
		return kwNo
	case "inline", "ruby", "ruby-base", "ruby-text", "inline flow", "run-in":
		return kwInline
	case "block", "flow-root", "list-item", "table-caption", "block flow":
		return kwBlock
	case "flex", "grid", "-webkit-box", "-webkit-flex", "-ms-flexbox":
		return kwFlex
	case "inline-block", "inline-flex", "inline-grid", "inline-table", "-webkit-inline-box", "-webkit-inline-flex":
		return kwInlineBlock
	case "table":
		return kwTable
	case "table-cell":
		return kwCell
	case "table-row", "table-row-group", "table-header-group", "table-footer-group":
		return kwRow
	case "table-column", "table-column-group":
		return kwNo
	case "contents":
		return kwContents
	}
	return kwNone
}

// appendBackground reads a background: its colour, and whether there is an image, of which nobody knows the colour.
func appendBackground(list []decl, id property, all bool, value string) []decl {
	image := decl{id: pBackgroundImage, kw: kwShown}
	switch {
	case strings.Contains(value, "url(") || strings.Contains(value, "image-set("):
		image.kw = kwYes
	case strings.Contains(value, "gradient("):
		image.kw, image.colour = kwYes, flatColour(value)
		if strings.Contains(value, "no-repeat") || strings.Contains(value, "/") {
			image.colour = 0
		}
	}
	if id == pBackgroundImage {
		return append(list, image)
	}
	if all { // it takes back an image that was declared before
		list = append(list, image)
	}
	if c, ok := parseColour(value); ok {
		return append(list, decl{id: pBackground, colour: c})
	}
	found := decl{id: pBackground}
	if value == "currentcolor" {
		found.kw = kwYes
	}
	for rest := value; rest != ""; {
		var word string
		word, rest = cutWord(rest)
		if c, ok := parseColour(word); ok {
			found.colour = c
		} else if colourLike(word) {
			return append(list, decl{id: pBackground, kw: kwUndecided})
		}
	}
	return append(list, found)
}

// colourLike tells whether a function is one of colours.
func colourLike(word string) bool {
	name, _, ok := strings.Cut(word, "(")
	return ok && name != "url" && !strings.HasSuffix(name, "gradient") && !strings.HasSuffix(name, "image-set")
}

// flatColour is the colour that most of a gradient has; 0 where there is none.
func flatColour(value string) (most colour) {
	best, all := 0, coloursOf(value)
	for _, c := range all {
		n := 0
		for _, d := range all {
			if c.near(d) && c.alpha() > 0.95 && d.alpha() > 0.95 {
				n++
			}
		}
		if n > best {
			best, most = n, c
		}
	}
	if 3*best < 2*len(all) {
		return 0
	}
	return most
}

// coloursOf are the first colours of a list, and of the gradients in it.
func coloursOf(value string) (list []colour) {
	const enough = 16
	for value != "" && len(list) < enough {
		var word string
		word, value = cutWord(value)
		open := strings.IndexByte(word, '(')
		if open >= 0 && !colourLike(word) {
			word, value = cutWord(word[open+1:]) // the first gradient is enough
		}
		if c, ok := parseColour(word); ok {
			list = append(list, c)
		}
	}
	return list
}

// appendFont reads font-size, or the size of font: "bold 0/0 a".
func appendFont(list []decl, name, value string) []decl {
	if len(name) > len("font") {
		if l, ok := fontSize(value); ok {
			list = append(list, decl{id: pFontSize, length: l})
		}
		return list
	}
	for word := range strings.FieldsSeq(value) {
		size, height, slash := strings.Cut(word, "/")
		l, ok := fontSize(size)
		if n, _, isNumber := number(size); !ok || isNumber && n >= 100 && l.u == unitPx && size[len(size)-1]-'0' < 10 {
			if word == "bold" || isNumber && n >= 600 {
				list = append(list, decl{id: pFontWeight, kw: kwYes})
			}
			continue
		}
		list = append(list, decl{id: pFontSize, length: l})
		if h, ok := parseLength(height); slash && ok {
			if h.u == unitPx && !strings.HasSuffix(height, "x") {
				h.u = unitEm
			}
			list = append(list, decl{id: pLineHeight, length: h})
		}
		if strings.Contains(value, "mono") || strings.Contains(value, "ourier") {
			list = append(list, decl{id: pFontFamily, kw: kwMono})
		}
		return list
	}
	return list
}

func fontSize(s string) (length, bool) {
	switch s {
	case "xx-small":
		return length{9, unitPx}, true
	case "x-small":
		return length{10, unitPx}, true
	case "small":
		return length{13, unitPx}, true
	case "medium":
		return length{16, unitPx}, true
	case "large":
		return length{18, unitPx}, true
	case "x-large":
		return length{24, unitPx}, true
	case "xx-large":
		return length{32, unitPx}, true
	case "xxx-large":
		return length{48, unitPx}, true
	case "smaller":
		return length{0.83, unitEm}, true
	case "larger":
		return length{1.2, unitEm}, true
	}
	l, ok := parseLength(s)
	return l, ok && l.n >= 0
}

// appendSides reads margin, inset, padding and their sides.
func appendSides(list []decl, id property, name, value string) []decl {
	var room [4]length
	sides := numbers(value, room[:0])
	if len(sides) == 0 {
		if strings.IndexByte(value, '(') < 0 {
			list = append(list, decl{id: id, length: length{0, unitAuto}})
		}
		return list
	}
	side := func(i int) length { // 0 is above, and so on with the clock
		for i >= len(sides) {
			i = max(i-2, 0)
		}
		return sides[i]
	}
	switch lowered(name) {
	case "margin":
		return append(list, decl{id: pMarginTop, length: side(0)}, decl{id: pMarginLeft, length: side(3)})
	case "inset":
		return append(list, decl{id: pTop, length: side(0)}, decl{id: pRight, length: side(1)},
			decl{id: pBottom, length: side(2)}, decl{id: pLeft, length: side(3)})
	case "padding":
		return append(list, decl{id: pPaddingTop, length: side(0)}, decl{id: pPaddingRight, length: side(1)},
			decl{id: pPaddingBottom, length: side(2)}, decl{id: pPaddingLeft, length: side(3)})
	}
	return append(list, decl{id: id, length: sides[0]})
}

// How far something is moved to be out of sight.
const (
	farAway  = 200 // pixels, of what stands outside of the flow
	farFlow  = 500 // of what stands in it
	farRight = 1000
)

// functionOf is the value of a property as one of transform.
func functionOf(id property, value string) string {
	switch {
	case value == "none":
		return ""
	case id == pScale:
		return "scale(" + value + ")"
	case id == pTranslate:
		return "translate3d(" + value + ")"
	case id == pRotate:
		return rotateOf(value)
	}
	return value
}

// shapeOf tells whether a clip or a mask leaves nothing to see.
func shapeOf(id property, value string) keyword {
	hides := false
	switch id {
	case pClip:
		hides = emptyRect(value)
	case pClipPath:
		if strings.HasPrefix(value, "url(") || strings.HasPrefix(value, "shape(") {
			return kwUndecided
		}
		hides = emptyPath(value)
	case pMask:
		if value == "none" {
			return kwShown
		}
		hides = true // an image that is not loaded, too
		for _, c := range coloursOf(value) {
			hides = hides && c.alpha() < leastOpacity
		}
		if !hides {
			return kwYes
		}
	}
	if hides {
		return kwHidden
	}
	return kwShown
}

// emptyRect tells whether a clip has no area: rect(0 0 0 0), rect(1px, 1px, 1px, 1px).
func emptyRect(value string) bool {
	if !strings.HasPrefix(value, "rect(") {
		return false
	}
	var room [4]length
	s := numbers(value[len("rect("):], room[:0])
	if len(s) < 4 {
		return false
	}
	top, right, bottom, left := s[0], s[1], s[2], s[3]
	flat := func(a, b length) bool { return b.u != unitAuto && b.px(rootSize, 0)-a.px(rootSize, 0) <= 1 }
	return flat(top, bottom) || flat(left, right)
}
