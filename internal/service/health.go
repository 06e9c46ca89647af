package service

import (
	"context"
	"sync"
	"time"
)

// pulse is the last look at the service's health, and the one under way.
type pulse struct {
	mu    sync.Mutex
	at    time.Time
	err   error
	under chan struct{} // closed when the look under way is over; nil: there is none
}

// Health tells whether the service can do its work: the store answers and can be written. Anyone may ask, and looking
// costs a write, so all who ask within a second get one answer. A disk that hangs keeps nobody waiting longer than ctx.
func (s *Service) Health(ctx context.Context) error {
	under := s.look(ctx)
	if under != nil {
		select {
		case <-under:
		case <-ctx.Done():
			return fail(ctx.Err())
		}
	}
	s.pulse.mu.Lock()
	defer s.pulse.mu.Unlock()
	return s.pulse.err
}

// look begins a look at the store, or joins the one under way: nil if the last one is fresh.
func (s *Service) look(ctx context.Context) <-chan struct{} {
	p := &s.pulse
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.under != nil {
		return p.under
	}
	if now := s.opt.Now(); !p.at.IsZero() && now.Sub(p.at) < time.Second {
		return nil
	}
	under := make(chan struct{})
	p.under = under
	s.looks.Go(func() {
		err := s.ping(context.WithoutCancel(ctx))
		p.mu.Lock()
		defer p.mu.Unlock()
		p.at, p.err, p.under = s.opt.Now(), fail(err), nil
		close(under)
	})
	return under
}

func (s *Service) ping(ctx context.Context) error {
	if err := s.store.Ping(ctx); err != nil {
		return err
	}
	if !s.opt.Alone { // all nodes would be unhealthy together, and small mail needs no bucket
		return nil
	}
	return s.blobs.Ping(ctx)
}
