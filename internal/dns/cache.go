package dns

import (
	"container/list"
	"sync"
	"time"
)

const (
	maxTTL     = time.Hour
	failureTTL = time.Minute // of failures, and of names and records that do not exist
	cacheBytes = 8 << 20     // some 15,000 answers
)

// cache holds answers until their time is over. When it is full, what nobody asked for the longest goes.
type cache struct {
	now func() time.Time
	max int // bytes

	mu      sync.Mutex
	entries map[Question]*list.Element // of entry
	recent  list.List                  // the most recently used first
	size    int
}

type entry struct {
	question Question
	answer   Answer
	expires  time.Time
	size     int
}

func newCache(bytes int, now func() time.Time) *cache {
	return &cache{now: now, max: bytes, entries: make(map[Question]*list.Element)}
}

func (c *cache) get(q Question) (Answer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.entries[q]
	if el == nil {
		return Answer{}, false
	}
	e := el.Value.(*entry)
	if !c.now().Before(e.expires) {
		c.drop(el)
		return Answer{}, false
	}
	c.recent.MoveToFront(el)
	return e.answer, true
}

func (c *cache) put(q Question, a Answer, ttl time.Duration) {
	if ttl <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.entries[q]; el != nil {
		c.drop(el)
	}
	e := &entry{question: q, answer: a, expires: c.now().Add(ttl), size: footprint(q, a)}
	c.entries[q] = c.recent.PushFront(e)
	c.size += e.size
	for c.size > c.max {
		c.drop(c.recent.Back())
	}
}

func (c *cache) drop(el *list.Element) {
	e := c.recent.Remove(el).(*entry)
	delete(c.entries, e.question)
	c.size -= e.size
}

// footprint is about what an entry takes in memory.
func footprint(q Question, a Answer) int {
	n := 420 + len(q.Name) + len(a.Name) + 24*len(a.Addrs)
	for _, s := range a.Texts {
		n += 16 + len(s)
	}
	for _, s := range a.Names {
		n += 16 + len(s)
	}
	for _, mx := range a.MX {
		n += 24 + len(mx.Host)
	}
	for _, t := range a.TLSA {
		n += 32 + len(t.Data)
	}
	return n
}
