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
	case pDisplay, pVisibility, pBackface, pOverflow, pPosition, pMsoHide, pContentVisibility, pFloat, pFontFamily,
		pBackgroundClip, pShadow:
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
	case pTransform, pScale, pTranslate, pClip, pClipPath, pFilter, pMask:
		return append(list, decl{id: id, kw: shapeOf(id, value)})
	case pMarginLeft, pLeft, pTop:
		return appendSides(list, id, name, value)
	}
	if id == pLineHeight || id == pOpacity {
		n, rest, ok := number(value)
		if l, calc := parseLength(value); !ok && calc && id == pOpacity && !strings.Contains(value, "%") {
			n, ok = l.n, true
		}
		if !ok {
			return append(list, decl{id: id, kw: kwInitial})
		}
		if rest == "" && id == pLineHeight {
			return append(list, decl{id: id, length: length{n, unitEm}})
		}
		if rest == "%" && id == pOpacity {
			n /= 100
		}
		if id == pOpacity {
			return append(list, decl{id: id, length: length{n, unitPx}})
		}
	}
	first, _, _ := strings.Cut(value, " ")
	if strings.HasPrefix(value, "calc(") {
		first = value
	}
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
	case pOverflow:
		switch first, _, _ := strings.Cut(value, " "); first {
		case "hidden", "clip", "scroll", "auto", "overlay":
			return kwHidden
		case "visible":
			return kwShown
		}
	case pPosition:
		switch value {
		case "absolute", "fixed":
			return kwAbsolute
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
	case pShadow:
		if value == "none" {
			return kwShown
		}
		return kwYes
	}
	return kwNone
}

func displayOf(value string) keyword {
	switch value {
	case "none":
		return kwNo
	case "inline", "ruby", "ruby-base", "ruby-text", "inline flow", "run-in":
		return kwInline
	case "block", "flex", "grid", "flow-root", "list-item", "-webkit-box", "-webkit-flex", "table-caption",
		"block flow", "-ms-flexbox":
		return kwBlock
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
	image := strings.Contains(value, "url(") || strings.Contains(value, "gradient(") ||
		strings.Contains(value, "image-set(")
	if id == pBackgroundImage {
		kw := kwShown
		if image {
			kw = kwYes
		}
		return append(list, decl{id: pBackgroundImage, kw: kw})
	}
	if all { // it takes back an image that was declared before
		list = append(list, decl{id: pBackgroundImage, kw: kwShown})
	}
	if c, ok := parseColour(value); ok {
		return append(list, decl{id: pBackground, colour: c})
	}
	rest := value
	found := decl{id: pBackground}
	if value == "currentcolor" {
		found.kw = kwYes
	}
	for rest != "" {
		word := rest
		end := 0
		for end < len(rest) && rest[end] > ' ' {
			if rest[end] == '(' {
				end = min(skipNested(rest, end), len(rest)-1)
			}
			end++
		}
		word, rest = rest[:end], trim(rest[end:])
		if c, ok := parseColour(strings.TrimSuffix(word, ",")); ok {
			found.colour = c
		}
	}
	if list = append(list, found); image {
		list = append(list, decl{id: pBackgroundImage, kw: kwYes})
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

// appendSides reads margin, inset and their sides.
func appendSides(list []decl, id property, name, value string) []decl {
	name = strings.ToLower(name)
	if name != "margin" && name != "inset" {
		first, _, _ := strings.Cut(value, " ")
		if l, ok := parseLength(value); ok {
			return append(list, decl{id: id, length: l})
		} else if l, ok := parseLength(first); ok {
			return append(list, decl{id: id, length: l})
		}
		return append(list, decl{id: id, length: length{0, unitAuto}})
	}
	var room [4]length
	sides := numbers(value, room[:0])
	if len(sides) == 0 {
		return list
	}
	top, left := sides[0], sides[0]
	switch len(sides) {
	case 2, 3:
		left = sides[1]
	case 4:
		left = sides[3]
	}
	if name == "margin" {
		return append(list, decl{id: pMarginTop, length: top}, decl{id: pMarginLeft, length: left})
	}
	return append(list, decl{id: pTop, length: top}, decl{id: pLeft, length: left})
}

// How far something is moved to be out of sight.
const (
	farAway  = 200 // pixels, of what stands outside of the flow
	farFlow  = 500 // of what stands in it
	farRight = 1000
)

// shapeOf tells whether a transformation, a clip or a filter leaves nothing to see.
func shapeOf(id property, value string) keyword {
	hides := false
	switch id {
	case pClip:
		hides = emptyRect(value)
	case pClipPath:
		hides = emptyPath(value)
	case pFilter:
		if _, after, ok := strings.Cut(value, "opacity("); ok && !strings.Contains(value, "alpha(") {
			n, rest, isNumber := number(after)
			if strings.HasPrefix(rest, "%") {
				n /= 100
			}
			hides = isNumber && n < leastOpacity
		}
	case pMask:
		hides = strings.Contains(value, "gradient(transparent") && !strings.ContainsAny(value, "#") &&
			!strings.Contains(value, "black") &&
			!strings.Contains(value, "white") && !strings.Contains(value, "rgb")
	case pScale:
		var room [3]length
		for i, l := range numbers(value, room[:0]) {
			hides = hides || i < 2 && l.n > -0.02 && l.n < 0.02
		}
	case pTranslate:
		return awayOf("translate", value)
	case pTransform:
		return transformOf(value)
	}
	if hides {
		return kwHidden
	}
	return kwShown
}

// transformOf goes through the functions of a transformation.
func transformOf(value string) keyword {
	turned := false
	for value != "" {
		open := strings.IndexByte(value, '(')
		if open < 0 {
			break
		}
		end := min(skipNested(value, open), len(value))
		name, args := trim(value[:open]), value[open+1:end]
		value = strings.TrimLeft(value[min(end+1, len(value)):], " ,\t\n")
		var room [6]length
		list := numbers(args, room[:0])
		flat := func(i int) bool { return i < len(list) && list[i].n > -0.02 && list[i].n < 0.02 }
		switch {
		case strings.HasPrefix(name, "scale"):
			if flat(0) && name != "scalez" || (name == "scale" || name == "scale3d") && flat(1) {
				return kwHidden
			}
		case name == "matrix":
			if flat(0) && flat(1) || flat(2) && flat(3) {
				return kwHidden
			}
		case (name == "rotatex" || name == "rotatey") && len(list) == 1 && (list[0].n == 180 || list[0].n == -180):
			turned = true
		case name == "rotatex" || name == "rotatey":
			if len(list) == 1 && (list[0].n == 90 || list[0].n == 270 || list[0].n == -90) {
				return kwHidden
			}
		case strings.HasPrefix(name, "translate"):
			if kw := awayOf(name, args); kw == kwAway {
				return kw
			}
		}
	}
	if turned {
		return kwTurned
	}
	return kwShown
}

// awayOf tells whether a translation moves something out of sight.
func awayOf(name, args string) keyword {
	if name == "translatez" {
		return kwShown
	}
	var room [3]length
	for i, l := range numbers(args, room[:0]) {
		if i > 1 {
			break
		}
		if v := l.px(rootSize, screenWidth); v <= -farFlow || v >= farRight {
			return kwAway
		}
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

// emptyPath tells whether a clip path has no area.
func emptyPath(value string) bool {
	name, args, ok := strings.Cut(value, "(")
	if !ok {
		return false
	}
	var room [16]length
	switch trim(name) {
	case "inset":
		args, _, _ = strings.Cut(args, "round")
		s := numbers(args, room[:0:4])
		if len(s) == 0 {
			return false
		}
		side := func(i int) length {
			for i >= len(s) {
				if i -= 2; i < 0 {
					i = 0
				}
			}
			return s[i]
		}
		shut := func(a, b length) bool {
			return a.u == unitPercent && b.u == unitPercent && a.n+b.n >= 99 || a.u == unitPercent && a.n >= 99 ||
				b.u == unitPercent && b.n >= 99 || a.u != unitPercent && a.px(rootSize, 0) >= farRight
		}
		return shut(side(0), side(2)) || shut(side(1), side(3))
	case "circle", "ellipse":
		args, _, _ = strings.Cut(args, "at")
		for _, l := range numbers(args, room[:0:2]) {
			if l.n <= 1 {
				return true
			}
		}
	case "polygon", "rect", "xywh":
		return flatPolygon(trim(name), numbers(args, room[:0]))
	case "path":
		return false
	}
	return false
}

func flatPolygon(name string, s []length) bool {
	if len(s) < 4 {
		return name == "polygon" && len(s) > 0
	}
	if name == "xywh" {
		return s[2].n <= 1 || s[3].n <= 1
	}
	if name == "rect" {
		return s[2].n-s[0].n <= 1 || s[1].n-s[3].n <= 1
	}
	sameX, sameY := true, true
	for i := 2; i+1 < len(s); i += 2 {
		sameX, sameY = sameX && s[i].n == s[0].n, sameY && s[i+1].n == s[1].n
	}
	return sameX || sameY
}
