package segment

import "context"

// cacheBlocks is how many blocks a query keeps.
const cacheBlocks = 64

// cache keeps the blocks that one query or merge has read last, of all its segments together. First in, first out:
// lists are read forwards, so what was read long ago is not wanted again.
type cache struct {
	blocks map[blockKey][]byte
	order  []blockKey
	next   int
}

type blockKey struct {
	segment int64
	n       int
}

func newCache(size int) *cache {
	return &cache{blocks: make(map[blockKey][]byte, size), order: make([]blockKey, 0, size)}
}

func (c *cache) put(k blockKey, b []byte) {
	if len(c.order) < cap(c.order) {
		c.order = append(c.order, k)
	} else {
		delete(c.blocks, c.order[c.next])
		c.order[c.next] = k
		c.next = (c.next + 1) % len(c.order)
	}
	c.blocks[k] = b
}

// view is a segment as one query or merge reads it. One goroutine at a time.
type view struct {
	r       *Reader
	h       *head
	cache   *cache
	work    *work  // what is counted against the budget; nil if nothing is
	scratch []byte // for what lies across blocks
}

func newView(ctx context.Context, r *Reader, c *cache) (*view, error) {
	h, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	return &view{r: r, h: h, cache: c}, nil
}

// block returns a kind's place-th block, from the head, the cache or the store.
func (v *view) block(ctx context.Context, k kind, place int) ([]byte, error) {
	if place < 0 || place > v.h.full[k] || place == v.h.full[k] && len(v.h.tail[k]) == 0 {
		return nil, corrupt("no block %d of kind %d", place, k)
	}
	if place == v.h.full[k] {
		return v.h.tail[k], nil
	}
	key := blockKey{v.r.id.Segment, k.number(place)}
	if b, ok := v.cache.blocks[key]; ok {
		return b, nil
	}
	b, err := v.r.fetch(ctx, key.n)
	if err != nil {
		return nil, err
	}
	if len(b) > k.capacity() || len(b) == 0 {
		return nil, corrupt("block %d has %d bytes", key.n, len(b))
	}
	v.cache.put(key, b)
	return b, nil
}

// window returns size bytes of a stream, valid until the next window. What crosses a border of blocks is copied.
func (v *view) window(ctx context.Context, k kind, offset int64, size int) ([]byte, error) {
	place, at := int(offset/streamBlock), int(offset%streamBlock)
	b, err := v.block(ctx, k, place)
	if err != nil {
		return nil, err
	}
	if at+size <= len(b) {
		return b[at : at+size], nil
	}
	v.scratch = append(v.scratch[:0], b[min(at, len(b)):]...)
	for len(v.scratch) < size {
		if len(b) != streamBlock {
			return nil, corrupt("stream of kind %d ends early", k)
		}
		place++
		if b, err = v.block(ctx, k, place); err != nil {
			return nil, err
		}
		v.scratch = append(v.scratch, b[:min(len(b), size-len(v.scratch))]...)
	}
	return v.scratch, nil
}
