package record

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/view"
)

// microdata makes nodes of elements with itemscope and itemprop as they come.
type microdata struct {
	v     *view.View
	open  []element
	items []*node
}

// element is an open element.
type element struct {
	scope *node    // the item it begins
	props []string // the properties that its text becomes
	owner *node    // of the item
	run   int32    // where its text begins
}

// maxText bounds the text of a property.
const maxText = 4000

// microdataOf returns the things that belong to no other.
func microdataOf(v *view.View) []*node {
	m := microdata{v: v}
	for i := range v.Items {
		if it := &v.Items[i]; !it.End {
			m.start(it)
		} else if n := len(m.open); n > 0 {
			m.close(&m.open[n-1], it.Run)
			m.open = m.open[:n-1]
		}
	}
	return m.items
}

func (m *microdata) start(it *view.Item) {
	e := element{run: it.Run}
	owner := m.owner()
	names := strings.Fields(it.Props)
	switch {
	case it.Scope:
		e.scope = &node{types: plainTypes(it.Type)}
		m.give(owner, names, content{node: e.scope})
	case len(names) > 0 && owner != nil && it.HasValue:
		m.give(owner, names, content{text: mailbox.Cut(it.Value, maxText)})
	case len(names) > 0 && owner != nil:
		e.props, e.owner = names, owner
	}
	m.open = append(m.open, e)
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

// owner returns the innermost open item.
func (m *microdata) owner() *node {
	for i := len(m.open) - 1; i >= 0; i-- {
		if m.open[i].scope != nil {
			return m.open[i].scope
		}
	}
	return nil
}

// close adds the text of an element to its item.
func (m *microdata) close(e *element, end int32) {
	if e.owner == nil {
		return
	}
	if s := squeeze(m.text(e.run, end)); s != "" {
		m.give(e.owner, e.props, content{text: s})
	}
}

// text is that of some runs: of those that are shown, or of all where none is.
func (m *microdata) text(from, to int32) string {
	for _, hidden := range [...]bool{false, true} {
		var b strings.Builder
		for i := from; i < to && b.Len() < maxText; i++ {
			if r := &m.v.Runs[i]; (r.Hidden != 0) == hidden && r.Style&view.Alt == 0 {
				if r.Gap != view.GapNone {
					b.WriteByte(' ')
				}
				b.WriteString(r.Text)
			}
		}
		if b.Len() > 0 {
			return mailbox.Cut(b.String(), maxText)
		}
	}
	return ""
}
