package service

import (
	"context"
	"sync"
)

// keyedMutex serialises callers that use the same key. Its zero value is ready to use.
type keyedMutex struct {
	mu   sync.Mutex
	held map[string]*keyedLock
}

type keyedLock struct {
	free    chan struct{} // has a token while the key is not locked
	waiting int           // callers that have it or wait for it
}

// lock waits for a key, and returns what unlocks it.
func (m *keyedMutex) lock(ctx context.Context, key string) (release func(), err error) {
	m.mu.Lock()
	if m.held == nil {
		m.held = make(map[string]*keyedLock)
	}
	mine := m.held[key]
	if mine == nil {
		mine = &keyedLock{free: make(chan struct{}, 1)}
		mine.free <- struct{}{}
		m.held[key] = mine
	}
	mine.waiting++
	m.mu.Unlock()
	leave := func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if mine.waiting--; mine.waiting == 0 {
			delete(m.held, key)
		}
	}
	select {
	case <-mine.free:
		return func() { mine.free <- struct{}{}; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}

// tryLock is lock for a key that nobody has or waits for.
func (m *keyedMutex) tryLock(key string) (release func(), ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held[key] != nil {
		return nil, false
	}
	if m.held == nil {
		m.held = make(map[string]*keyedLock)
	}
	mine := &keyedLock{free: make(chan struct{}, 1), waiting: 1}
	m.held[key] = mine
	return func() {
		mine.free <- struct{}{}
		m.mu.Lock()
		defer m.mu.Unlock()
		if mine.waiting--; mine.waiting == 0 {
			delete(m.held, key)
		}
	}, true
}
