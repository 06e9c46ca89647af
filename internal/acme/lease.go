package acme

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

const (
	leaseLength = 30 * time.Second // how long the locks of a node that died stay
	leaseRenew  = 10 * time.Second
	leasePoll   = time.Second // how often a lock that another has is tried
	leaseCall   = 5 * time.Second

	leasePrefix = "certificates: " // there are leases for other things
)

// lease is a lock that this node has, and what renews it.
type lease struct {
	owner string
	stop  context.CancelFunc
	ended chan struct{}
}

// Lock waits until the name is ours.
func (s *shared) Lock(ctx context.Context, name string) error {
	for {
		if ok, err := s.TryLock(ctx, name); ok || err != nil {
			return err
		}
		t := time.NewTimer(leasePoll)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
	}
}

// TryLock takes the name if it is free. Each lock is an owner of its own, so that it also keeps out others in this
// process.
func (s *shared) TryLock(ctx context.Context, name string) (bool, error) {
	owner := rand.Text()
	call, cancel := context.WithTimeout(ctx, leaseCall)
	defer cancel()
	_, ok, err := s.kv.Lease(call, leasePrefix+name, owner, leaseLength)
	if err != nil {
		return false, fmt.Errorf("lock %s: %w", name, err)
	}
	if !ok {
		return false, nil
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	l := &lease{owner: owner, stop: stop, ended: make(chan struct{})}
	s.mu.Lock()
	s.held[name] = l
	s.mu.Unlock()
	go func() {
		defer close(l.ended)
		s.renew(renewing, name, owner)
	}()
	return true, nil
}

// renew keeps a lock until Unlock. Where the table is out of reach for too long another node may take the lock:
// certmagic looks at what is stored before it does anything that counts.
func (s *shared) renew(ctx context.Context, name, owner string) {
	tick := time.NewTicker(leaseRenew)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		call, cancel := context.WithTimeout(ctx, leaseCall)
		_, ok, err := s.kv.Lease(call, leasePrefix+name, owner, leaseLength)
		cancel()
		if ctx.Err() == nil && (err != nil || !ok) {
			s.log.Warn("renew the lock on a certificate", "lock", name, "held", ok, "error", err)
		}
	}
}

// Unlock gives the name back.
func (s *shared) Unlock(ctx context.Context, name string) error {
	s.mu.Lock()
	l := s.held[name]
	delete(s.held, name)
	s.mu.Unlock()
	if l == nil {
		return errors.New("unlock " + name + ": it is not locked")
	}
	l.stop()
	<-l.ended
	call, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseCall)
	defer cancel()
	return s.kv.Unlease(call, leasePrefix+name, l.owner)
}
