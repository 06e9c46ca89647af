package index

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// While mail keeps coming in and going, only as much is merged and cleaned as keeps searches quick and the index small:
// what is written at such times competes with mail. Mailboxes are done together, which costs less.

const (
	// piecesMany is how many segments a mailbox may get before it is merged while mail keeps coming in, and mergeTime
	// how much of a round that may take. A merge of many at once costs less than several of a few.
	piecesMany = 24
	mergeTime  = 100 * time.Millisecond
	// busyDocs is how many messages such a merge may take together, because new mail waits for it. Segments that have
	// more of them are few; but they are merged too when a mailbox has got piecesLong.
	busyDocs   = 5000
	piecesLong = 128
	// togetherDocs is from how many messages on merges of several mailboxes are done in one update.
	togetherDocs = 1000
	// dropsMany is how many messages of a mailbox may be deleted while mail keeps coming in, before its segments are
	// looked at for that.
	dropsMany = 8
	// piecesMost is for how many mailboxes they are counted.
	piecesMost = 100_000
)

// gotPiece counts a new segment of a mailbox. Mailboxes that get mail at the same pace would all be merged at the same
// moment, and the index would have the size of all of them before that, so they begin at different numbers.
func (x *indexer) gotPiece(num mailbox.Num) {
	if _, ok := x.pieces[num]; !ok {
		x.pieces[num] = int(num>>4&3) * piecesMany / 4
	}
	x.pieces[num]++
}

// relieve takes out what was deleted, and merges the segments of mailboxes that have got too many, each for a while.
func (x *indexer) relieve(ctx context.Context) error {
	few := dropsMany
	if len(x.drops) > 0 && x.ix.opt.Disk.Spare() == 0 { // what is deleted is to make room
		few, x.scrub = 1, true
	}
	if err := x.compact(ctx, x.due(x.drops, few, x.compacted), time.Now().Add(mergeTime)); err != nil {
		return err
	}
	return x.mergeMany(ctx, x.due(x.pieces, piecesMany, x.merged), time.Now().Add(mergeTime))
}

// due returns the mailboxes that have so many of something, those that are neighbours in the index together, and first
// those after the one that there was time for the last time.
func (x *indexer) due(counts map[mailbox.Num]int, many int, after mailbox.Num) (list []mailbox.Num) {
	for num, n := range counts {
		if n >= many && !x.renewing(num) {
			list = append(list, num)
		}
	}
	slices.Sort(list)
	i, _ := slices.BinarySearch(list, after+1)
	return slices.Concat(list[i:], list[:i])
}

// mergeMany merges segments of the mailboxes that have got many, some mailboxes at a time.
func (x *indexer) mergeMany(ctx context.Context, boxes []mailbox.Num, late time.Time) error {
	var list []*merging
	docs := 0
	for _, num := range boxes {
		x.merged = num
		from, err := x.planBusy(ctx, num)
		if err = x.unlessDamaged(ctx, num, err); err != nil {
			return err
		}
		if len(from) == 0 {
			x.pieces[num] = 0
			continue
		}
		list = append(list, &merging{num: num, from: from}) // it is looked at again: there may be more to merge
		for _, r := range from {
			docs += r.Meta().Docs
		}
		if docs < togetherDocs {
			continue
		}
		if err := x.mergeTogether(ctx, list); err != nil || time.Now().After(late) {
			return err
		}
		list, docs = nil, 0
	}
	return x.mergeTogether(ctx, list)
}

func (x *indexer) planBusy(ctx context.Context, num mailbox.Num) ([]*segment.Reader, error) {
	list, err := x.index.Segments(ctx, num)
	if err != nil {
		return nil, err
	}
	return x.planned(ctx, num, list, func(planned []segment.Planned) []segment.ID {
		if len(planned) >= piecesLong {
			return segment.Plan(planned)
		}
		return segment.PlanBusy(planned, busyDocs)
	})
}

// mergeTogether does merges in one update. Where there is no room for all, or one of them fails, each is done by
// itself, so that a damaged mailbox keeps nobody else's from being merged.
func (x *indexer) mergeTogether(ctx context.Context, list []*merging) error {
	if len(list) == 0 {
		return nil
	}
	err := x.rewriteAll(ctx, list)
	if !isDamage(err) && (!errors.Is(err, errNoRoom) || len(list) == 1) {
		return err
	}
	for _, m := range list {
		err := x.rewriteAll(ctx, []*merging{m})
		if isDamage(err) {
			x.pieces[m.num] = 0
		}
		if err = x.unlessDamaged(ctx, m.num, err); err != nil {
			return err
		}
	}
	return nil
}

// worn is what deletions have left of a mailbox's segments.
type worn struct {
	num    mailbox.Num
	dead   []int64           // segments of which nothing is left
	strays []int64           // deleted messages that are in no other segment
	again  []*segment.Reader // to be written again as one
}

// compact takes deleted messages out of the segments of mailboxes.
func (x *indexer) compact(ctx context.Context, boxes []mailbox.Num, late time.Time) error {
	var all []worn
	var again []*merging
	for i, num := range boxes {
		if i > 0 && time.Now().After(late) {
			break
		}
		x.compacted = num
		delete(x.drops, num)
		w, err := x.wornOf(ctx, num)
		if err = x.unlessDamaged(ctx, num, err); err != nil {
			return err
		}
		if len(w.dead)+len(w.strays) > 0 {
			all = append(all, w)
		}
		if len(w.again) > 0 {
			again = append(again, &merging{num: num, from: w.again})
		}
	}
	if err := x.dropDead(ctx, all); err != nil {
		return err
	}
	err := x.mergeTogether(ctx, again)
	if errors.Is(err, errNoRoom) {
		err = nil // they are written again when there is room, by a merge or a sweep
	}
	return err
}

// wornOf looks at a mailbox for what was deleted: segments of which nothing is left, and what no segment has. Where a
// third of its part is deleted, segments that have lost as much are to be written again. Those that are merely old die
// whole in a moment, and cost nothing then.
func (x *indexer) wornOf(ctx context.Context, num mailbox.Num) (worn, error) {
	w := worn{num: num}
	list, err := x.index.Segments(ctx, num)
	if err != nil {
		return w, err
	}
	dropped, err := x.index.Dropped(ctx, num)
	if err != nil {
		return w, err
	}
	strays := maps.Clone(dropped)
	docs, gone := 0, 0
	for _, sg := range list {
		held, err := x.droppedOf(ctx, sg, dropped)
		if err != nil {
			return w, err
		}
		if len(held) == sg.Docs {
			w.dead = append(w.dead, sg.ID)
			continue
		}
		docs, gone = docs+sg.Docs, gone+len(held)
		if len(held) > 0 && 3*len(held) >= sg.Docs && sg.Docs <= busyDocs && len(w.again) < segment.MaxMerge {
			w.again = append(w.again, x.ix.reader(sg))
		}
		for _, seq := range held {
			delete(strays, seq)
		}
	}
	if 3*gone < docs {
		w.again = nil
	}
	w.strays = slices.Collect(maps.Keys(strays))
	return w, nil
}

// dropDead deletes the segments of which nothing is left.
func (x *indexer) dropDead(ctx context.Context, all []worn) error {
	if len(all) == 0 {
		return nil
	}
	return x.index.Update(ctx, func(tx store.IndexTx) error {
		for _, w := range all {
			for _, id := range w.dead {
				if err := tx.DeleteSegment(w.num, id); err != nil {
					return err
				}
			}
			if err := tx.Undrop(w.num, w.strays); err != nil {
				return err
			}
		}
		return nil
	})
}
