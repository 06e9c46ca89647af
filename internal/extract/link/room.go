package link

import "sync"

// room is the memory that reading a mail takes. Nothing of one mail is left to the next but room, and nothing that is
// given out is in it.
type room struct {
	finder  finder
	out     []byte // what HTML shows
	anchors []span
	spans   []span
}

var rooms = sync.Pool{New: func() any { return &room{finder: finder{index: map[string]int{}}} }}

func takeRoom() *room { return rooms.Get().(*room) }

// give hands the memory back, unless a mail of an unusual size has made it large.
func (r *room) give() {
	const most = 1 << 20 // bytes
	if cap(r.out) > most {
		return
	}
	found, index := r.finder.found, r.finder.index
	clear(found)
	clear(index)
	clear(r.anchors[:cap(r.anchors)])
	clear(r.spans[:cap(r.spans)])
	r.finder = finder{found: found[:0], index: index}
	rooms.Put(r)
}

// find gathers the links of the body.
func (r *room) find(m Mail) *finder {
	f := &r.finder
	f.header, f.subject = headerURLs(m.Unsubscribe), m.Subject
	if m.View != nil {
		f.page(r.readView(m.View, maxSpans), true)
	}
	if m.Alternative && len(f.found) > 0 {
		f.fallback()
		f.invitations()
		return f
	}
	text := readText(r.spans[:0], m.Text, maxSpans)
	r.spans = text.spans
	f.page(text, false)
	f.fallback()
	f.invitations()
	return f
}
