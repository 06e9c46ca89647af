package view

import "strings"

// property is one that matters for what is seen.
type property uint8

const (
	pNone property = iota
	pDisplay
	pVisibility
	pOpacity
	pOverflow
	pWidth
	pHeight
	pMaxWidth
	pMaxHeight
	pMinWidth
	pMinHeight
	pPosition
	pLeft
	pTop
	pRight
	pBottom
	pMarginLeft
	pMarginTop
	pTextIndent
	pTransform
	pScale
	pTranslate
	pClip
	pClipPath
	pMsoHide
	pColour
	pFill
	pBackground
	pBackgroundImage
	pBackgroundClip
	pFontSize
	pLineHeight
	pLetterSpacing
	pFontFamily
	pFontWeight
	pFilter
	pContentVisibility
	pFloat
	pShadow
	pPaddingTop
	pPaddingRight
	pPaddingBottom
	pPaddingLeft
	pMask
	pMaskDetail
	pBackface
	pRotate
	pPerspective
	pZoom
	pBoxSizing
	pTextSecurity
	pAnimation
	pAnimationEnd
	pBackgroundSize
	pZIndex
	pCut
	pContain
	pTableLayout
	pGridRows
	pOffsetPath
	properties
)

// keyword is the value of a property that is a word, or a finding about it.
type keyword uint8

const (
	kwNone keyword = iota
	kwInherit
	kwInitial
	kwShown  // visible, static, anything that hides nothing
	kwHidden // hidden, collapse, or a shape that is empty
	kwInline
	kwBlock
	kwInlineBlock
	kwTable
	kwCell
	kwRow
	kwContents
	kwNo // display: none
	kwAbsolute
	kwRelative
	kwAway // moved out of sight
	kwMono
	kwYes
	kwTurned // its back is to be seen
	kwFixed  // to the window
	kwFlat   // all in one colour
	kwFlex   // children stand beside each other, or may
	kwUndecided
)

// inherited tells whether elements have what those around them have.
func (p property) inherited() bool {
	switch p {
	case pVisibility, pColour, pFill, pFontSize, pLineHeight, pLetterSpacing, pFontFamily, pFontWeight, pTextIndent,
		pShadow, pTextSecurity:
		return true
	}
	return false
}

// decl is a declaration that was understood.
type decl struct {
	id        property
	important bool
	kw        keyword
	length    length
	colour    colour
	z         float32 // of a transformation
	doubt     int32   // a colour of which it cannot be told whether it applies: the number of its rule; 0: it does
}

// parseDecls appends what a block of declarations says. border tells whether one of them draws a border.
func parseDecls(list []decl, css string, vars *variables) (out []decl, border bool) {
	if strings.IndexByte(css, '\\') >= 0 {
		css = unescapeCSS(css)
	}
	if strings.Contains(css, "/*") {
		css = stripComments(css)
	}
	for css != "" {
		var one string
		one, css = cutDecl(css)
		colon := strings.IndexByte(one, ':')
		if colon <= 0 {
			continue
		}
		name := trim(one[:colon])
		id := propertyOf(name)
		if id == pNone {
			border = border || len(name) >= 6 && lower(name[0]) == 'b' && strings.EqualFold(name[:6], "border")
			continue
		}
		value, important := cutImportant(trim(one[colon+1:]))
		if id != pFontFamily && value != "" && value[0] != '#' {
			value = lowered(value)
		}
		from := len(list)
		value, known := vars.resolve(value)
		if id == pAnimation {
			list = append(list, decl{id: id, length: length{vars.keep(value), unitPx}})
		} else if known {
			list = appendDecl(list, id, name, value)
		}
		computed := strings.IndexByte(value, '(') >= 0 && !strings.Contains(value, "expression(")
		if !known || len(list) == from && computed {
			list = append(list, decl{id: id, kw: kwUndecided}) // a browser may know what it comes to
		}
		for i := from; i < len(list); i++ {
			list[i].important = important
		}
	}
	return list, border
}

// trim takes off white space.
func trim(s string) string {
	for s != "" && s[0] <= ' ' {
		s = s[1:]
	}
	for s != "" && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// cutDecl parts the first declaration from the others. A semicolon in brackets or quotes does not end it.
func cutDecl(css string) (one, rest string) {
	for i := 0; i < len(css); i++ {
		switch c := css[i]; c {
		case ';':
			return css[:i], css[i+1:]
		case '(', '"', '\'':
			i = skipNested(css, i)
		}
	}
	return css, ""
}

// skipNested is the last byte of what is opened at i by a bracket or a quote.
func skipNested(css string, i int) int {
	if c := css[i]; c != '(' {
		for i++; i < len(css) && css[i] != c && css[i] != '\n'; i++ {
		}
		return i
	}
	for depth := 0; i < len(css); i++ {
		switch css[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			i = skipNested(css, i)
		}
	}
	return i
}

// cutImportant takes "!important" off.
func cutImportant(value string) (string, bool) {
	important := false
	if at := strings.LastIndexByte(value, '!'); at >= 0 && strings.EqualFold(trim(value[at+1:]), "important") {
		value, important = trim(value[:at]), true
	}
	return value, important
}

// lowered is s in lower case, without a copy where it is so already.
func lowered(s string) string {
	for i := range len(s) {
		if s[i]-'A' < 26 {
			return strings.ToLower(s)
		}
	}
	return s
}

// stripComments takes out the comments of CSS.
func stripComments(css string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(css, "/*")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, css, ok = strings.Cut(rest, "*/")
		if !ok {
			return b.String()
		}
	}
}

// unescapeCSS resolves escapes: \64 isplay is display. What would change the structure becomes a letter that means
// nothing.
func unescapeCSS(css string) string { return resolveEscapes(css, ";:{}()\"'/*!,@") }

// unescapeName resolves the escapes of a name, in which nothing has a meaning.
func unescapeName(name string) string { return resolveEscapes(name, "") }

func resolveEscapes(css, meant string) string {
	var b strings.Builder
	for i := 0; i < len(css); i++ {
		if css[i] != '\\' || i+1 == len(css) {
			b.WriteByte(css[i])
			continue
		}
		i++
		n, v := 0, rune(0)
		for n < 6 && i+n < len(css) && hexDigit(css[i+n]) >= 0 {
			v = v<<4 | rune(hexDigit(css[i+n]))
			n++
		}
		if n == 0 {
			v, n = rune(css[i]), 1
		} else if i+n < len(css) && css[i+n] <= ' ' {
			n++
		}
		i += n - 1
		if v < 0x80 && strings.IndexByte(meant, byte(v)) >= 0 || v <= ' ' { // a space is part of the word: none\9
			v = '\uFFFD'
		}
		b.WriteRune(v)
	}
	return b.String()
}

// propertyOf looks a property up.
func propertyOf(name string) property {
	var low [32]byte
	if len(name) > len(low) {
		return pNone
	}
	for i := range len(name) {
		low[i] = lower(name[i])
	}
	switch string(low[:len(name)]) {
	case "display":
		return pDisplay
	case "visibility":
		return pVisibility
	case "opacity", "-webkit-opacity":
		return pOpacity
	case "overflow", "overflow-x", "overflow-y", "overflow-block", "overflow-inline":
		return pOverflow
	case "width", "inline-size":
		return pWidth
	case "height", "block-size":
		return pHeight
	case "max-width", "max-inline-size":
		return pMaxWidth
	case "max-height", "max-block-size":
		return pMaxHeight
	case "min-width", "min-inline-size":
		return pMinWidth
	case "min-height", "min-block-size":
		return pMinHeight
	case "padding", "padding-top", "padding-block", "padding-block-start":
		return pPaddingTop
	case "padding-right", "padding-inline-end":
		return pPaddingRight
	case "padding-bottom", "padding-block-end":
		return pPaddingBottom
	case "padding-left", "padding-inline", "padding-inline-start":
		return pPaddingLeft
	case "position":
		return pPosition
	case "left", "inset-inline-start", "inset", "inset-inline":
		return pLeft
	case "top", "inset-block-start", "inset-block":
		return pTop
	case "right", "inset-inline-end":
		return pRight
	case "bottom", "inset-block-end":
		return pBottom
	case "margin", "margin-left", "margin-inline-start":
		return pMarginLeft
	case "margin-top", "margin-block-start":
		return pMarginTop
	case "text-indent":
		return pTextIndent
	case "transform", "-webkit-transform":
		return pTransform
	case "scale":
		return pScale
	case "translate":
		return pTranslate
	case "clip":
		return pClip
	case "clip-path", "-webkit-clip-path":
		return pClipPath
	case "mso-hide":
		return pMsoHide
	case "color":
		return pColour
	case "-webkit-text-fill-color":
		return pFill
	case "background", "background-color":
		return pBackground
	case "background-image":
		return pBackgroundImage
	case "background-clip", "-webkit-background-clip":
		return pBackgroundClip
	case "font-size", "font":
		return pFontSize
	case "line-height":
		return pLineHeight
	case "letter-spacing":
		return pLetterSpacing
	case "font-family":
		return pFontFamily
	case "font-weight":
		return pFontWeight
	case "filter", "-webkit-filter":
		return pFilter
	case "content-visibility":
		return pContentVisibility
	case "float":
		return pFloat
	case "text-shadow":
		return pShadow
	case "mask", "mask-image", "-webkit-mask", "-webkit-mask-image", "-webkit-mask-box-image", "mask-border":
		return pMask
	case "mask-size", "mask-position", "mask-repeat", "mask-composite", "mask-clip", "mask-origin", "mask-mode",
		"-webkit-mask-size", "-webkit-mask-position", "-webkit-mask-repeat", "-webkit-mask-composite",
		"-webkit-mask-clip", "-webkit-mask-origin":
		return pMaskDetail
	case "rotate":
		return pRotate
	case "perspective", "-webkit-perspective":
		return pPerspective
	case "zoom":
		return pZoom
	case "box-sizing", "-webkit-box-sizing":
		return pBoxSizing
	case "-webkit-text-security":
		return pTextSecurity
	case "animation", "-webkit-animation", "animation-name", "-webkit-animation-name":
		return pAnimation
	case "animation-fill-mode", "-webkit-animation-fill-mode", "animation-play-state":
		return pAnimationEnd
	case "z-index":
		return pZIndex
	case "background-size", "-webkit-background-size":
		return pBackgroundSize
	case "contain":
		return pContain
	case "table-layout":
		return pTableLayout
	case "grid-template-rows", "grid-template", "grid", "grid-auto-rows":
		return pGridRows
	case "offset-path", "offset":
		return pOffsetPath
	case "backface-visibility", "-webkit-backface-visibility":
		return pBackface
	}
	return pNone
}
