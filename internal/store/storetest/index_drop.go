package storetest

import (
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

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
		k.do(segment(1, 3, 1, 9, &id), drop(1, 2), vector(1, 3, "v"), asked(1, noon), segment(2, 1, 1, 9, &other), place(8))
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
