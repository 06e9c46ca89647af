package sqlite

import "sync"

// pool holds the connections that read. What was given back last is taken first: its cache has what was just read, and
// no more caches fill up than readers work at a time.
type pool[T any] struct {
	slots chan struct{} // has one for each connection that may be taken
	mu    sync.Mutex
	idle  []T
}

// newPool makes a pool of n connections that are still to be opened: their zero values.
func newPool[T any](n int) *pool[T] {
	p := &pool[T]{slots: make(chan struct{}, n), idle: make([]T, n)}
	for range n {
		p.slots <- struct{}{}
	}
	return p
}

// take gives a connection to a caller that has received from slots.
func (p *pool[T]) take() T {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	c := p.idle[last]
	p.idle = p.idle[:last]
	return c
}

// give takes a connection back, opened or not.
func (p *pool[T]) give(c T) {
	p.put(c)
	p.slots <- struct{}{}
}

func (p *pool[T]) put(c T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
}

// each runs fn on the connections that nobody uses.
func (p *pool[T]) each(fn func(*T)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.idle {
		fn(&p.idle[i])
	}
}

// drain takes all connections, waiting for those in use, for good.
func (p *pool[T]) drain(end func(T)) {
	for range cap(p.slots) {
		<-p.slots
		end(p.take())
	}
}
