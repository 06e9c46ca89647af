package postgres

import (
	"context"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// gates let the updates of one node that want the same mailbox wait here and not at the server: there each would have a
// connection and a transaction, and be woken twice for the lock. They order nothing that the locks do not; only the
// first mailbox of an update has a gate, which it passes before it has anything else.
type gates struct {
	mu sync.Mutex
	of map[mailbox.Num]*gate
}

type gate struct {
	slot  chan struct{} // holds one: whose turn it is
	users int           // with those who wait
}

// enter waits for its turn at a mailbox. leave ends it.
func (g *gates) enter(ctx context.Context, num mailbox.Num) (leave func(), err error) {
	g.mu.Lock()
	if g.of == nil {
		g.of = make(map[mailbox.Num]*gate)
	}
	one := g.of[num]
	if one == nil {
		one = &gate{slot: make(chan struct{}, 1)}
		g.of[num] = one
	}
	one.users++
	g.mu.Unlock()
	select {
	case one.slot <- struct{}{}:
		return func() { <-one.slot; g.drop(num, one) }, nil
	case <-ctx.Done():
		g.drop(num, one)
		return nil, ctx.Err()
	}
}

func (g *gates) drop(num mailbox.Num, one *gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if one.users--; one.users == 0 {
		delete(g.of, num)
	}
}
