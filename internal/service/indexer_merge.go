package service

import (
	"context"
	"math"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

const (
	// mergeBoxes is how many mailboxes are looked at for merging at a time.
	mergeBoxes = 64
	// piecesMany is how many segments a mailbox may get while mail keeps coming in, before it is merged all the same, and mergeTime how
	// much of a round that may take. A merge of many at once costs less than several of a few.
	piecesMany = 32
	mergeTime  = 100 * time.Millisecond
	// busyDocs is how many messages such a merge may take together, because new mail waits for it. Segments that have more of them are
	// few; but they are merged too when a mailbox has got piecesLong.
	busyDocs   = 5000
	piecesLong = 4 * piecesMany
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
			if len(wake) > 0 {
				return nil // it is kept for the wait
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
	for num, n := range x.pieces {
		if n < piecesMany || x.renewing(num) {
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
	return nil
}

// mergeBox does one merge of a mailbox, if it takes no more messages than that, or notes that there is none to do.
func (x *indexer) mergeBox(ctx context.Context, num mailbox.Num, most int) error {
	list, err := x.index.Segments(ctx, num)
	if err != nil {
		return err
	}
	from := x.planned(num, list)
	docs := 0
	for _, r := range from {
		docs += r.Meta().Docs
	}
	switch {
	case len(from) == 0:
		delete(x.pieces, num)
		return x.index.Update(ctx, func(tx store.IndexTx) error { return tx.Merged(num) })
	case docs > most:
		return nil
	}
	delete(x.pieces, num)
	return x.rewrite(ctx, num, from)
}

// planned gives the segments of a mailbox that are to be merged next.
func (x *indexer) planned(num mailbox.Num, list []store.Segment) (from []*segment.Reader) {
	planned := make([]segment.Planned, len(list))
	readers := make(map[int64]*segment.Reader, len(list))
	for i, sg := range list {
		planned[i] = segment.Planned{ID: segment.ID{Mailbox: int64(num), Segment: sg.ID}, Docs: sg.Docs, Dropped: min(sg.Dropped, sg.Docs)}
		readers[sg.ID] = x.s.reader(sg)
	}
	for _, id := range segment.Plan(planned) {
		from = append(from, readers[id.Segment])
	}
	return from
}

// rewrite writes segments of a mailbox as one, without what was deleted.
func (x *indexer) rewrite(ctx context.Context, num mailbox.Num, from []*segment.Reader) error {
	dropped, err := x.index.Dropped(ctx, num)
	if err != nil {
		return err
	}
	var forgot []int64
	return x.index.Update(ctx, func(tx store.IndexTx) error {
		forgot = forgot[:0]
		id, err := tx.NewSegment()
		if err != nil {
			return err
		}
		meta, err := segment.Merge(ctx, blockWriter{tx, num, id}, segment.ID{Mailbox: int64(num), Segment: id}, from, func(seq int64) bool {
			if dropped[seq] {
				forgot = append(forgot, seq)
			}
			return dropped[seq]
		})
		if err != nil {
			return err
		}
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
}

// reader reads a segment of a mailbox.
func (s *Service) reader(sg store.Segment) *segment.Reader {
	return segment.NewReader(segment.ID{Mailbox: int64(sg.Mailbox), Segment: sg.ID},
		segment.Meta{Docs: sg.Docs, MinSeq: sg.MinSeq, MaxSeq: sg.MaxSeq, Blocks: sg.Blocks, Bytes: sg.Bytes}, blockSource{s.opt.Index, sg.Mailbox, sg.ID})
}

type blockSource struct {
	index store.Index
	num   mailbox.Num
	id    int64
}

func (b blockSource) Block(ctx context.Context, n int) ([]byte, error) {
	return b.index.Block(ctx, b.num, b.id, n)
}
