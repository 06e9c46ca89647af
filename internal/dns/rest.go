package dns

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	maxSilences = 5                // lookups in a row without an answer, before the resolver is doubted
	restTime    = 30 * time.Second // how long a dead resolver is left alone
)

// rest keeps everybody from waiting for a dead resolver.
//
//	awake ── silent too often ─► doubted ── no answer to the probe ─► resting ── time is over ─► doubted
//	  ▲                             │
//	  └────────── an answer ◄───────┘
//
// The probe is what makes the difference between a resolver that is dead and names whose own servers are: with the latter
// anybody could switch off the DNS for others.
type rest struct {
	probe func(ctx context.Context) error // asks what every live resolver answers at once
	now   func() time.Time
	log   *slog.Logger

	mu       sync.Mutex
	silences int
	until    time.Time     // of the rest; zero while awake or first doubted
	probing  chan struct{} // closed when the probe under way is over
}

// allow says whether the resolver may be asked. The first who comes when it is doubted sends the probe. The others wait for
// its end, but do not wait for a resolver that was dead before.
func (r *rest) allow(ctx context.Context) bool {
	for ctx.Err() == nil {
		t, end := r.turn()
		switch t {
		case turnAsk:
			return true
		case turnRefused:
			return false
		case turnProbe:
			r.examine(ctx, end)
		case turnWait:
			select {
			case <-end:
			case <-ctx.Done():
			}
		}
	}
	return false
}

type turn uint8

const (
	turnAsk turn = iota
	turnRefused
	turnProbe
	turnWait
)

func (r *rest) turn() (turn, chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	resting := !r.until.IsZero()
	switch {
	case !resting && r.silences < maxSilences:
		return turnAsk, nil
	case resting && (r.probing != nil || r.now().Before(r.until)):
		return turnRefused, nil
	case r.probing != nil:
		return turnWait, r.probing
	}
	r.probing = make(chan struct{})
	return turnProbe, r.probing
}

// examine sends the probe. If whoever sends it has no more time for an answer, nothing is known and the next one tries.
func (r *rest) examine(ctx context.Context, end chan struct{}) {
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
		r.log.Warn("the DNS resolver does not answer and is left alone for now", "again_in", restTime)
	}
	r.until = r.now().Add(restTime)
}

// answered is called for every answer.
func (r *rest) answered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.until.IsZero() {
		r.log.Info("the DNS resolver answers again")
	}
	r.silences, r.until = 0, time.Time{}
}

// silent is called when no answer came.
func (r *rest) silent() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silences++
}
