package service

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Edge is a protocol over which keys are presented.
type Edge int

// The edges. All share one count of failures for each client.
const (
	EdgeHTTP Edge = iota
	EdgeSubmission
	EdgeConsole // people who sign in at the provider
	edges
)

// String names an edge in logs and metrics.
func (e Edge) String() string {
	return [...]string{EdgeHTTP: "http", EdgeSubmission: "submission", EdgeConsole: "console"}[e]
}

// Edges lists them.
func Edges() []Edge { return []Edge{EdgeHTTP, EdgeSubmission, EdgeConsole} }

// failures counts the log-ins that failed: wrong keys, at any edge. A right key is never looked up here, so nobody's
// wrong keys keep it out.
type failures struct {
	total   [edges]atomic.Int64
	limited [edges]atomic.Int64 // of these, answered with "too many"

	mu      sync.Mutex
	clients map[string]failed // by IPv4 address or IPv6 /64
}

type failed struct {
	count int
	until time.Time // when the count starts over
}

const (
	failureTime = time.Hour
	// maxFailures bounds how many clients are remembered.
	maxFailures = 1 << 16
)

// WrongKey notes that a client sent a key over HTTP that is not one of ours. An error says that it has failed too often
// (API 2).
func (s *Service) WrongKey(client netip.Addr) error {
	return s.failedLogin(EdgeHTTP, client, "wrong key", "")
}

// failedLogin notes a failed log-in. An error says that the client has failed too often for this edge. Neither the key
// nor the name that came with it is logged: people mix the two up.
func (s *Service) failedLogin(edge Edge, client netip.Addr, reason, address string) error {
	s.wrong.total[edge].Add(1)
	now := s.opt.Now()
	f := s.wrong.add(clientNetwork(client), now)
	most := [...]int{EdgeHTTP: s.live().AuthFailures, EdgeSubmission: s.live().LoginFailures,
		EdgeConsole: s.live().AuthFailures}[edge]
	limited := most > 0 && f.count > most
	line := []slog.Attr{slog.String("edge", edge.String()), slog.String("client", client.String()),
		slog.String("reason", reason), slog.Int("failures", f.count), slog.Bool("limited", limited)}
	if address != "" {
		line = append(line, slog.String("mailbox", address))
	}
	s.log.LogAttrs(context.Background(), slog.LevelInfo, "log-in failed", line...)
	if !limited {
		return nil
	}
	s.wrong.limited[edge].Add(1)
	return &mailbox.Error{Kind: mailbox.Limited, Code: "auth_rate_limited", RetryAfter: f.until.Sub(now),
		Message: "Too many wrong keys came from this address; try again later, with a right one at any time."}
}

// FailedLogins counts those at an edge since the start, and how many of them were told that they were too many.
func (s *Service) FailedLogins(edge Edge) (failed, limited int64) {
	return s.wrong.total[edge].Load(), s.wrong.limited[edge].Load()
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

// makeRoom forgets a client, whichever it is: a client that sends wrong keys from so many networks is not held up by a
// count.
func (w *failures) makeRoom() {
	for c := range w.clients {
		delete(w.clients, c)
		return
	}
}
