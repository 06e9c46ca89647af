package code

import "strings"

// tag is what an element does to the text.
type tag uint8

const (
	tagInline    tag = iota
	tagBlock         // begins and ends a line
	tagParagraph     // is set apart by empty lines
	tagHeading
	tagFixed // code and the like
	tagCell
	tagVoid // has no content
	tagRaw  // has content that is no text
)

// tagKind looks a name up in any case.
func tagKind(name string) tag {
	var low [12]byte
	if len(name) > len(low) {
		return tagInline
	}
	for i := range len(name) {
		low[i] = lowered[name[i]]
	}
	switch string(low[:len(name)]) {
	case "p", "table", "ul", "ol", "dl", "blockquote", "hr", "section", "article":
		return tagParagraph
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return tagHeading
	case "address", "body", "center", "dd", "div", "dt", "figure", "footer", "form", "header", "li", "main",
		"tbody", "tfoot", "thead", "tr":
		return tagBlock
	case "pre", "code", "kbd", "samp", "tt":
		return tagFixed
	case "td", "th":
		return tagCell
	case "br", "img", "input", "meta", "link", "col", "area", "base", "wbr", "source", "embed", "param", "track":
		return tagVoid
	case "style", "script", "title", "textarea", "template", "noscript", "svg", "select", "object", "xml":
		return tagRaw
	}
	return tagInline
}

// gap is the white space an element begins with.
func (t tag) gap() gap {
	switch t {
	case tagBlock:
		return gapLine
	case tagParagraph, tagHeading:
		return gapBlank
	case tagCell:
		return gapTab
	}
	return gapNone
}

// gapAfter is the white space it ends with: a cell is parted from the next by the start of that.
func (t tag) gapAfter() gap {
	if t == tagCell {
		return gapNone
	}
	return t.gap()
}

func isTag(a, b string) bool { return len(a) == len(b) && strings.EqualFold(a, b) }

// readStyle takes from the attributes of a tag whether its element is hidden, and whether it stands out.
func readStyle(attributes string, e *element) {
	for s := attributes; ; {
		i := 0
		for i < len(s) && !isLetter(s[i]) {
			i++
		}
		name := attributeName(s[i:])
		if name == "" {
			return
		}
		value, rest := attributeValue(s[i+len(name):])
		s = rest
		switch {
		case isTag(name, "hidden"):
			e.hidden = true
		case isTag(name, "style"):
			readDeclarations(value, e)
		case isTag(name, "size") && isTag(e.tag, "font"):
			e.strong = e.strong || value > "3" && value <= "9" || strings.HasPrefix(value, "+")
		}
	}
}

func attributeName(s string) string {
	n := 0
	for n < len(s) && (isAlnum(s[n]) || s[n] == '-' || s[n] == ':' || s[n] == '_') {
		n++
	}
	return s[:n]
}

// attributeValue is the value s begins with, if it begins with an equals sign, and what follows.
func attributeValue(s string) (value, rest string) {
	t := strings.TrimLeft(s, " \t\r\n")
	if !strings.HasPrefix(t, "=") {
		return "", s
	}
	t = strings.TrimLeft(t[1:], " \t\r\n")
	if t != "" && (t[0] == '"' || t[0] == '\'') {
		if end := strings.IndexByte(t[1:], t[0]); end >= 0 {
			return t[1 : 1+end], t[2+end:]
		}
		return t[1:], ""
	}
	end := strings.IndexAny(t, " \t\r\n>")
	if end < 0 {
		return t, ""
	}
	return t[:end], t[end:]
}

// readDeclarations reads a style attribute.
func readDeclarations(style string, e *element) {
	for style != "" {
		var one string
		one, style, _ = strings.Cut(style, ";")
		name, value, ok := strings.Cut(one, ":")
		if !ok {
			continue
		}
		declaration(strings.TrimSpace(name), strings.TrimSpace(value), e)
	}
}

func declaration(name, value string, e *element) {
	switch {
	case isTag(name, "display"):
		e.hidden = e.hidden || hasWord(value, "none")
	case isTag(name, "visibility"):
		e.hidden = e.hidden || hasWord(value, "hidden")
	case isTag(name, "mso-hide"):
		e.hidden = e.hidden || hasWord(value, "all")
	case isTag(name, "opacity"):
		e.hidden = e.hidden || value == "0"
	case isTag(name, "font-size"):
		switch px := pixels(value); {
		case px == 0:
			e.hidden = true
		case px >= 20:
			e.strong = true
		}
	case isTag(name, "letter-spacing"):
		e.strong = e.strong || pixels(value) >= 2
	case isTag(name, "font-family"):
		e.strong = e.strong || strings.Contains(value, "mono") || strings.Contains(value, "ourier")
	}
}

// hasWord says whether a value begins with a word.
func hasWord(value, word string) bool {
	return len(value) >= len(word) && strings.EqualFold(value[:len(word)], word)
}

// pixels is a length in pixels, roughly; -1 if it is none. Letter spacing of a tenth of an em and more counts as
// two pixels.
func pixels(value string) int {
	n, i, frac := 0, 0, false
	for i < len(value) && isDigit(value[i]) && i < 5 {
		n = n*10 + int(value[i]-'0')
		i++
	}
	digits := i
	if i < len(value) && value[i] == '.' {
		for i++; i < len(value) && isDigit(value[i]); i++ {
			frac = frac || value[i] != '0'
			digits++
		}
	}
	if digits == 0 {
		return -1
	}
	switch unit := value[i:]; {
	case hasWord(unit, "em"), hasWord(unit, "rem"):
		n *= 16
		if frac {
			n += 4
		}
	case hasWord(unit, "pt"):
		n = n * 4 / 3
	case hasWord(unit, "%"):
		n = n * 16 / 100
	case frac:
		n++
	}
	return n
}
