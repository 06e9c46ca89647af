package postgres

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// gates let the updates of one node that want the same mailbox wait here and not at the server: there each would have a
// connection and a transaction, and be woken twice for the lock. They order nothing that the locks do not; only the
// first mailbox of an update has a gate, which it passes before it has anything else. Behind the gates is one room for
// all, with places for so many as can be at work at once. Whoever commits has left it.
//
// Whoever is done may hand its transaction to one who waits (group.go).
type gates struct {
	mu   sync.Mutex
	of   map[mailbox.Num]*queue // those where it is somebody's turn
	room queue
	free int // places in the room
}

// queue is first come, first served.
type queue struct{ waiting []*waiter }

type waiter struct {
	turn   chan *group // gets what it is handed, or nil, when it is its turn
	shares time.Time   // until when it can go on with another's transaction
}

// enter waits for its turn at a mailbox. shared is the transaction that it is handed, which has a place in the room;
// nil: it begins one. After it must come leave or hand.
func (g *gates) enter(ctx context.Context, num mailbox.Num, shares time.Time) (shared *group, err error) {
	g.mu.Lock()
	if g.of == nil {
		g.of = make(map[mailbox.Num]*queue)
	}
	one := g.of[num]
	if one == nil {
		g.of[num] = new(queue)
		g.mu.Unlock()
		return nil, nil
	}
	return g.wait(ctx, one, shares)
}

// enterRoom waits for a place in the room. After it must come leaveRoom or hand.
func (g *gates) enterRoom(ctx context.Context, shares time.Time) (shared *group, err error) {
	g.mu.Lock()
	if g.free > 0 {
		g.free--
		g.mu.Unlock()
		return nil, nil
	}
	return g.wait(ctx, &g.room, shares)
}

// wait waits in a queue. It is called with the lock, and gives it back.
func (g *gates) wait(ctx context.Context, in *queue, shares time.Time) (shared *group, err error) {
	w := &waiter{make(chan *group, 1), shares}
	in.waiting = append(in.waiting, w)
	g.mu.Unlock()
	select {
	case shared = <-w.turn:
		return shared, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(in.waiting, w); i >= 0 {
		in.waiting = slices.Delete(in.waiting, i, i+1)
		return nil, ctx.Err()
	}
	return <-w.turn, nil // its turn has just come
}

// leave ends turns at mailboxes.
func (g *gates) leave(nums ...mailbox.Num) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, num := range nums {
		if one := g.of[num]; len(one.waiting) == 0 {
			delete(g.of, num)
		} else {
			one.next(nil)
		}
	}
}

// leaveRoom gives up a place.
func (g *gates) leaveRoom() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.room.waiting) == 0 {
		g.free++
	} else {
		g.room.next(nil)
	}
}

// hand gives a transaction with its place and its turns to one who waits for one of its mailboxes or, where it may have
// others, for a place; if there is one who takes it.
func (g *gates) hand(shared *group, others bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for num := range shared.boxes {
		if one := g.of[num]; one.takes() {
			one.next(shared)
			return true
		}
	}
	if !others || !g.room.takes() {
		return false
	}
	g.room.next(shared)
	return true
}

// takes tells whether the next goes on with another's transaction.
func (q *queue) takes() bool { return len(q.waiting) > 0 && time.Now().Before(q.waiting[0].shares) }

func (q *queue) next(shared *group) {
	w := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	w.turn <- shared
}
