package record

import (
	"html"
	"strings"
	"unicode/utf8"
)

// jsonReader reads JSON as senders write it, and never fails: what makes no sense is stepped over. repaired says that
// something had to be.
//
// Taken are comments, CDATA, single and curly quotes, keys without quotes, commas too many and too few, line ends and
// quotes inside texts, several documents in a row, brackets that are missing at the end, and HTML entities.
type jsonReader struct {
	s        string
	i        int
	depth    int
	budget   int // of things and texts that may yet be read
	arrays   int // open ones
	repaired bool
}

// Bounds of JSON.
const (
	maxJSONDepth = 64
	maxJSONNodes = 20000
	maxJSONText  = 8000
	farQuote     = 200 // how far is looked past a quote to see whether it closes a text
)

// readJSON returns the things of all documents in s.
func readJSON(s string) (roots []*node, repaired bool) {
	if strings.IndexByte(s, '"') < 0 && strings.Contains(s, "&quot;") {
		s, repaired = html.UnescapeString(s), true
	}
	r := &jsonReader{s: s, budget: maxJSONNodes, repaired: repaired}
	for documents := 0; ; documents++ {
		r.space()
		next := strings.IndexAny(r.s[r.i:], "{[")
		if next < 0 || r.budget <= 0 {
			return roots, r.repaired
		}
		r.repaired = r.repaired || documents > 0 || strings.TrimSpace(r.s[r.i:r.i+next]) != ""
		r.i += next
		for _, v := range r.value() {
			if v.node != nil {
				roots = append(roots, v.node)
			}
		}
	}
}

// space steps over blanks, comments and what belongs to the HTML around.
func (r *jsonReader) space() {
	for r.i < len(r.s) {
		rest := r.s[r.i:]
		switch {
		case rest[0] <= ' ':
			r.i++
		case strings.HasPrefix(rest, "\u00a0"), strings.HasPrefix(rest, "\u200b"), strings.HasPrefix(rest, "\ufeff"),
			strings.HasPrefix(rest, "\u2028"):
			_, size := utf8.DecodeRuneInString(rest)
			r.i += size
		case strings.HasPrefix(rest, "//"):
			r.skipPast("\n")
		case strings.HasPrefix(rest, "/*"):
			r.skipPast("*/")
		case strings.HasPrefix(rest, "<!--"):
			r.skipPast("-->")
		case strings.HasPrefix(rest, "<![CDATA["):
			r.skip(9)
		case strings.HasPrefix(rest, "]]>"):
			r.skip(3)
		default:
			return
		}
	}
}

func (r *jsonReader) skip(n int) { r.i, r.repaired = r.i+n, true }

func (r *jsonReader) skipPast(end string) {
	r.repaired = true
	if n := strings.Index(r.s[r.i:], end); n >= 0 {
		r.i += n + len(end)
	} else {
		r.i = len(r.s)
	}
}

// value reads a value. An array gives its values one by one; null and what is no value returns none.
func (r *jsonReader) value() []content {
	r.space()
	if r.i >= len(r.s) || r.budget <= 0 {
		r.i = len(r.s)
		return nil
	}
	r.budget--
	switch c := r.s[r.i]; {
	case c == '{':
		if n := r.object(); n != nil {
			return []content{{node: n}}
		}
		return nil
	case c == '[':
		return r.array()
	case quoteAt(r.s[r.i:]) > 0:
		return []content{{text: r.text()}}
	}
	if word := r.bare(",}]\n"); word != "" && word != "null" {
		return []content{{text: word}}
	}
	return nil
}

func (r *jsonReader) array() []content {
	r.i++
	if r.depth >= maxJSONDepth {
		r.i = len(r.s)
		return nil
	}
	r.depth++
	r.arrays++
	defer func() { r.depth--; r.arrays-- }()
	var list []content
	for comma := true; ; {
		r.space()
		if r.i >= len(r.s) {
			r.repaired = true
			return list
		}
		switch r.s[r.i] {
		case ']':
			r.i++
			r.repaired = r.repaired || comma && len(list) > 0
			return list
		case '}': // the array was not closed
			r.repaired = true
			return list
		case ',', ';', ':':
			r.i++
			comma = true
			continue
		}
		before := r.i
		r.repaired = r.repaired || !comma
		list = append(list, r.value()...)
		comma = false
		if r.i == before {
			r.skip(1)
		}
	}
}

func (r *jsonReader) object() *node {
	r.i++
	if r.depth >= maxJSONDepth {
		r.i = len(r.s)
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	n := &node{}
	for comma, first := true, true; ; {
		r.space()
		if r.i >= len(r.s) {
			r.repaired = true
			return n
		}
		switch c := r.s[r.i]; {
		case c == '}':
			r.i++
			r.repaired = r.repaired || comma && !first
			return n
		case c == ']' && r.arrays > 0: // the object was not closed
			r.repaired = true
			return n
		case c == ',' || c == ';':
			r.i++
			comma = true
		case c == ']' || c == '{' || c == '[' || c == ':':
			r.skip(1)
		default:
			r.repaired = r.repaired || !comma
			r.member(n)
			comma, first = false, false
		}
	}
}

// member reads a name and its value.
func (r *jsonReader) member(n *node) {
	before := r.i
	var name string
	if quoteAt(r.s[r.i:]) > 0 {
		name = r.text()
	} else {
		name, r.repaired = r.bare(":,}]\n"), true
	}
	r.space()
	if r.i >= len(r.s) || r.s[r.i] != ':' && r.s[r.i] != '=' {
		if r.i == before {
			r.skip(1)
		}
		r.repaired = true
		return
	}
	r.i++
	for _, v := range r.value() {
		n.set(name, v)
	}
}

// set takes a member into a node.
func (n *node) set(name string, v content) {
	switch name {
	case "@type", "type":
		if v.node == nil {
			n.types = append(n.types, plain(v.text))
		}
	case "@id":
		n.id = v.text
	case "@context":
	case "@value":
		n.add("@value", v)
	default:
		n.add(plain(name), v)
	}
}
