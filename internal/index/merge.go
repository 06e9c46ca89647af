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

// mergeBoxes is how many mailboxes are looked at for merging at a time.
const mergeBoxes = 64

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
			if err := x.unlessDamaged(ctx, num, x.mergeBox(ctx, num)); err != nil {
				return err
			}
			done++
		}
		if done == 0 {
			return nil
		}
	}
}

// mergeBox does one merge of a mailbox, or notes that there is none to do. One that changed nothing is noted as well,
// so that it is not done again before the mailbox has changed.
func (x *indexer) mergeBox(ctx context.Context, num mailbox.Num) error {
	list, err := x.index.Segments(ctx, num)
	if err != nil {
		return err
	}
	from, err := x.planned(ctx, num, list, segment.Plan)
	if err != nil {
		return err
	}
	delete(x.pieces, num)
	if len(from) > 0 {
		docs := 0
		for _, r := range from {
			docs += r.Meta().Docs
		}
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

// merging is segments of a mailbox that are written as one, without what was deleted.
type merging struct {
	num  mailbox.Num
	from []*segment.Reader
	left int // messages, when it is done
}

// rewrite writes segments of a mailbox as one, without what was deleted, and tells how many messages are left.
func (x *indexer) rewrite(ctx context.Context, num mailbox.Num, from []*segment.Reader) (docs int, err error) {
	m := merging{num: num, from: from}
	err = x.rewriteAll(ctx, []*merging{&m})
	return m.left, err
}

// rewriteAll does several merges in one update. Together they change pages once that each would change by itself.
func (x *indexer) rewriteAll(ctx context.Context, list []*merging) (err error) {
	bytes := int64(0)
	dropped := make([]map[int64]bool, len(list))
	for i, m := range list {
		for _, r := range m.from {
			bytes += r.Meta().Bytes
		}
		if dropped[i], err = x.index.Dropped(ctx, m.num); err != nil {
			return err
		}
	}
	release, err := x.ix.roomToMerge(bytes)
	if err != nil {
		return err
	}
	defer release()
	return x.index.Update(ctx, func(tx store.IndexTx) error {
		for i, m := range list {
			if err := m.write(ctx, tx, dropped[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *merging) write(ctx context.Context, tx store.IndexTx, dropped map[int64]bool) error {
	id, err := tx.NewSegment()
	if err != nil {
		return err
	}
	var forgot []int64
	meta, err := segment.Merge(ctx, blockWriter{tx, m.num, id}, segment.ID{Mailbox: int64(m.num), Segment: id}, m.from,
		func(seq int64) bool {
			if dropped[seq] {
				forgot = append(forgot, seq)
			}
			return dropped[seq]
		})
	if err != nil {
		return err
	}
	m.left = meta.Docs
	for _, old := range m.from {
		if err := tx.DeleteSegment(m.num, old.ID().Segment); err != nil {
			return err
		}
	}
	if err := tx.Undrop(m.num, forgot); err != nil || meta.Docs == 0 {
		return err
	}
	return tx.PutSegment(storedSegment(m.num, id, meta))
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
