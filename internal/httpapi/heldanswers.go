package httpapi

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

const (
	heldMost    = 48 << 20        // bytes of long answers that are in memory until their clients have taken them
	heldShare   = heldMost / 2    // of these, for one client
	heldWaiting = 16 << 20        // bytes of answers that wait until there is room for them
	heldWait    = 2 * time.Second // how long they wait
	heldStall   = time.Second     // after which a client that has taken nothing makes room for another
	streamBytes = 128 << 10       // what an answer holds that is written as it is read from the store
)

var errTooMuchHeld = &mailbox.Error{Kind: mailbox.Unavailable, Code: "busy", RetryAfter: heldWait,
	Message: "Too many long answers wait to be read: take those that were asked for, then try again."}

// heldAnswers counts the bytes of long answers, of each client and of all. Where there is no room for another one,
// those that stand still are cut off, the one that has stood still the longest first: who reads is never held up by who
// does not. It is a part of longAnswers, whose lock guards it.
type heldAnswers struct {
	bytes, waiting int
	clients        map[string]int // bytes
	room           chan struct{}  // closed when there is more room; nil: nobody waits
}

// hold waits until there is room for n bytes of an answer. They are given back when its handler returns.
func (l *longAnswers) hold(ctx context.Context, w *response, n int) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.makeRoomLocked(w.client, n) {
		if err := l.awaitRoomLocked(ctx, w.client, n); err != nil {
			return err
		}
	}
	l.addLocked(w)
	w.moved.Store(time.Now().UnixNano())
	if l.held.clients == nil {
		l.held.clients = make(map[string]int)
	}
	w.held += n
	l.held.bytes += n
	l.held.clients[w.client] += n
	return nil
}

// awaitRoomLocked waits for room without holding the lock. It looks again now and then: clients come to stand still.
func (l *longAnswers) awaitRoomLocked(ctx context.Context, client string, n int) error {
	if l.held.waiting+n > heldWaiting && l.held.waiting > 0 {
		return errTooMuchHeld
	}
	l.held.waiting += n
	defer func() { l.held.waiting -= n }()
	for end := time.Now().Add(heldWait); time.Now().Before(end); {
		if l.held.room == nil {
			l.held.room = make(chan struct{})
		}
		room, look := l.held.room, time.NewTimer(heldStall/4)
		l.mu.Unlock()
		select {
		case <-room:
		case <-look.C:
		case <-ctx.Done():
		}
		look.Stop()
		l.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.makeRoomLocked(client, n) {
			return nil
		}
	}
	return errTooMuchHeld
}

// makeRoomLocked tells whether there is room for n more bytes of a client, after it has cut off what stands still. An
// answer may be larger than all that there is, if it is the only one.
func (l *longAnswers) makeRoomLocked(client string, n int) bool {
	for {
		own, all := l.held.clients[client], l.held.bytes
		switch {
		case own > 0 && own+n > heldShare:
			if !l.cutLocked(client) {
				return false
			}
		case all > 0 && all+n > heldMost:
			if !l.cutLocked(l.greediestLocked()) {
				return false
			}
		default:
			return true
		}
	}
}

// greediestLocked is the client that holds most.
func (l *longAnswers) greediestLocked() (client string) {
	most := 0
	for c, n := range l.held.clients {
		if n > most {
			client, most = c, n
		}
	}
	return client
}

// cutLocked cuts off the answer to a client that has stood still the longest; false: none does.
func (l *longAnswers) cutLocked(client string) bool {
	var stalled *response
	since := time.Now().Add(-heldStall).UnixNano()
	for w := range l.open {
		if w.held > 0 && w.client == client && w.moved.Load() <= since {
			stalled, since = w, w.moved.Load()
		}
	}
	if stalled == nil {
		return false
	}
	stalled.cut.Store(true)
	_ = stalled.control.SetWriteDeadline(longPast) // as in awaitReader
	l.releaseLocked(stalled)
	return true
}

// releaseLocked gives back what an answer holds.
func (l *longAnswers) releaseLocked(w *response) {
	l.held.bytes -= w.held
	if l.held.clients[w.client] -= w.held; l.held.clients[w.client] == 0 {
		delete(l.held.clients, w.client)
	}
	w.held = 0
	if l.held.room != nil {
		close(l.held.room)
		l.held.room = nil
	}
}
