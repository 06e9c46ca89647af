package dns

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	maxSilences = 5                // lookups in a row without an answer, before the resolver is suspected
	openTime    = 30 * time.Second // how long a dead resolver is left alone
)

// breaker is a circuit breaker: it keeps everybody from waiting for a dead resolver.
//
//	awake ── silent too often ─► suspected ── no answer to the probe ─► open ── time is over ─► suspected
//	  ▲                             │
//	  └────────── an answer ◄───────┘
//
// The probe is what makes the difference between a resolver that is dead and names whose own servers are: with the
// latter anybody could switch off the DNS for others.
type breaker struct {
	probe func(ctx context.Context) error // asks what every live resolver answers at once
	now   func() time.Time
	log   *slog.Logger

	mu       sync.Mutex
	silences int
	until    time.Time     // it is open; zero while awake or first suspected
	probing  chan struct{} // closed when the probe under way is over
}

// allow says whether the resolver may be asked. The first who comes when it is suspected sends the probe. The others
// wait for its end, but do not wait for a resolver that was dead before.
func (r *breaker) allow(ctx context.Context) bool {
	for ctx.Err() == nil {
		answer, end := r.admit()
		switch answer {
		case mayAsk:
			return true
		case refused:
			return false
		case mustProbe:
			r.examine(ctx, end)
		case mustWait:
			select {
			case <-end:
			case <-ctx.Done():
			}
		}
	}
	return false
}

type admission uint8

const (
	mayAsk admission = iota
	refused
	mustProbe
	mustWait
)

func (r *breaker) admit() (admission, chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	open := !r.until.IsZero()
	switch {
	case !open && r.silences < maxSilences:
		return mayAsk, nil
	case open && (r.probing != nil || r.now().Before(r.until)):
		return refused, nil
	case r.probing != nil:
		return mustWait, r.probing
	}
	r.probing = make(chan struct{})
	return mustProbe, r.probing
}

// examine sends the probe. If its sender has no more time for an answer, nothing is known and the next one
// tries.
func (r *breaker) examine(ctx context.Context, end chan struct{}) {
	err := r.probe(ctx)
	if err == nil {
		r.answered()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.probing = nil
	close(end)
	if err == nil || ctx.Err() != nil {
		return
	}
	if r.until.IsZero() {
		r.log.Warn("the DNS resolver does not answer and is left alone for now", "again_in", openTime)
	}
	r.until = r.now().Add(openTime)
}

// answered is called for every answer.
func (r *breaker) answered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.until.IsZero() {
		r.log.Info("the DNS resolver answers again")
	}
	r.silences, r.until = 0, time.Time{}
}

// silent is called when no answer came.
func (r *breaker) silent() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silences++
}
