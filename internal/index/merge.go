package index

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

const (
	// mergeBoxes is how many mailboxes are looked at for merging at a time.
	mergeBoxes = 64
	// piecesMany is how many segments a mailbox may get while mail keeps coming in, before it is merged all the same,
	// and mergeTime how much of a round that may take. A merge of many at once costs less than several of a few.
	piecesMany = 32
	// piecesFew is the same where mail does not wait for the processor: many small segments cost searches, and room.
	piecesFew = 8
	mergeTime = 100 * time.Millisecond
	// busyDocs is how many messages such a merge may take together, because new mail waits for it. Segments that have
	// more of them are few; but they are merged too when a mailbox has got piecesLong.
	busyDocs   = 5000
	piecesLong = 4 * piecesMany
	// dropsMany is how many messages of a mailbox may be deleted while mail keeps coming in, before its segments are
	// looked at for that.
	dropsMany = 32
	// piecesMost is for how many mailboxes they are counted.
	piecesMost = 100_000
)

// merge merges segments until there is nothing to merge, or new mail has come.
func (x *indexer) merge(ctx context.Context, wake <-chan struct{}) error {
	for {
		boxes, err := x.index.Unmerged(ctx, mergeBoxes)
		if err != nil {
			return err
		}
		done := 0
		for _, num := range boxes {
			if len(wake) > 0 || time.Now().Before(x.tidyAt) {
				return nil // the wake is kept for the wait
			}
			if x.renewing(num) {
				continue // with all the others it is merged then
			}
			if err := x.unlessDamaged(ctx, num, x.mergeBox(ctx, num, math.MaxInt)); err != nil {
				return err
			}
			done++
		}
		if done == 0 {
			return nil
		}
	}
}

// relieve merges the segments of mailboxes that have got too many, for a while.
func (x *indexer) relieve(ctx context.Context) error {
	began := time.Now()
	many := piecesMany
	if !x.ix.opt.Pressure.overloaded(began, x.ix.cores) {
		many = piecesFew
	}
	for num, n := range x.pieces {
		if n < many || x.renewing(num) {
			continue
		}
		if time.Since(began) > mergeTime {
			return nil
		}
		most := busyDocs
		if n >= piecesLong {
			most = math.MaxInt
		}
		if err := x.unlessDamaged(ctx, num, x.mergeBox(ctx, num, most)); err != nil {
			return err
		}
	}
	few := dropsMany
	if len(x.drops) > 0 && x.ix.opt.Disk.Spare() == 0 { // what is deleted is to make room
		few, x.scrub = 1, true
	}
	for num, n := range x.drops {
		if n < few || x.renewing(num) {
			continue
		}
		if time.Since(began) > mergeTime {
			return nil
		}
		delete(x.drops, num)
		if err := x.unlessDamaged(ctx, num, x.compact(ctx, num)); err != nil {
			return err
		}
	}
	return nil
}

// mergeBox does one merge of a mailbox, if it takes no more messages than that, or notes that there is none to do. One
// that changed nothing is noted as well, so that it is not done again before the mailbox has changed.
func (x *indexer) mergeBox(ctx context.Context, num mailbox.Num, most int) error {
	list, err := x.index.Segments(ctx, num)
	if err != nil {
		return err
	}
	plan := segment.Plan
	if most < math.MaxInt {
		plan = func(list []segment.Planned) []segment.ID { return segment.PlanTiny(list, piecesFew) }
	}
	from, err := x.planned(ctx, num, list, plan)
	if err != nil {
		return err
	}
	docs := 0
	for _, r := range from {
		docs += r.Meta().Docs
	}
	if docs > most {
		return nil
	}
	delete(x.pieces, num)
	if len(from) > 0 {
		left, err := x.rewrite(ctx, num, from)
		if err != nil || len(from) > 1 || left < docs {
			return err
		}
		x.tidyAt = time.Now().Add(x.tidying.NoProgress("mailbox", num, "messages", docs))
	}
	return x.index.Update(ctx, func(tx store.IndexTx) error { return tx.Merged(num) })
}

// planned returns the segments of a mailbox that are to be merged next. The store counts for a segment every dropped
// message between its first and its last, also those that it does not have: they were deleted before they were indexed,
// or are in another. So a segment that would be written again by itself is looked at first.
func (x *indexer) planned(ctx context.Context, num mailbox.Num, list []store.Segment,
	plan func([]segment.Planned) []segment.ID) (from []*segment.Reader, err error) {
	planned := make([]segment.Planned, len(list))
	at := make(map[segment.ID]int, len(list))
	for i, sg := range list {
		id := segment.ID{Mailbox: int64(num), Segment: sg.ID}
		planned[i] = segment.Planned{ID: id, Docs: sg.Docs, Dropped: min(sg.Dropped, sg.Docs)}
		at[id] = i
	}
	chosen := plan(planned)
	for exact := map[segment.ID]bool{}; len(chosen) == 1 && !exact[chosen[0]]; chosen = plan(planned) {
		exact[chosen[0]] = true
		if err := x.countDropped(ctx, list, list[at[chosen[0]]], &planned[at[chosen[0]]]); err != nil {
			return nil, err
		}
	}
	for _, id := range chosen {
		from = append(from, x.ix.reader(list[at[id]]))
	}
	return from, nil
}

// countDropped sets how many of a segment's own messages are dropped. Where those are fewer than the store counts, it
// also forgets the dropped messages that no segment has.
func (x *indexer) countDropped(ctx context.Context, list []store.Segment, sg store.Segment, p *segment.Planned) error {
	dropped, err := x.index.Dropped(ctx, sg.Mailbox)
	if err != nil {
		return err
	}
	held, err := x.droppedOf(ctx, sg, dropped)
	if err != nil || len(held) == p.Dropped {
		return err
	}
	p.Dropped = len(held)
	for _, sg := range list {
		if held, err = x.droppedOf(ctx, sg, dropped); err != nil {
			return err
		}
		for _, seq := range held {
			delete(dropped, seq)
		}
	}
	if len(dropped) == 0 {
		return nil
	}
	strays := slices.Collect(maps.Keys(dropped))
	return x.index.Update(ctx, func(tx store.IndexTx) error { return tx.Undrop(sg.Mailbox, strays) })
}

// droppedOf returns the dropped messages that a segment has.
func (x *indexer) droppedOf(ctx context.Context, sg store.Segment, dropped map[int64]bool) ([]int64, error) {
	if sg.Dropped == 0 {
		return nil, nil
	}
	var seqs []int64
	for seq := range dropped {
		if seq >= sg.MinSeq && seq <= sg.MaxSeq {
			seqs = append(seqs, seq)
		}
	}
	return x.ix.reader(sg).Holds(ctx, seqs)
}

// rewrite writes segments of a mailbox as one, without what was deleted, and tells how many messages are left.
func (x *indexer) rewrite(ctx context.Context, num mailbox.Num, from []*segment.Reader) (docs int, err error) {
	bytes := int64(0)
	for _, r := range from {
		bytes += r.Meta().Bytes
	}
	release, err := x.ix.roomToMerge(bytes)
	if err != nil {
		return 0, err
	}
	defer release()
	dropped, err := x.index.Dropped(ctx, num)
	if err != nil {
		return 0, err
	}
	var forgot []int64
	err = x.index.Update(ctx, func(tx store.IndexTx) error {
		forgot = forgot[:0]
		id, err := tx.NewSegment()
		if err != nil {
			return err
		}
		meta, err := segment.Merge(ctx, blockWriter{tx, num, id}, segment.ID{Mailbox: int64(num), Segment: id}, from,
			func(seq int64) bool {
				if dropped[seq] {
					forgot = append(forgot, seq)
				}
				return dropped[seq]
			})
		if err != nil {
			return err
		}
		docs = meta.Docs
		for _, old := range from {
			if err := tx.DeleteSegment(num, old.ID().Segment); err != nil {
				return err
			}
		}
		if err := tx.Undrop(num, forgot); err != nil || meta.Docs == 0 {
			return err
		}
		return tx.PutSegment(storedSegment(num, id, meta))
	})
	return docs, err
}

// reader reads a segment of a mailbox.
func (ix *Index) reader(sg store.Segment) *segment.Reader {
	return segment.NewReader(segment.ID{Mailbox: int64(sg.Mailbox), Segment: sg.ID},
		segment.Meta{Docs: sg.Docs, MinSeq: sg.MinSeq, MaxSeq: sg.MaxSeq, Blocks: sg.Blocks, Bytes: sg.Bytes},
		blockSource{ix.opt.Index, sg.Mailbox, sg.ID})
}

type blockSource struct {
	index store.Index
	num   mailbox.Num
	id    int64
}

func (b blockSource) Block(ctx context.Context, n int) ([]byte, error) {
	return b.index.Block(ctx, b.num, b.id, n)
}
