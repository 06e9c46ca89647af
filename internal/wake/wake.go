// Package wake tells those who wait for a mailbox that it has something new. It carries a signal and no data: those
// that are woken look for themselves.
//
// To miss nothing, listen first, then look, then wait:
//
//	ear := hub.Listen(num, most)
//	defer ear.Close()
//	for !look() {
//		<-ear.C
//	}
//
// A wake that comes between the look and the wait is kept in the channel. One that comes while another is kept is the
// same wake. Waking never blocks, however slow a listener is.
package wake

import (
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Hub is where the wakes of one process meet. Its zero value is ready to use.
type Hub struct {
	mu   sync.RWMutex
	ears map[mailbox.Num]map[*Ear]struct{}
}

// Ear hears the wakes of one mailbox until it is closed.
type Ear struct {
	C   <-chan struct{}
	c   chan struct{}
	hub *Hub
	num mailbox.Num
}

// Listen returns an ear for a mailbox, or nil where most are listening already.
func (h *Hub) Listen(num mailbox.Num, most int) *Ear {
	h.mu.Lock()
	defer h.mu.Unlock()
	others := h.ears[num]
	if len(others) >= most {
		return nil
	}
	c := make(chan struct{}, 1)
	e := &Ear{C: c, c: c, hub: h, num: num}
	if others == nil {
		if h.ears == nil {
			h.ears = make(map[mailbox.Num]map[*Ear]struct{})
		}
		others = make(map[*Ear]struct{})
		h.ears[num] = others
	}
	others[e] = struct{}{}
	return e
}

// Close stops listening. Closing again does nothing.
func (e *Ear) Close() {
	e.hub.mu.Lock()
	defer e.hub.mu.Unlock()
	others := e.hub.ears[e.num]
	delete(others, e)
	if len(others) == 0 {
		delete(e.hub.ears, e.num)
	}
}

// Wake wakes those that listen for these mailboxes.
func (h *Hub) Wake(nums ...mailbox.Num) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, num := range nums {
		for e := range h.ears[num] {
			select {
			case e.c <- struct{}{}:
			default: // it has not yet heard the last one
			}
		}
	}
}

// WakeAll wakes those that listen for any mailbox.
func (h *Hub) WakeAll() { h.WakePart(0, 1) }

// WakePart wakes those that listen for a mailbox of one of n equal parts, so that all can be woken without all of
// them looking at once.
func (h *Hub) WakePart(part, parts int) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for num, ears := range h.ears {
		if int64(num)%int64(parts) != int64(part) {
			continue
		}
		for e := range ears {
			select {
			case e.c <- struct{}{}:
			default:
			}
		}
	}
}

// Listened tells whether anybody listens for a mailbox.
func (h *Hub) Listened(num mailbox.Num) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.ears[num]) > 0
}

// Listening counts the ears, of all mailboxes.
func (h *Hub) Listening() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	n := 0
	for _, ears := range h.ears {
		n += len(ears)
	}
	return n
}
