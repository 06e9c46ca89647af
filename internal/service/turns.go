package service

import (
	"context"
	"sync"
)

// turns lets one caller after the other have a name. Its zero value is ready to use.
type turns struct {
	mu   sync.Mutex
	held map[string]*turn
}

type turn struct {
	free    chan struct{} // has a token when nobody has the name
	waiting int           // who has it, and who waits for it
}

// take waits for a name, and gives what sets it free again.
func (t *turns) take(ctx context.Context, name string) (release func(), err error) {
	t.mu.Lock()
	if t.held == nil {
		t.held = make(map[string]*turn)
	}
	mine := t.held[name]
	if mine == nil {
		mine = &turn{free: make(chan struct{}, 1)}
		mine.free <- struct{}{}
		t.held[name] = mine
	}
	mine.waiting++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if mine.waiting--; mine.waiting == 0 {
			delete(t.held, name)
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
