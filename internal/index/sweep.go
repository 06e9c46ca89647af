package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// sweep rewrites every segment that has a deleted message in it, so that no word of it is left.
func (x *indexer) sweep(ctx context.Context) error {
	boxes, err := x.index.DroppedIn(ctx)
	for _, num := range boxes {
		if err == nil {
			err = x.unlessDamaged(ctx, num, x.sweepBox(ctx, num))
		}
	}
	x.scrub = true
	return err
}

// scrubSome takes what was deleted out of the files of the index, a piece at a time.
func (x *indexer) scrubSome(ctx context.Context) (err error) {
	index, ok := x.index.(store.ScrubIndex)
	if !ok || !x.scrub {
		x.scrub = false
		return nil
	}
	room := x.ix.opt.Disk.ToForget()
	defer x.ix.opt.Disk.Hold(room)()
	x.scrub, err = index.Scrub(ctx, room)
	return err
}

func (x *indexer) sweepBox(ctx context.Context, num mailbox.Num) error {
	if x.renewing(num) { // without what was deleted
		return nil
	}
	dropped, err := x.index.Dropped(ctx, num)
	if err != nil {
		return err
	}
	list, err := x.index.Segments(ctx, num)
	if err != nil {
		return err
	}
	for _, sg := range list {
		held, err := x.droppedOf(ctx, sg, dropped)
		if err == nil && len(held) > 0 {
			_, err = x.rewrite(ctx, num, []*segment.Reader{x.ix.reader(sg)})
		}
		if err != nil {
			return err
		}
	}
	// Those that were deleted before they were indexed are in no segment.
	return x.index.Update(ctx, func(tx store.IndexTx) error {
		return tx.Undrop(num,
			slices.Collect(maps.Keys(dropped)))
	})
}

// sweepEvery is how often that is done: words of deleted mail are gone within the hour (API 3).
const sweepEvery = 30 * time.Minute

// sweepIsDue tells whether a sweep is due, until it is done. The node that keeps the index asks.
func (ix *Index) sweepIsDue() bool {
	ix.sweeps.Lock()
	defer ix.sweeps.Unlock()
	if now := ix.opt.Now(); now.Sub(ix.swept) >= sweepEvery {
		ix.swept, ix.sweepDue = now, true
	}
	return ix.sweepDue
}

func (ix *Index) sweepDone() {
	ix.sweeps.Lock()
	defer ix.sweeps.Unlock()
	ix.sweepDue = false
}
