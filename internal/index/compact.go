package index

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// compact takes deleted messages out of the segments of a mailbox while mail keeps coming in and going: segments of
// which nothing is left go, those of which half is left are written again as one, and what no segment has is forgotten.
func (x *indexer) compact(ctx context.Context, num mailbox.Num) error {
	list, err := x.index.Segments(ctx, num)
	if err != nil {
		return err
	}
	dropped, err := x.index.Dropped(ctx, num)
	if err != nil {
		return err
	}
	forget := maps.Clone(dropped)
	var dead []int64
	var half []*segment.Reader
	for _, sg := range list {
		held, err := x.droppedOf(ctx, sg, dropped)
		if err != nil {
			return err
		}
		if len(held) == sg.Docs {
			dead = append(dead, sg.ID)
			continue
		}
		if len(held) > 0 && 2*len(held) >= sg.Docs && sg.Docs <= busyDocs && len(half) < segment.MaxMerge {
			half = append(half, x.ix.reader(sg))
		}
		for _, seq := range held {
			delete(forget, seq)
		}
	}
	err = x.index.Update(ctx, func(tx store.IndexTx) error {
		for _, id := range dead {
			if err := tx.DeleteSegment(num, id); err != nil {
				return err
			}
		}
		return tx.Undrop(num, slices.Collect(maps.Keys(forget)))
	})
	if err == nil && len(half) > 0 {
		_, err = x.rewrite(ctx, num, half)
	}
	if errors.Is(err, errNoRoom) {
		err = nil // they are written again when there is room, by a merge or a sweep
	}
	return err
}
