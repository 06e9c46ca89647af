package sender

import (
	"container/list"
	"sync"
	"time"
)

const (
	maxTTL     = time.Hour
	failureTTL = time.Minute // of failures, and of names and records that do not exist
	cacheBytes = 8 << 20     // some 20,000 answers
)

// cache holds answers until their time is over. When it is full, what nobody asked for the longest goes.
type cache struct {
	now func() time.Time
	max int // bytes

	mu      sync.Mutex
	entries map[question]*list.Element // of entry
	recent  list.List                  // the most recently used first
	size    int
}

type entry struct {
	question question
	answer   answer
	expires  time.Time
	size     int
}

func newCache(bytes int, now func() time.Time) *cache {
	return &cache{now: now, max: bytes, entries: make(map[question]*list.Element)}
}

func (c *cache) get(q question) (answer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.entries[q]
	if el == nil {
		return answer{}, false
	}
	e := el.Value.(*entry)
	if !c.now().Before(e.expires) {
		c.drop(el)
		return answer{}, false
	}
	c.recent.MoveToFront(el)
	return e.answer, true
}

func (c *cache) put(q question, a answer, ttl time.Duration) {
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
func footprint(q question, a answer) int {
	n := 320 + len(q.name) + 24*len(a.addrs)
	for _, s := range a.texts {
		n += 16 + len(s)
	}
	for _, s := range a.names {
		n += 16 + len(s)
	}
	return n
}
