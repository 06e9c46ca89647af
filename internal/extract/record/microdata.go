package record

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// microdata makes nodes of elements with itemscope and itemprop as they come.
type microdata struct {
	open  []element
	items []*node
	count int
	deep  int // open elements beyond maxDepth, which are not kept
}

// element is an open element.
type element struct {
	tag   atom.Atom
	scope *node    // the item it begins
	props []string // the properties that its text becomes
	owner *node    // of the item
	text  []byte
}

// Bounds of microdata.
const (
	maxDepth = 256 // of open elements
	maxItems = 2000
	maxText  = 4000 // of a property
	farEnd   = 64   // how many elements an end tag closes at most
)

func (m *microdata) start(tag atom.Atom, attrs attributes, closed bool) {
	m.imply(tag)
	e := element{tag: tag}
	owner := m.owner()
	names := strings.Fields(attrs.get("itemprop"))
	_, scoped := attrs.lookup("itemscope")
	switch {
	case scoped && m.count < maxItems:
		m.count++
		e.scope = &node{types: plainTypes(attrs.get("itemtype"))}
		m.give(owner, names, content{node: e.scope})
	case len(names) > 0 && owner != nil && m.count < maxItems:
		m.count++
		if v, ok := valueOf(tag, attrs); ok {
			m.give(owner, names, content{text: cut(v, maxText)})
		} else {
			e.props, e.owner = names, owner
		}
	}
	switch {
	case closed || isVoid(tag): // QUIRK: <time …/> and <div …/> are meant to be closed
		m.close(&e)
	case len(m.open) >= maxDepth:
		m.deep++
		m.close(&e)
	default:
		m.open = append(m.open, e)
	}
}

// give adds a value to its item; a thing that belongs to none is an item of its own.
func (m *microdata) give(owner *node, names []string, v content) {
	if owner == nil || len(names) == 0 {
		if v.node != nil {
			m.items = append(m.items, v.node)
		}
		return
	}
	for _, name := range names {
		owner.add(plain(name), v)
	}
}

func plainTypes(s string) []string {
	types := strings.Fields(s)
	for i, t := range types {
		types[i] = plain(t)
	}
	return types
}

// owner gives the innermost open item.
func (m *microdata) owner() *node {
	for i := len(m.open) - 1; i >= 0; i-- {
		if m.open[i].scope != nil {
			return m.open[i].scope
		}
	}
	return nil
}

// valueOf gives the value that an element has in its attributes. QUIRK: content is used on all elements.
func valueOf(tag atom.Atom, attrs attributes) (string, bool) {
	keys := []string{"content"}
	switch tag {
	case atom.A, atom.Area, atom.Link:
		keys = []string{"href", "content"}
	case atom.Img, atom.Embed, atom.Iframe, atom.Audio, atom.Video, atom.Source:
		keys = []string{"src", "content"}
	case atom.Time:
		keys = []string{"datetime", "content"}
	case atom.Data, atom.Meter:
		keys = []string{"value", "content"}
	case atom.Object:
		keys = []string{"data", "content"}
	case atom.Meta:
		keys = []string{"content", "href", "value"}
	}
	for _, key := range keys {
		if v, ok := attrs.lookup(key); ok {
			return v, true
		}
	}
	return "", tag == atom.Meta
}

func (m *microdata) text(s string) {
	if strings.TrimSpace(s) == "" {
		s = " "
	}
	for i := range m.open {
		if e := &m.open[i]; e.props != nil && len(e.text) < maxText {
			e.text = append(e.text, cut(s, maxText)...)
		}
	}
}

// end closes the elements up to the one that is meant, if it is near.
func (m *microdata) end(tag atom.Atom) {
	if m.deep > 0 {
		m.deep--
		return
	}
	for i := len(m.open) - 1; i >= 0 && i >= len(m.open)-farEnd; i-- {
		if m.open[i].tag == tag {
			m.closeTo(i)
			return
		}
	}
}

func (m *microdata) closeTo(i int) {
	for j := len(m.open) - 1; j >= i; j-- {
		m.close(&m.open[j])
	}
	m.open = m.open[:i]
}

// close gives the text of an element to its item.
func (m *microdata) close(e *element) {
	if e.owner != nil {
		if s := squeeze(string(e.text)); s != "" {
			m.give(e.owner, e.props, content{text: s})
		}
		e.owner = nil
	}
}

// imply closes what the start of a row, a cell or a list item closes.
func (m *microdata) imply(tag atom.Atom) {
	var closes, inside atom.Atom
	switch tag {
	case atom.Tr:
		closes, inside = atom.Tr, atom.Table
	case atom.Td, atom.Th:
		closes, inside = tag, atom.Tr
	case atom.Li:
		closes, inside = atom.Li, atom.Ul
	default:
		return
	}
	for i := len(m.open) - 1; i >= 0 && i >= len(m.open)-farEnd; i-- {
		switch t := m.open[i].tag; {
		case t == inside || t == atom.Table || t == atom.Ol:
			return
		case t == closes:
			m.closeTo(i)
			return
		}
	}
}

// finish closes everything and gives the items that belong to no other.
func (m *microdata) finish() []*node {
	m.closeTo(0)
	return m.items
}

func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Meta, atom.Link, atom.Img, atom.Br, atom.Hr, atom.Input, atom.Base, atom.Area, atom.Col, atom.Embed, atom.Source, atom.Wbr, atom.Track, atom.Param:
		return true
	}
	return false
}
