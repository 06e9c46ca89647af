package postgres

import (
	"fmt"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// What a search asks for one by one comes in few round trips, and what it asks for again in none.
func TestIndexRoundTrips(t *testing.T) {
	pool, trips := indexPool(t)
	writer := NewIndex(pool)
	var ids []int64
	for range 10 {
		ids = append(ids, putBlocks(t, writer, 1, 25))
	}
	x := NewIndex(pool) // another node
	read := func(id int64, n int) {
		if data, err := x.Block(t.Context(), 1, id, n); err != nil || len(data) != 1 || data[0] != byte(n) {
			t.Fatalf("block %d of %d: %x, %v", n, id, data, err)
		}
	}
	heads := func() {
		for _, id := range ids {
			read(id, 0)
		}
	}
	stream := func() {
		for n := range 24 {
			read(ids[0], n+1)
		}
	}
	for _, c := range []struct {
		name string
		ask  func()
		want int
	}{
		{"the heads of all segments", heads, 2},
		{"again", heads, 0},
		{"blocks one after the other", stream, 3},
		{"again", stream, 0},
		{"a block by itself", func() { read(ids[1], 7) }, 1},
		{"the head of a new segment", func() { ids = append(ids, putBlocks(t, writer, 1, 1)); trips.n.Store(0); read(ids[10], 0) }, 1},
	} {
		trips.n.Store(0)
		if c.ask(); int(trips.n.Load()) != c.want {
			t.Errorf("%s: %d round trips, want %d", c.name, trips.n.Load(), c.want)
		}
	}
}

func TestBlockCache(t *testing.T) {
	key := func(n int) blockKey { return blockKey{mailbox.Num(1), 1, n} }
	fill := func(c *blockCache, from, to int) {
		for n := from; n < to; n++ {
			c.keep(key(n), make([]byte, 1024-blockOverhead))
		}
	}
	count := func(c *blockCache, from, to int) (kept int) {
		for n := from; n < to; n++ {
			if c.has(key(n)) {
				kept++
			}
		}
		return kept
	}
	t.Run("it keeps what was read last", func(t *testing.T) {
		c := newBlockCache(100 << 10)
		fill(c, 0, 1000)
		if count(c, 900, 1000) != 100 || len(c.blocks) != 100 || c.once.bytes != 100<<10 {
			t.Errorf("%d of the last 100, %d in all, %d bytes", count(c, 900, 1000), len(c.blocks), c.once.bytes)
		}
	})
	t.Run("what is read once does not drive out what is read again", func(t *testing.T) {
		c := newBlockCache(100 << 10)
		fill(c, 0, 50)
		for n := range 50 {
			c.block(key(n))
		}
		fill(c, 100, 1000)
		if n := count(c, 0, 50); n != 50 {
			t.Errorf("%d of 50 are left", n)
		}
	})
	t.Run("what is read again does not take everything", func(t *testing.T) {
		c := newBlockCache(100 << 10)
		for n := range 500 {
			fill(c, n, n+1)
			c.block(key(n))
		}
		if c.again.bytes > 75<<10 || c.again.bytes+c.once.bytes > 100<<10 || count(c, 450, 500) != 50 {
			t.Errorf("%d and %d bytes", c.again.bytes, c.once.bytes)
		}
	})
	t.Run("what is gone is forgotten", func(t *testing.T) {
		c := newBlockCache(100 << 10)
		fill(c, 0, 60)
		c.block(key(3))
		c.forget(func(k blockKey) bool { return k.n < 59 })
		if len(c.blocks) != 1 || c.again.bytes != 0 || c.once.bytes != 1024 || c.once.Len()+c.again.Len() != 1 {
			t.Error(fmt.Sprint(len(c.blocks), c.once.bytes, c.again.bytes))
		}
	})
	t.Run("what is too large is not kept", func(t *testing.T) {
		c := newBlockCache(100)
		c.keep(key(1), make([]byte, 200))
		if len(c.blocks) != 0 || c.once.bytes != 0 {
			t.Error("it is")
		}
	})
}
