package segment

import "context"

// Has tells whether a segment has a document.
func (r *Reader) Has(ctx context.Context, seq int64) (bool, error) {
	if seq < r.meta.MinSeq || seq > r.meta.MaxSeq {
		return false, nil
	}
	v, err := newView(ctx, r, newCache(sourceBlocks))
	if err != nil {
		return false, &ReadError{"look", r.id, err}
	}
	c := newDocCursor(v)
	found, err := c.seek(ctx, seq)
	if err != nil {
		return false, &ReadError{"look", r.id, err}
	}
	return found == seq, nil
}
