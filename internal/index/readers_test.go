package index

import (
	"testing"

	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// Readers are kept for those who search again, each for the segment it was made for, up to a limit.
func TestReadersAreKept(t *testing.T) {
	var r readers
	ask := func(sg store.Segment) *segment.Reader {
		return r.of(sg, func(sg store.Segment) *segment.Reader {
			return segment.NewReader(segment.ID{Mailbox: int64(sg.Mailbox), Segment: sg.ID},
				segment.Meta{Docs: sg.Docs}, nil)
		})
	}
	one := store.Segment{Mailbox: 1, ID: 1, Docs: 10}
	first := ask(one)
	if ask(one) != first {
		t.Error("it was not kept")
	}
	other := one
	other.Docs = 11
	if second := ask(other); second == first || second.Meta().Docs != 11 {
		t.Error("another segment of the same number got its reader")
	}
	for i := range int64(2 * readersMost) {
		ask(other) // is used all the time
		ask(store.Segment{Mailbox: 2, ID: i})
	}
	if len(r.kept) != readersMost {
		t.Errorf("%d are kept", len(r.kept))
	}
	kept := r.kept[segment.ID{Mailbox: 1, Segment: 1}]
	if kept == nil {
		t.Fatal("one that is used was dropped")
	}
	r.forget(1)
	if ask(other) == kept.Reader {
		t.Error("it was not forgotten")
	}
	if len(r.kept) != readersMost {
		t.Error("others were forgotten")
	}
}
