package link

import "strings"

// hidden follows an element that is not shown, until it is closed.
type hidden struct {
	depth int
	open  [maxOpen]string // the names of the elements that are open in it, the outermost first
}

// maxOpen bounds the elements that are told apart. What is deeper is counted.
const maxOpen = 32

// start opens an element, and tells whether it is out of sight.
func (h *hidden) start(t tag) bool {
	if h.depth == 0 && !hides(t) {
		return false
	}
	if !isVoid(t.name) {
		if h.depth < maxOpen {
			h.open[h.depth] = t.name
		}
		h.depth++
	}
	return true
}

// end closes an element, and tells whether it was out of sight.
func (h *hidden) end(name string) bool {
	if h.depth == 0 {
		return false
	}
	if h.depth > maxOpen {
		h.depth--
		return true
	}
	for i := h.depth - 1; i >= 0; i-- {
		if h.open[i] == name {
			h.depth = i
			return true
		}
	}
	if isBlock(name) || name == "td" || name == "th" {
		h.depth = 0 // what was around it is closed, so it is too
		return false
	}
	return true
}

// hides tells whether a tag hides its element: by an attribute or its own style. Style sheets are not read.
//
// QUIRK: mso-hide:all hides from Outlook alone. Buttons are often made twice, once for it and once for all others.
func hides(t tag) bool {
	return t.hidden || t.style != "" && hidesStyle(t.style) || t.name == "template"
}

func hidesStyle(css string) bool {
	const longest = 2_000
	css = css[:min(len(css), longest)]
	return namesHiding(css) && declaresHiding(css)
}

func declaresHiding(css string) bool {
	for css != "" {
		var declaration string
		declaration, css, _ = strings.Cut(css, ";")
		name, value, _ := strings.Cut(declaration, ":")
		value = strings.TrimSpace(value)
		switch name = strings.TrimSpace(name); len(name) {
		case len("display"):
			if strings.EqualFold(name, "display") && hasPrefixFold(value, "none") ||
				strings.EqualFold(name, "opacity") && isZero(value) {
				return true
			}
		case len("visibility"):
			if strings.EqualFold(name, "visibility") && (hasPrefixFold(value, "hidden") || hasPrefixFold(value, "collapse")) {
				return true
			}
		}
	}
	return false
}

// namesHiding tells whether a style has the last two letters of display, visibility or opacity, as few others have.
func namesHiding(css string) bool {
	for _, y := range [...]byte{'y', 'Y'} {
		for i := 0; ; i++ {
			n := strings.IndexByte(css[i:], y)
			if n < 0 {
				break
			}
			if i += n; i > 0 && (css[i-1]|0x20 == 'a' || css[i-1]|0x20 == 't') {
				return true
			}
		}
	}
	return false
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// isZero tells of 0 and 0.0, with "!important" after it.
func isZero(value string) bool {
	number, _, _ := strings.Cut(value, "!")
	number = strings.TrimSpace(number)
	return strings.Trim(number, "0.") == "" && strings.IndexByte(number, '0') >= 0
}

func isVoid(name string) bool {
	switch name {
	case "", "br", "img", "hr", "input", "meta", "link", "base", "col", "area", "wbr", "embed", "param", "source", "track":
		return true
	}
	return false
}
