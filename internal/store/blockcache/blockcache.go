// Package blockcache keeps blocks of the index in memory, for the stores.
package blockcache

import (
	"container/list"
	"slices"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Key names a block. What it names never changes.
type Key struct {
	Mailbox mailbox.Num
	Segment int64
	N       int
}

// Cache keeps the blocks that were read last. Blocks that were wanted more than once have three quarters of it to
// themselves, so that a merge, which reads everything once, does not drive out what searches come back to.
type Cache struct {
	mu     sync.Mutex
	most   int
	blocks map[Key]*list.Element
	once   blockList
	again  blockList
}

// blockList has the block that was used last in front.
type blockList struct {
	list.List
	bytes int
}

type keptBlock struct {
	key   Key
	data  []byte
	where *blockList
}

// blockOverhead is about what a block takes besides its bytes.
const blockOverhead = 256

func (b *keptBlock) size() int { return len(b.data) + blockOverhead }

// New returns a cache that takes a given number of bytes at most.
func New(most int) *Cache {
	return &Cache{most: most, blocks: make(map[Key]*list.Element)}
}

// Block returns a block that is kept.
func (c *Cache) Block(k Key) (data []byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.blocks[k]
	if !ok {
		return nil, false
	}
	b := e.Value.(*keptBlock)
	if b.where == &c.again {
		c.again.MoveToFront(e)
		return b.data, true
	}
	c.move(e, &c.again)
	for c.again.bytes > c.most/4*3 {
		c.move(c.again.Back(), &c.once)
	}
	return b.data, true
}

// Has tells whether a block is kept, without counting that as a use.
func (c *Cache) Has(k Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.blocks[k]
	return ok
}

// Without leaves out those that are kept.
func (c *Cache) Without(keys []Key) []Key {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(keys, func(k Key) bool { return c.blocks[k] != nil })
}

// Keep takes a block in, and lets others go for it. Nobody writes to its bytes from then on.
func (c *Cache) Keep(k Key, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.blocks[k]; ok {
		return
	}
	c.put(&keptBlock{key: k, data: data}, &c.once)
	for c.once.bytes+c.again.bytes > c.most {
		c.remove(c.once.Back())
	}
}

// Forget lets go of the blocks for which gone is true.
func (c *Cache) Forget(gone func(Key) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, e := range c.blocks {
		if gone(k) {
			c.remove(e)
		}
	}
}

func (c *Cache) move(e *list.Element, to *blockList) {
	b := e.Value.(*keptBlock)
	c.remove(e)
	c.put(b, to)
}

func (c *Cache) put(b *keptBlock, to *blockList) {
	b.where = to
	to.bytes += b.size()
	c.blocks[b.key] = to.PushFront(b)
}

func (c *Cache) remove(e *list.Element) {
	b := e.Value.(*keptBlock)
	b.where.Remove(e)
	b.where.bytes -= b.size()
	delete(c.blocks, b.key)
}
