package view

import (
	"golang.org/x/net/html/atom"
)

// Item is the beginning or the end of an element with microdata (itemscope, itemprop). What it says is markup, not
// text: it may be hidden, and readers must not believe it against what is shown.
type Item struct {
	End      bool
	Scope    bool   // it begins a thing
	Type     string // of the thing
	Props    string // the properties that it is of the thing around it
	Value    string // of a property that has it in an attribute
	HasValue bool
	Run      int32 // the first run after it
}

// maxItems bounds the microdata that is kept.
const maxItems = 4000

// startItem notes the beginning of an element with microdata.
func (b *builder) startItem(e *element) bool {
	if b.streams || !e.isItem || len(b.view.Items) >= maxItems {
		return false
	}
	it := Item{Run: int32(len(b.view.Runs)), Scope: has(e.attrs, "itemscope")}
	kind, _ := attributeOf(e.attrs, "itemtype")
	props, _ := attributeOf(e.attrs, "itemprop")
	it.Type, it.Props = unescapeValue(kind), unescapeValue(props)
	for _, key := range valueAttributes(e.atom) {
		if v, ok := attributeOf(e.attrs, key); ok {
			it.Value, it.HasValue = unescapeValue(v), true
			break
		}
	}
	it.HasValue = it.HasValue || e.atom == atom.Meta
	e.item = int32(len(b.view.Items))
	b.view.Items = append(b.view.Items, it)
	return true
}

func (b *builder) endItem(e *element) {
	b.view.Items = append(b.view.Items, Item{End: true, Run: int32(len(b.view.Runs))})
	e.item = -1
}

// valueAttributes are those that an element may have the value of a property in. QUIRK: content is used on all
// elements.
func valueAttributes(tag atom.Atom) []string {
	switch tag {
	case atom.A, atom.Area, atom.Link:
		return []string{"href", "content"}
	case atom.Img, atom.Embed, atom.Iframe, atom.Audio, atom.Video, atom.Source:
		return []string{"src", "content"}
	case atom.Time:
		return []string{"datetime", "content"}
	case atom.Data, atom.Meter:
		return []string{"value", "content"}
	case atom.Object:
		return []string{"data", "content"}
	case atom.Meta:
		return []string{"content", "href", "value"}
	}
	return []string{"content"}
}
