package service

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Several nodes may work on one store. All are equal, and what they must agree on is in the store: limits, leases,
// keys, numbers of events. What a node keeps in memory is either nobody else's business or a memory of the store that a
// notice makes stale.

// Peers are the other nodes.
type Peers interface {
	// Tell lets them know, soon and without blocking. It may get lost: they also look by themselves now and then.
	Tell(notices ...wake.Notice)
}

const (
	// Leases of a deployment that has one node: who had them is gone when it starts again.
	aloneLease     = 15 * time.Minute
	aloneHookLease = 3 * time.Minute
	// choreLease is how long a node that died keeps others from the work that only one does.
	choreLease = 15 * time.Second
)

// wake wakes who waits for something here, and tells the other nodes.
func (s *Service) wake(topic wake.Topic, nums ...mailbox.Num) {
	for _, num := range nums {
		s.apply(wake.Notice{Topic: topic, Num: num})
		if s.opt.Peers != nil {
			s.opt.Peers.Tell(wake.Notice{Topic: topic, Num: num})
		}
	}
}

// apply acts on a notice, of this node or of another.
func (s *Service) apply(n wake.Notice) {
	switch n.Topic {
	case wake.Mail:
		if n.Num == 0 { // an operator has ended or may do something else, who may attend to any mailbox
			s.hub.WakeAll()
			return
		}
		s.hub.Wake(n.Num)
	case wake.Queue:
		s.queue.Wake(0)
	case wake.Hooks:
		s.hooks.Wake(0)
	case wake.Index, wake.Vectors:
		s.index.Wake(n.Topic)
	case wake.Changed:
		s.changes.Add(1)
		s.boxes.forget()
	case wake.Labels:
		s.retention.relabel(n.Num)
	case wake.Everything:
		s.hub.WakeAll()
		s.invalidate()
	}
}

// invalidate forgets what is remembered of the store, and has those look who work through it.
func (s *Service) invalidate() {
	s.boxes.forget()
	for _, topic := range []wake.Topic{wake.Queue, wake.Hooks, wake.Index, wake.Vectors} {
		s.apply(wake.Notice{Topic: topic})
	}
}

// Hear acts on what other nodes tell.
func (s *Service) Hear(ctx context.Context, notices []wake.Notice) {
	for _, n := range notices {
		s.apply(n)
	}
	if slices.ContainsFunc(notices, aboutDomains) {
		s.signers.Clear()
		if err := s.Refresh(ctx); err != nil && ctx.Err() == nil {
			// the janitor does it again
			s.log.Warn("read which domains are served and which lists are kept", "error", err)
		}
	}
}

func aboutDomains(n wake.Notice) bool {
	return n.Topic == wake.Everything || n.Topic == wake.Changed && n.Num == 0
}

// Look lets those who wait look for themselves, in case a notice was lost: one of n parts of them at a time, and
// with the first the node itself.
func (s *Service) Look(part, parts int) {
	s.hub.WakePart(part, parts)
	if part == 0 {
		s.invalidate()
	}
}

// NewEra is told when the store has lost what it last gave out: it was restored, or a standby took over. What is
// remembered of it is stale, and open streams end, so that their readers come back with the last number that they know.
func (s *Service) NewEra() {
	s.era.end()
	s.apply(wake.Notice{Topic: wake.Changed})
	s.apply(wake.Notice{Topic: wake.Everything})
}

// eras is the time between two losses. Its zero value is ready to use.
type eras struct {
	mu   sync.Mutex
	over chan struct{}
}

// now returns what is closed when the era ends.
func (e *eras) now() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over == nil {
		e.over = make(chan struct{})
	}
	return e.over
}

// end ends it.
func (e *eras) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over != nil {
		close(e.over)
		e.over = nil
	}
}

// Turn does work that only one of the nodes does at a time, whenever it is this node's turn, until ctx ends.
func (s *Service) Turn(ctx context.Context, what string, work func(ctx context.Context, fence int64) error) error {
	return s.turn(what).Run(ctx, work)
}

// Share does work that nodes divide by partitions, with this node's share of them, until ctx ends.
func (s *Service) Share(ctx context.Context, what string, partitions int,
	work func(context.Context, store.Share) error) error {
	return s.turn(what).RunShare(ctx, partitions, work)
}

func (s *Service) turn(what string) store.Turn {
	return store.Turn{Leaser: s.opt.Leaser, What: what, Holder: s.opt.Node, TTL: choreLease, Log: s.log}
}
