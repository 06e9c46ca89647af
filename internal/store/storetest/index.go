package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// RunIndex checks an index. open gives an empty one that is closed when its test ends.
func RunIndex(t *testing.T, open func(t *testing.T) store.Index) {
	for _, g := range []struct {
		noun  string
		tests []indexTest
	}{
		{"Update", indexUpdateTests},
		{"Segment", segmentTests},
		{"Drop", dropTests},
		{"Vector", vectorTests},
		{"Renew", renewTests},
	} {
		t.Run(g.noun, func(t *testing.T) {
			for _, c := range g.tests {
				t.Run(c.name, func(t *testing.T) { c.run(indexKit{t, open(t)}) })
			}
		})
	}
}

type indexTest struct {
	name string
	run  func(k indexKit)
}

// indexKit is an index under test.
type indexKit struct {
	*testing.T
	x store.Index
}

// do makes an update of steps.
func (k indexKit) do(steps ...func(tx store.IndexTx) error) {
	k.Helper()
	err := k.x.Update(k.Context(), func(tx store.IndexTx) error {
		for _, step := range steps {
			if err := step(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		k.Fatalf("Update: %v", err)
	}
}

func (k indexKit) same(what string, got, want any) {
	k.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		k.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// segment makes a segment of blocks that say whose they are.
func segment(num mailbox.Num, blocks int, minSeq, maxSeq int64, id *int64) func(tx store.IndexTx) error {
	return func(tx store.IndexTx) (err error) {
		if *id, err = tx.NewSegment(); err != nil {
			return err
		}
		for n := range blocks {
			if err := tx.PutBlock(num, *id, n, blockText(num, *id, n)); err != nil {
				return err
			}
		}
		return tx.PutSegment(store.Segment{Mailbox: num, ID: *id, Docs: docs(minSeq, maxSeq), Blocks: blocks, MinSeq: minSeq, MaxSeq: maxSeq, Bytes: 9})
	}
}

// docs is how many messages there may be from one to another, as many as a segment may have.
func docs(from, to int64) int { return int(min(to-from+1, 1<<20)) }

func blockText(num mailbox.Num, segment int64, n int) []byte {
	return fmt.Appendf(nil, "%d/%d/%d", num, segment, n)
}

func place(to int64) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.SetPlace(to) }
}

func drop(num mailbox.Num, seq int64) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.Drop(num, seq) }
}

func deleteSegment(num mailbox.Num, id int64) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.DeleteSegment(num, id) }
}

func merged(num mailbox.Num) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.Merged(num) }
}

func (k indexKit) place() int64 {
	k.Helper()
	p, err := k.x.Place(k.Context())
	if err != nil {
		k.Fatal(err)
	}
	return p
}

func (k indexKit) segments(num mailbox.Num) []store.Segment {
	k.Helper()
	list, err := k.x.Segments(k.Context(), num)
	if err != nil {
		k.Fatal(err)
	}
	return list
}

func (k indexKit) segmentIDs(num mailbox.Num) (ids []int64) {
	k.Helper()
	for _, s := range k.segments(num) {
		ids = append(ids, s.ID)
	}
	return ids
}

// block checks that a block is there, or is not.
func (k indexKit) block(num mailbox.Num, id int64, n int, there bool) {
	k.Helper()
	data, err := k.x.Block(k.Context(), num, id, n)
	switch {
	case there && (err != nil || !bytes.Equal(data, blockText(num, id, n))):
		k.Errorf("block %d of segment %d of %d is %q: %v", n, id, num, data, err)
	case !there && !errors.Is(err, store.ErrNotFound):
		k.Errorf("block %d of segment %d of %d, which is gone: %q, %v", n, id, num, data, err)
	}
}

func (k indexKit) dropped(num mailbox.Num) []int64 {
	k.Helper()
	seqs, err := k.x.Dropped(k.Context(), num)
	if err != nil {
		k.Fatal(err)
	}
	for seq, is := range seqs {
		if !is {
			k.Errorf("%d is listed and not dropped", seq)
		}
	}
	return slices.Sorted(maps.Keys(seqs))
}

func (k indexKit) droppedIn() []mailbox.Num {
	k.Helper()
	list, err := k.x.DroppedIn(k.Context())
	if err != nil {
		k.Fatal(err)
	}
	slices.Sort(list)
	return list
}

func (k indexKit) unmerged(limit int) []mailbox.Num {
	k.Helper()
	list, err := k.x.Unmerged(k.Context(), limit)
	if err != nil {
		k.Fatal(err)
	}
	slices.Sort(list)
	return list
}
