package storetest

import (
	"math"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

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
