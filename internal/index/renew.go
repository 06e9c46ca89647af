package index

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// The part of a mailbox is rebuilt while the old one serves: segments are written piece by piece, and take the place
// of the old ones in one update when all stand. What comes in meanwhile is indexed as ever. A crash leaves blocks that
// belong to no segment, and the note that the part is to be rebuilt: it is, from its beginning.

const (
	// renewTime is how long that may keep the indexer from new mail.
	renewTime = 100 * time.Millisecond
	// renewPage is how many messages are read at a time.
	renewPage = 64
	// renewLook is how often it is looked for what other nodes want to be rebuilt.
	renewLook = time.Second
)

// renewal is the part of a mailbox that is being rebuilt.
type renewal struct {
	num    mailbox.Num
	before int64 // messages from here on are done
	old    []store.Segment
	made   []store.Segment // not yet noted
	build  *segment.Builder
	began  time.Time
	count  int
}

func (x *indexer) renewing(num mailbox.Num) bool { return x.renew != nil && x.renew.num == num }

// renewSome goes on with what is to be rebuilt, for a while.
func (x *indexer) renewSome(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < renewTime; {
		if x.renew == nil {
			if err := x.beginRenewal(ctx); err != nil || x.renew == nil {
				return err
			}
		}
		if err := x.renewPage(ctx, x.renew); err != nil {
			x.renew = nil // it is begun again
			x.ix.renewals.reach(reached{})
			return err
		}
	}
	return nil
}

// beginRenewal takes the next mailbox of the list, if there is one.
func (x *indexer) beginRenewal(ctx context.Context) error {
	if !x.ix.renewals.due.Swap(false) && time.Since(x.looked) < renewLook {
		return nil
	}
	list, err := x.index.Renewals(ctx, 1)
	if err != nil || len(list) == 0 {
		x.looked = time.Now()
		return err
	}
	x.ix.renewals.due.Store(true) // there may be more
	r := &renewal{num: list[0], before: math.MaxInt64, began: time.Now(), build: segment.NewBuilder()}
	if r.old, err = x.index.Segments(ctx, r.num); err != nil {
		return err
	}
	bytes := int64(indexBytes)
	for _, sg := range r.old {
		bytes += sg.Bytes
	}
	release, err := x.ix.roomToMerge(bytes)
	if err != nil {
		return err
	}
	release() // it is taken a page at a time
	// What is not indexed yet will be, independently of this.
	places, err := x.index.Places(ctx)
	if err != nil {
		return err
	}
	err = x.ix.opt.Store.View(ctx, func(rd store.Reader) error {
		waiting, err := rd.NotIndexed(ctx, r.num, places[x.index.Partition(r.num)], x.ix.waitingMost())
		if n := len(waiting); n > 0 {
			r.before = waiting[n-1].Seq
		}
		return err
	})
	if err == nil {
		x.renew = r
		x.ix.renewals.reach(reached{num: r.num})
	}
	return err
}

// renewPage indexes some more messages, the newer ones first.
func (x *indexer) renewPage(ctx context.Context, r *renewal) error {
	var list []toIndex
	end, last := false, r.before
	err := x.ix.opt.Store.View(ctx, func(rd store.Reader) error {
		list = list[:0]
		rows, err := rd.Messages(ctx, r.num, store.MessageFilter{Before: r.before, Limit: renewPage})
		end = len(rows) < renewPage
		for _, m := range rows {
			c, err := rd.Content(ctx, m)
			last = m.Seq
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			list = append(list, toIndex{Message: m, content: c})
		}
		if err != nil {
			return err
		}
		return withTexts(ctx, rd, r.num, list)
	})
	if err != nil {
		return err
	}
	r.before = last
	x.builder, r.build = r.build, x.builder // the words of new mail are not mixed up with these
	for _, m := range list {
		if err == nil {
			err = x.add(ctx, m)
		}
	}
	x.builder, r.build = r.build, x.builder
	if err == nil {
		err = x.wantTexts(ctx)
	}
	if err != nil {
		return err
	}
	r.count += len(list)
	x.ix.renewals.reach(reached{r.num, int64(r.count)})
	if r.build.Size() > indexBytes || end {
		if err := x.renewFlush(ctx, r); err != nil {
			return err
		}
	}
	if end {
		return x.endRenewal(ctx, r)
	}
	return nil
}

// renewFlush writes a segment and merges those that there are, as if they were noted.
func (x *indexer) renewFlush(ctx context.Context, r *renewal) error {
	if r.build.Docs() == 0 {
		return nil
	}
	var sg store.Segment
	err := x.index.Update(ctx, func(tx store.IndexTx) error {
		id, err := tx.NewSegment()
		if err != nil {
			return err
		}
		meta, err := r.build.Write(blockWriter{tx, r.num, id}, segment.ID{Mailbox: int64(r.num), Segment: id})
		sg = storedSegment(r.num, id, meta)
		return err
	})
	if err != nil {
		return err
	}
	r.build.Reset()
	r.made = append(r.made, sg)
	for {
		from, err := x.planned(ctx, r.num, r.made, segment.Plan)
		if err != nil || len(from) == 0 {
			return err
		}
		if err := x.renewMerge(ctx, r, from); err != nil {
			return err
		}
	}
}

func (x *indexer) renewMerge(ctx context.Context, r *renewal, from []*segment.Reader) error {
	var sg store.Segment
	err := x.index.Update(ctx, func(tx store.IndexTx) error {
		id, err := tx.NewSegment()
		if err != nil {
			return err
		}
		meta, err := segment.Merge(ctx, blockWriter{tx, r.num, id}, segment.ID{Mailbox: int64(r.num), Segment: id},
			from, nil)
		sg = storedSegment(r.num, id, meta)
		for _, old := range from {
			if err == nil {
				err = tx.DeleteSegment(r.num, old.ID().Segment)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	gone := make(map[int64]bool, len(from))
	for _, old := range from {
		gone[old.ID().Segment] = true
	}
	made := []store.Segment{sg}
	for _, s := range r.made {
		if !gone[s.ID] {
			made = append(made, s)
		}
	}
	r.made = made
	return nil
}

// endRenewal lets the new segments take the place of the old ones.
func (x *indexer) endRenewal(ctx context.Context, r *renewal) error {
	err := x.index.Update(ctx, func(tx store.IndexTx) error {
		for _, sg := range r.old {
			if err := tx.DeleteSegment(r.num, sg.ID); err != nil {
				return err
			}
		}
		for _, sg := range r.made {
			if err := tx.PutSegment(sg); err != nil {
				return err
			}
		}
		return tx.Renewed(r.num)
	})
	if err != nil {
		return err
	}
	x.renew = nil
	x.ix.renewals.reach(reached{})
	x.ix.renewals.done(r.num)
	x.ix.opt.Log.Info("the index of a mailbox was rebuilt", "mailbox", r.num, "messages", r.count, "took",
		time.Since(r.began).Round(time.Millisecond))
	return nil
}
