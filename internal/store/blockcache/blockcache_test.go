package blockcache

import (
	"fmt"
	"testing"
)

func TestCache(t *testing.T) {
	key := func(n int) Key { return Key{1, 1, n} }
	fill := func(c *Cache, from, to int) {
		for n := from; n < to; n++ {
			c.Keep(key(n), make([]byte, 1024-blockOverhead))
		}
	}
	count := func(c *Cache, from, to int) (kept int) {
		for n := from; n < to; n++ {
			if c.Has(key(n)) {
				kept++
			}
		}
		return kept
	}
	t.Run("it keeps what was read last", func(t *testing.T) {
		c := New(100 << 10)
		fill(c, 0, 1000)
		if count(c, 900, 1000) != 100 || len(c.blocks) != 100 || c.once.bytes != 100<<10 {
			t.Errorf("%d of the last 100, %d in all, %d bytes", count(c, 900, 1000), len(c.blocks), c.once.bytes)
		}
	})
	t.Run("what is read once does not drive out what is read again", func(t *testing.T) {
		c := New(100 << 10)
		fill(c, 0, 50)
		for n := range 50 {
			c.Block(key(n))
		}
		fill(c, 100, 1000)
		if n := count(c, 0, 50); n != 50 {
			t.Errorf("%d of 50 are left", n)
		}
	})
	t.Run("what is read again does not take everything", func(t *testing.T) {
		c := New(100 << 10)
		for n := range 500 {
			fill(c, n, n+1)
			c.Block(key(n))
		}
		if c.again.bytes > 75<<10 || c.again.bytes+c.once.bytes > 100<<10 || count(c, 450, 500) != 50 {
			t.Errorf("%d and %d bytes", c.again.bytes, c.once.bytes)
		}
	})
	t.Run("what is gone is forgotten", func(t *testing.T) {
		c := New(100 << 10)
		fill(c, 0, 60)
		c.Block(key(3))
		c.Forget(func(k Key) bool { return k.N < 59 })
		if len(c.blocks) != 1 || c.again.bytes != 0 || c.once.bytes != 1024 || c.once.Len()+c.again.Len() != 1 {
			t.Error(fmt.Sprint(len(c.blocks), c.once.bytes, c.again.bytes))
		}
	})
	t.Run("what is too large is not kept", func(t *testing.T) {
		c := New(100)
		c.Keep(key(1), make([]byte, 200))
		if len(c.blocks) != 0 || c.once.bytes != 0 {
			t.Error("it is")
		}
	})
}
