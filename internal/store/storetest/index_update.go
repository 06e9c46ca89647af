package storetest

import (
	"bytes"
	"context"
	"errors"

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
			return errors.Join(segment(1, 2, 10, 19, &second)(tx), deleteSegment(1, first)(tx), drop(1, 3)(tx), place(6)(tx), broken)
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
