package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// RunIndex checks an index. open returns an empty one that is closed when its test ends.
func RunIndex(t *testing.T, open func(t *testing.T) store.Index) {
	runGroups(t, []group[indexKit]{
		{"Update", indexUpdateTests},
		{"Segment", segmentTests},
		{"Drop", dropTests},
		{"Vector", vectorTests},
		{"Renew", renewTests},
		{"Partition", partitionTests},
	}, func(t *testing.T) indexKit { return indexKit{t, open(t)} })
}

type indexTest = testOf[indexKit]

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
		return tx.PutSegment(store.Segment{Mailbox: num, ID: *id, Docs: docs(minSeq, maxSeq), Blocks: blocks,
			MinSeq: minSeq, MaxSeq: maxSeq, Bytes: 9})
	}
}

// docs is how many messages there may be from one to another, as many as a segment may have.
func docs(from, to int64) int { return int(min(to-from+1, 1<<20)) }

func blockText(num mailbox.Num, segment int64, n int) []byte {
	return fmt.Appendf(nil, "%d/%d/%d", num, segment, n)
}

func place(to int64) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.SetPlace(0, to) }
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
	places, err := k.x.Places(k.Context())
	if err != nil {
		k.Fatal(err)
	}
	return places[0]
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

func renew(num mailbox.Num) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.Renew(num) }
}

func renewed(num mailbox.Num) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.Renewed(num) }
}

// renewals checks which mailboxes are listed.
func (k indexKit) renewals(what string, want ...mailbox.Num) {
	k.Helper()
	list, err := k.x.Renewals(k.Context(), 100)
	slices.Sort(list)
	if !slices.Equal(list, want) || err != nil {
		k.Errorf("%s: %v, want %v: %v", what, list, want, err)
	}
}

var renewTests = []indexTest{
	{"what is to be rebuilt is listed until it is", func(k indexKit) {
		k.renewals("at first")
		k.do(renew(3), renew(1), renew(3))
		k.do(renew(2), renew(1))
		k.renewals("noted", 1, 2, 3)
		if list, err := k.x.Renewals(k.Context(), 2); len(list) != 2 || err != nil {
			k.Errorf("%v of at most 2: %v", list, err)
		}
		k.do(renewed(2), renewed(9))
		k.renewals("one renewed", 1, 3)
		k.do(renewed(1), renew(1), drop(3, 1))
		k.renewals("the last word counts", 1, 3)
		k.do(drop(3, 0))
		k.renewals("a mailbox that goes", 1)
	}},
	{"blocks that belong to no segment go", func(k indexKit) {
		var old, stray, made, other int64
		k.do(renew(1), segment(1, 2, 1, 9, &old), segment(2, 1, 1, 9, &other))
		loose := func(num mailbox.Num, id *int64) func(store.IndexTx) error {
			return func(tx store.IndexTx) (err error) {
				if *id, err = tx.NewSegment(); err == nil {
					err = tx.PutBlock(num, *id, 0, blockText(num, *id, 0))
				}
				return err
			}
		}
		var loosely int64
		k.do(loose(1, &stray), loose(2, &loosely))
		k.do(loose(1, &made))
		note := func(tx store.IndexTx) error {
			return tx.PutSegment(store.Segment{Mailbox: 1, ID: made, Docs: 9, Blocks: 1, MinSeq: 1, MaxSeq: 9})
		}
		k.block(1, made, 0, true)
		k.block(1, stray, 0, true)
		k.do(deleteSegment(1, old), note, renewed(1))
		k.same("segments", k.segmentIDs(1), []int64{made})
		k.block(1, old, 0, false)
		k.block(1, stray, 0, false)
		k.block(1, made, 0, true)
		k.block(2, other, 0, true)
		k.block(2, loosely, 0, true)
	}},
}

func undrop(num mailbox.Num, seqs ...int64) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.Undrop(num, seqs) }
}

func vector(num mailbox.Num, seq int64, text string) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.PutVector(num, seq, []byte(text)) }
}

func vectorPlace(place int64, model string) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.SetVectorPlace(place, model) }
}

func asked(num mailbox.Num, at time.Time) func(store.IndexTx) error {
	return func(tx store.IndexTx) error { return tx.Ask(num, at) }
}

func (k indexKit) vectors(num mailbox.Num) map[int64]string {
	k.Helper()
	got := make(map[int64]string)
	err := k.x.Vectors(k.Context(), num, func(seq int64, v []byte) error {
		got[seq] = string(v)
		return nil
	})
	if err != nil {
		k.Fatal(err)
	}
	return got
}

var dropTests = []indexTest{
	{"dropped messages are listed, and counted in their segments", func(k indexKit) {
		var a, b int64
		k.do(segment(1, 1, 1, 9, &a), segment(1, 1, 10, 19, &b))
		k.do(drop(1, 9), drop(1, 10), drop(1, 12), drop(1, 30), drop(2, 5), drop(1, 9))
		k.same("dropped", k.dropped(1), []int64{9, 10, 12, 30})
		k.same("of another", k.dropped(2), []int64{5})
		k.same("in", k.droppedIn(), nums(1, 2))
		var counts []int
		for _, s := range k.segments(1) {
			counts = append(counts, s.Dropped)
		}
		k.same("in segments", counts, []int{1, 2})
		k.do(undrop(1, 9, 12, 77), undrop(1), undrop(2, 10))
		k.same("dropped then", k.dropped(1), []int64{10, 30})
		k.do(undrop(1, 10, 30))
		k.same("in then", k.droppedIn(), nums(2))
	}},
	{"the last word counts", func(k indexKit) {
		k.do(drop(1, 1), undrop(1, 1), drop(1, 2), undrop(1, 3), drop(1, 3))
		k.same("dropped", k.dropped(1), []int64{2, 3})
	}},
	{"the vector of a dropped message goes", func(k indexKit) {
		k.do(vector(1, 1, "a"), vector(1, 2, "b"), vector(2, 1, "c"))
		k.do(drop(1, 1))
		k.same("left", k.vectors(1), map[int64]string{2: "b"})
		k.same("of another", k.vectors(2), map[int64]string{1: "c"})
	}},
	{"everything of a mailbox goes", func(k indexKit) {
		var id, other int64
		k.do(segment(1, 3, 1, 9, &id), drop(1, 2), vector(1, 3, "v"), asked(1, noon), segment(2, 1, 1, 9, &other),
			place(8))
		k.block(1, id, 0, true)
		k.do(drop(2, 4), vector(2, 3, "v"), asked(2, noon), drop(1, 0))
		k.same("segments", k.segments(1), []store.Segment(nil))
		k.same("dropped in", k.droppedIn(), nums(2))
		k.same("unmerged", k.unmerged(9), nums(2))
		k.same("vectors", k.vectors(1), map[int64]string{})
		k.same("asked", k.asked(noon), nums(2))
		k.block(1, id, 0, false)
		k.block(1, id, 2, false)
		k.same("segments of another", k.segmentIDs(2), []int64{other})
		k.same("vectors of another", k.vectors(2), map[int64]string{3: "v"})
		k.same("place", k.place(), int64(8))
	}},
	{"a mailbox is indexed and goes in one update", func(k indexKit) {
		var id int64
		k.do(segment(1, 1, 1, 9, &id), vector(1, 1, "v"), drop(1, 0), drop(2, 1))
		k.same("segments", k.segments(1), []store.Segment(nil))
		k.same("vectors", k.vectors(1), map[int64]string{})
		k.same("unmerged", k.unmerged(9), nums(2))
		k.block(1, id, 0, false)
	}},
}
