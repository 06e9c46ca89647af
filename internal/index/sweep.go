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

// sweep rewrites every segment that has a deleted message in it, so that no word of it is left. Where it may not take
// as long as it needs, it is done in parts: false, it goes on at the next call.
func (x *indexer) sweep(ctx context.Context, most time.Duration) (done bool, err error) {
	began := time.Now()
	boxes, err := x.index.DroppedIn(ctx)
	slices.Sort(boxes)
	for _, num := range boxes {
		if num <= x.sweptTo {
			continue
		}
		if time.Since(began) > most {
			return false, nil
		}
		if err == nil {
			err = x.unlessDamaged(ctx, num, x.sweepBox(ctx, num))
		}
		if err != nil {
			break
		}
		x.sweptTo = num
	}
	x.scrub = true
	if err == nil {
		x.sweptTo = 0
		x.ix.sweepDone()
	}
	return err == nil, err
}

// sweepInTime does what cannot be put off any longer where mail comes all the time, a part in each round.
func (x *indexer) sweepInTime(ctx context.Context) error {
	if x.ix.sweepIsOverdue() {
		done, err := x.sweep(ctx, mergeTime)
		if err != nil || !done {
			return err
		}
		x.scrubNow = true
	}
	if !x.scrubNow {
		return nil
	}
	err := x.scrubSome(ctx)
	x.scrubNow = x.scrub
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

// sweepWithin is how much longer it waits for a time in which little mail comes.
const sweepWithin = 15 * time.Minute

// sweepIsDue tells whether a sweep is due, until it is done. The node that keeps the index asks.
func (ix *Index) sweepIsDue() bool {
	ix.sweeps.Lock()
	defer ix.sweeps.Unlock()
	if now := ix.opt.Now(); now.Sub(ix.swept) >= sweepEvery {
		if !ix.sweepDue {
			ix.dueSince = now
		}
		ix.swept, ix.sweepDue = now, true
	}
	return ix.sweepDue
}

// sweepIsOverdue tells whether a sweep has waited for as long as it may.
func (ix *Index) sweepIsOverdue() bool {
	due := ix.sweepIsDue()
	ix.sweeps.Lock()
	defer ix.sweeps.Unlock()
	return due && ix.opt.Now().Sub(ix.dueSince) >= sweepWithin
}

func (ix *Index) sweepDone() {
	ix.sweeps.Lock()
	defer ix.sweeps.Unlock()
	ix.sweepDue = false
}
