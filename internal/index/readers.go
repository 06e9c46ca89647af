package index

import (
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

const (
	// readersBytes is what the heads of the readers may take that are kept, and readersMost how many those are. With
	// fewer than a search asks for, each would push out the next. While mail comes and goes in 50 mailboxes they have
	// 2,000.
	readersBytes = 24 << 20
	readersMost  = 4096
	// headMost is the most that a head takes, and headLeast what a reader does without it.
	headMost, headLeast = 64 << 10, 512
	// readersAsked is of how many the one is dropped that was not used for longest.
	readersAsked = 16
)

// headBytes is about what the reader of a segment takes: one of few messages is all in its head.
func headBytes(sg store.Segment) int64 { return min(sg.Bytes, headMost) + headLeast }

// readers are those of the segments that were searched last. A segment never changes.
type readers struct {
	mu    sync.Mutex
	kept  map[segment.ID]*keptReader
	bytes int64
	uses  int64
}

type keptReader struct {
	*segment.Reader
	used  int64
	bytes int64
}

// of returns the reader of a segment, made by open where there is none of exactly this one: an index that was rebuilt
// restarts the count.
func (r *readers) of(sg store.Segment, open func(store.Segment) *segment.Reader) *segment.Reader {
	fresh := open(sg)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.uses++
	if k := r.kept[fresh.ID()]; k != nil && k.Meta() == fresh.Meta() {
		k.used = r.uses
		return k.Reader
	}
	if r.kept == nil {
		r.kept = make(map[segment.ID]*keptReader)
	}
	if k := r.kept[fresh.ID()]; k != nil {
		r.drop(k)
	}
	r.kept[fresh.ID()] = &keptReader{fresh, r.uses, headBytes(sg)}
	r.bytes += headBytes(sg)
	for len(r.kept) > readersMost || r.bytes > readersBytes && len(r.kept) > 1 {
		r.dropOld()
	}
	return fresh
}

// dropOld drops one that was not used for long: of some, as the map gives them.
func (r *readers) dropOld() {
	var oldest *keptReader
	asked := 0
	for _, k := range r.kept {
		if oldest == nil || k.used < oldest.used {
			oldest = k
		}
		if asked++; asked == readersAsked {
			break
		}
	}
	r.drop(oldest)
}

func (r *readers) drop(k *keptReader) {
	delete(r.kept, k.ID())
	r.bytes -= k.bytes
}

// forget drops those of a mailbox.
func (r *readers) forget(num mailbox.Num) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, k := range r.kept {
		if id.Mailbox == int64(num) {
			r.drop(k)
		}
	}
}
