package storetest

import (
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

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
	{"what is to be made anew is listed until it is", func(k indexKit) {
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
