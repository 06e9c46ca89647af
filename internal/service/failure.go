package service

import (
	"net/netip"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// failures counts the wrong keys that clients send.
type failures struct {
	mu      sync.Mutex
	clients map[string]failed
}

type failed struct {
	count int
	until time.Time // when the count begins anew
}

const (
	failureTime = time.Hour
	// maxFailures bounds how many clients are remembered.
	maxFailures = 1 << 16
)

// WrongKey notes that a client sent a key that is not one of ours. An error says that it has done so too often (API 2).
func (s *Service) WrongKey(client netip.Addr) error {
	if s.opt.AuthFailures == 0 {
		return nil
	}
	now := s.opt.Now()
	f := s.wrong.add(clientNetwork(client), now)
	if f.count <= s.opt.AuthFailures {
		return nil
	}
	return &mailbox.Error{Kind: mailbox.Limited, Code: "auth_rate_limited", RetryAfter: f.until.Sub(now),
		Message: "Too many wrong keys came from this address; try again later, with a right one at any time."}
}

func (w *failures) add(client string, now time.Time) failed {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.clients == nil {
		w.clients = make(map[string]failed)
	}
	f := w.clients[client]
	if !now.Before(f.until) {
		f = failed{until: now.Add(failureTime)}
	}
	f.count++
	if len(w.clients) >= maxFailures && f.count == 1 {
		w.makeRoom()
	}
	w.clients[client] = f
	return f
}

// makeRoom forgets a client, whichever it is: who sends wrong keys from so many networks is not held up by a count.
func (w *failures) makeRoom() {
	for c := range w.clients {
		delete(w.clients, c)
		return
	}
}
