package rfc822

import "bytes"

// hiddenBy is what the style sheets of a document hide: classes with a dot, ids with a #.
type hiddenBy map[string]bool

// maxHiddenNames bounds what is kept of style sheets.
const maxHiddenNames = 1000

// sheet reads a style sheet. Only the plainest rules count, ".name" and "#name" with or without an element, because
// they are what hides a whole passage; rules inside @media are for other screens.
func (h hiddenBy) sheet(css []byte) {
	for len(css) > 0 && len(h) < maxHiddenNames {
		open := bytes.IndexByte(css, '{')
		if open < 0 {
			return
		}
		selectors := css[:open]
		css = css[open+1:]
		if at := bytes.LastIndexByte(selectors, '@'); at >= 0 {
			css = css[blockEnd(css):]
			continue
		}
		end := bytes.IndexByte(css, '}')
		if end < 0 {
			end = len(css)
		}
		var a attributes
		if a.style(css[:end]); a.hidden || a.size == sizeZero {
			h.add(selectors)
		}
		css = css[min(end+1, len(css)):]
	}
}

// blockEnd is where a block with blocks inside it ends, after its brace.
func blockEnd(css []byte) int {
	depth := 1
	for i, c := range css {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(css)
}

// add keeps the selectors of a rule that are one name.
func (h hiddenBy) add(selectors []byte) {
	if end := bytes.LastIndex(selectors, []byte("*/")); end >= 0 {
		selectors = selectors[end+2:]
	}
	for s := range bytes.SplitSeq(selectors, []byte(",")) {
		s = trimSpace(s)
		dot := bytes.IndexAny(s, ".#")
		if dot < 0 || len(h) >= maxHiddenNames || bytes.ContainsAny(s, " >+~:[\t\r\n") || bytes.LastIndexAny(s, ".#") != dot {
			continue
		}
		h[string(s[dot:])] = true
	}
}

// hides says whether an element with these names is hidden.
func (h hiddenBy) hides(a attributes) bool {
	if len(h) == 0 || a.shown {
		return false
	}
	if a.id != "" && h["#"+a.id] {
		return true
	}
	for name := range bytes.FieldsSeq([]byte(a.class)) {
		if h["."+string(name)] {
			return true
		}
	}
	return false
}
