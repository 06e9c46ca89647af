package segment

import (
	"context"
	"sort"
)

// docCursor walks the documents of a segment, newest first. It begins before the first.
type docCursor struct {
	v     *view
	place int // of the open block
	r     docReader
	at    int64
	open  bool
}

func newDocCursor(v *view) docCursor { return docCursor{v: v, place: -1, at: noDoc} }

func (c *docCursor) seq() int64    { return c.at }
func (c *docCursor) cur() document { return c.r.cur }

func (c *docCursor) load(ctx context.Context, place int) error {
	if err := c.v.work.spend(ctx, 4); err != nil {
		return err
	}
	b, err := c.v.block(ctx, docBlock, place)
	if err != nil {
		return err
	}
	c.place, c.open = place, true
	c.r = newDocReader(b, c.v.h.firsts[place], c.v.r.meta.MinSeq)
	return nil
}

// next returns the next document, or noDoc.
func (c *docCursor) next(ctx context.Context) (int64, error) {
	for {
		if c.open {
			ok, err := c.r.next()
			if err != nil {
				return noDoc, err
			}
			if ok {
				c.at = c.r.cur.seq
				return c.at, nil
			}
			c.open = false
		}
		if c.place+1 >= len(c.v.h.firsts) {
			c.at = noDoc
			return noDoc, nil
		}
		if err := c.load(ctx, c.place+1); err != nil {
			return noDoc, err
		}
	}
}

// seek returns the newest document that is not newer than target, or noDoc; never back.
func (c *docCursor) seek(ctx context.Context, target int64) (int64, error) {
	if c.at != noDoc && c.at <= target {
		return c.at, nil
	}
	firsts := c.v.h.firsts
	// The last block that begins above target may still have it.
	place := sort.Search(len(firsts), func(i int) bool { return firsts[i] <= target }) - 1
	if place > c.place {
		if err := c.load(ctx, place); err != nil {
			return noDoc, err
		}
	}
	for {
		seq, err := c.next(ctx)
		if err != nil || seq == noDoc || seq <= target {
			return seq, err
		}
	}
}
