package service

import (
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// readersMost is how many readers of segments are kept: each has its head, at most 64 KB and as a rule much less. One mailbox that has just got a
// million messages has some seventy, and with fewer places than that each would push out the next that is asked for.
const readersMost = 256

// readers are those of the segments that were searched last. A segment never changes.
type readers struct {
	mu   sync.Mutex
	kept map[segment.ID]*keptReader
	uses int64
}

type keptReader struct {
	*segment.Reader
	used int64
}

// of gives the reader of a segment, made by open where there is none of just this one: an index that was made anew begins to count anew.
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
	r.kept[fresh.ID()] = &keptReader{fresh, r.uses}
	if len(r.kept) > readersMost {
		r.dropOldest()
	}
	return fresh
}

func (r *readers) dropOldest() {
	var oldest *keptReader
	for _, k := range r.kept {
		if oldest == nil || k.used < oldest.used {
			oldest = k
		}
	}
	delete(r.kept, oldest.ID())
}

// forget drops those of a mailbox.
func (r *readers) forget(num mailbox.Num) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.kept {
		if id.Mailbox == int64(num) {
			delete(r.kept, id)
		}
	}
}
