package segment

import (
	"context"
	"slices"
)

// Holds returns those of the documents that the segment has, newest first.
func (r *Reader) Holds(ctx context.Context, seqs []int64) (held []int64, err error) {
	v, err := newView(ctx, r, newCache(1))
	if err != nil {
		return nil, err
	}
	c := newDocCursor(v)
	for _, seq := range slices.Backward(slices.Sorted(slices.Values(seqs))) {
		at, err := c.seek(ctx, seq)
		if err != nil || at == noDoc {
			return held, err
		}
		if at == seq {
			held = append(held, seq)
		}
	}
	return held, nil
}
