package storetest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var indexUpdateTests = []indexTest{
	{"an index that is new has nothing", func(k indexKit) {
		place, model, err := k.x.VectorPlace(k.Context())
		if k.place() != 0 || place != 0 || model != "" || err != nil {
			k.Errorf("at %d, vectors at %d of %q: %v", k.place(), place, model, err)
		}
		k.same("segments", k.segments(1), []store.Segment(nil))
		k.same("dropped", k.dropped(1), []int64(nil))
		k.same("unmerged", k.unmerged(9), nums())
		k.block(1, 1, 0, false)
	}},
	{"the place is kept", func(k indexKit) {
		k.do(place(7))
		k.do(place(1 << 60))
		k.do()
		k.same("place", k.place(), int64(1<<60))
	}},
	{"all of an update or nothing", func(k indexKit) {
		var first, second int64
		k.do(segment(1, 2, 1, 9, &first), place(5))
		broken := errors.New("broken")
		err := k.x.Update(k.Context(), func(tx store.IndexTx) error {
			return errors.Join(segment(1, 2, 10, 19, &second)(tx), deleteSegment(1, first)(tx), drop(1, 3)(tx),
				place(6)(tx), broken)
		})
		if !errors.Is(err, broken) {
			k.Errorf("another error: %v", err)
		}
		k.same("place", k.place(), int64(5))
		k.same("segments", k.segmentIDs(1), []int64{first})
		k.same("dropped", k.dropped(1), []int64(nil))
		k.block(1, first, 1, true)
		k.block(1, second, 0, false)
	}},
	{"a large update is atomic too", func(k indexKit) {
		data := bytes.Repeat([]byte("0123456789abcdef"), 4096)
		var id int64
		large := func(tx store.IndexTx) (err error) {
			if id, err = tx.NewSegment(); err != nil {
				return err
			}
			for n := range 100 {
				data[0] = byte(n) // the bytes are lent for the call
				if err := tx.PutBlock(3, id, n, data); err != nil {
					return err
				}
			}
			return nil
		}
		broken := errors.New("broken")
		err := k.x.Update(k.Context(), func(tx store.IndexTx) error { return errors.Join(large(tx), broken) })
		if !errors.Is(err, broken) {
			k.Errorf("another error: %v", err)
		}
		k.block(3, id, 0, false)
		k.block(3, id, 99, false)
		k.do(large)
		for n := range 100 {
			got, err := k.x.Block(k.Context(), 3, id, n)
			if data[0] = byte(n); err != nil || !bytes.Equal(got, data) {
				k.Fatalf("block %d has %d bytes: %v", n, len(got), err)
			}
		}
	}},
	{"an update that is not wanted any more is not made", func(k indexKit) {
		ctx, cancel := context.WithCancel(k.Context())
		cancel()
		if err := k.x.Update(ctx, place(3)); !errors.Is(err, context.Canceled) || k.place() != 0 {
			k.Errorf("at %d: %v", k.place(), err)
		}
	}},
	{"blocks can be read while an update is made", func(k indexKit) {
		var first, second int64
		k.do(segment(1, 3, 1, 9, &first))
		k.do(func(tx store.IndexTx) error {
			for n := range 3 {
				k.block(1, first, n, true)
			}
			return errors.Join(segment(1, 1, 1, 9, &second)(tx), deleteSegment(1, first)(tx))
		})
		k.same("segments", k.segmentIDs(1), []int64{second})
	}},
	{"nothing is answered after Close", func(k indexKit) {
		if err := errors.Join(k.x.Close(), k.x.Close()); err != nil {
			k.Error(err)
		}
		if err := k.x.Update(k.Context(), place(3)); !errors.Is(err, store.ErrClosed) {
			k.Errorf("update: %v", err)
		}
	}},
}

func nums(list ...mailbox.Num) []mailbox.Num { return list }

var segmentTests = []indexTest{
	{"numbers grow, over updates and mailboxes, and none is used again", func(k indexKit) {
		last := int64(0)
		for update := range 20 {
			k.do(func(tx store.IndexTx) error {
				for range update {
					id, err := tx.NewSegment()
					if err != nil || id <= last {
						k.Errorf("%d behind %d: %v", id, last, err)
					}
					last = id
				}
				return nil
			})
		}
		var id int64
		k.do(segment(1, 1, 1, 1, &id))
		k.do(deleteSegment(1, id))
		last = id
		if k.do(segment(2, 1, 1, 1, &id)); id <= last {
			k.Errorf("%d behind %d, which is deleted", id, last)
		}
	}},
	{"a segment is kept as it is", func(k indexKit) {
		var a, b, other int64
		k.do(segment(1, 1, 1, 9, &a))
		k.do(segment(2, 1, 1, 9, &other), segment(1, 3, 10, 1<<40, &b))
		k.same("segments", k.segments(1), []store.Segment{
			{Mailbox: 1, ID: a, Docs: 9, Blocks: 1, MinSeq: 1, MaxSeq: 9, Bytes: 9},
			{Mailbox: 1, ID: b, Docs: 1 << 20, Blocks: 3, MinSeq: 10, MaxSeq: 1 << 40, Bytes: 9},
		})
		k.same("of another", k.segmentIDs(2), []int64{other})
		k.same("of nobody", k.segmentIDs(3), []int64(nil))
	}},
	{"blocks are found by mailbox, segment and number", func(k indexKit) {
		var a, b, other int64
		k.do(segment(1, 20, 1, 9, &a), segment(1, 2, 10, 19, &b), segment(2, 1, 1, 9, &other))
		for range 2 { // the second time they may come from elsewhere
			for n := range 20 {
				k.block(1, a, n, true)
			}
			k.block(1, b, 1, true)
			k.block(2, other, 0, true)
			k.block(1, other, 0, false)
			k.block(2, a, 0, false)
			k.block(1, a, 20, false)
			k.block(1, b, 2, false)
		}
	}},
	{"blocks have numbers far apart, and any bytes", func(k indexKit) {
		for _, n := range []int{0, 1, 1 << 24, 5<<24 | 7, math.MaxInt32} {
			for _, data := range [][]byte{{0}, {0xff, 0, 0xfe}, {}} {
				var id int64
				k.do(func(tx store.IndexTx) (err error) {
					if id, err = tx.NewSegment(); err == nil {
						err = tx.PutBlock(1, id, n, data)
					}
					return err
				})
				got, err := k.x.Block(k.Context(), 1, id, n)
				if err != nil || string(got) != string(data) {
					k.Errorf("block %d of %x is %x: %v", n, data, got, err)
				}
			}
		}
	}},
	{"segments are replaced in one update", func(k indexKit) {
		var a, b, sum int64
		k.do(segment(1, 2, 1, 9, &a), segment(1, 2, 10, 19, &b))
		k.block(1, a, 0, true)
		k.do(segment(1, 3, 1, 19, &sum), deleteSegment(1, a), deleteSegment(1, b))
		k.same("segments", k.segmentIDs(1), []int64{sum})
		k.block(1, a, 0, false)
		k.block(1, b, 1, false)
		k.block(1, sum, 2, true)
	}},
	{"deleting is of one mailbox", func(k indexKit) {
		var a, b int64
		k.do(segment(1, 1, 1, 9, &a), segment(2, 1, 1, 9, &b))
		k.do(deleteSegment(1, b), deleteSegment(2, a))
		k.same("segments", append(k.segmentIDs(1), k.segmentIDs(2)...), []int64{a, b})
		k.block(1, a, 0, true)
		k.block(2, b, 0, true)
	}},
	{"mailboxes whose segments changed are listed until they are merged", func(k indexKit) {
		var id int64
		k.do(segment(1, 1, 1, 1, &id), segment(2, 1, 1, 1, &id), segment(1, 1, 2, 2, &id))
		k.do(segment(3, 1, 1, 1, &id), drop(4, 1))
		k.same("unmerged", k.unmerged(9), nums(1, 2, 3, 4))
		if n := len(k.unmerged(2)); n != 2 {
			k.Errorf("%d of at most 2", n)
		}
		k.do(merged(1), merged(4))
		k.do(merged(9))
		k.same("some merged", k.unmerged(9), nums(2, 3))
		k.do(merged(2), segment(2, 1, 2, 2, &id), segment(3, 1, 2, 2, &id), merged(3))
		k.same("the last word counts", k.unmerged(9), nums(2))
	}},
}

func (k indexKit) asked(since time.Time) []mailbox.Num {
	k.Helper()
	list, err := k.x.Asked(k.Context(), since)
	if err != nil {
		k.Fatal(err)
	}
	slices.Sort(list)
	return list
}

func (k indexKit) vectorPlace(place int64, model string) {
	k.Helper()
	p, m, err := k.x.VectorPlace(k.Context())
	if p != place || m != model || err != nil {
		k.Errorf("vectors at %d of %q, want %d of %q: %v", p, m, place, model, err)
	}
}

var vectorTests = []indexTest{
	{"vectors are kept, the last of each message", func(k indexKit) {
		long := strings.Repeat("\x00\xff", 4000)
		k.do(vector(1, 1, "a"), vector(1, 2, long), vector(2, 1, "c"))
		k.do(vector(1, 1, "b"), vector(1, 3, "x"), vector(1, 3, "y"))
		k.same("vectors", k.vectors(1), map[int64]string{1: "b", 2: long, 3: "y"})
		k.same("of another", k.vectors(2), map[int64]string{1: "c"})
		k.same("of nobody", k.vectors(3), map[int64]string{})
	}},
	{"who looks at vectors may stop", func(k indexKit) {
		k.do(vector(1, 1, "a"), vector(1, 2, "b"))
		enough := errors.New("enough")
		seen := 0
		err := k.x.Vectors(k.Context(), 1, func(int64, []byte) error { seen++; return enough })
		if !errors.Is(err, enough) || seen != 1 {
			k.Errorf("after %d: %v", seen, err)
		}
		k.same("and again", len(k.vectors(1)), 2)
	}},
	{"vectors of another model go", func(k indexKit) {
		k.do(vectorPlace(5, "one"), vector(1, 1, "a"))
		k.do(vectorPlace(9, "one"), vector(2, 1, "b"))
		k.vectorPlace(9, "one")
		k.same("of the same", k.vectors(1), map[int64]string{1: "a"})
		k.do(place(77), vectorPlace(2, "two"), vector(2, 2, "c"))
		k.vectorPlace(2, "two")
		k.same("of another", k.vectors(1), map[int64]string{})
		k.same("of the new", k.vectors(2), map[int64]string{2: "c"})
		k.same("place of words", k.place(), int64(77))
	}},
	{"who searches by meaning is known, since a time", func(k indexKit) {
		k.do(asked(1, noon), asked(2, noon.Add(time.Hour)), asked(3, noon.Add(-time.Hour)))
		k.same("asked", k.asked(noon), nums(1, 2))
		k.do(asked(3, noon.Add(time.Minute)))
		k.same("asked again", k.asked(noon.Add(time.Millisecond)), nums(2, 3))
		k.same("nobody", k.asked(noon.Add(2*time.Hour)), nums())
	}},
}
