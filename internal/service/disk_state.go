package service

import (
	"errors"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

const (
	// failingQuiet is how long nothing may fail before storage counts as working again.
	failingQuiet = time.Minute
	// failingAgain is how often it is logged again that it does not work.
	failingAgain = 10 * time.Minute
)

// storageState remembers whether storing fails, so that it is logged once and not for each who wanted something stored.
type storageState struct {
	mu             sync.Mutex
	failed, logged time.Time // the last time each; zero: it works
}

// noteStored notes what became of storing something.
func (s *Service) noteStored(err error) {
	var e *mailbox.Error
	failed := errors.As(err, &e) && e.Kind == mailbox.DiskFull && e.Err != nil
	if err != nil && !failed {
		return
	}
	c, now := &s.storage, time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case failed:
		if c.failed = now; now.Sub(c.logged) > failingAgain {
			c.logged = now
			s.log.Error("nothing can be stored", "error", err)
		}
	case !c.failed.IsZero() && now.Sub(c.failed) > failingQuiet:
		c.failed, c.logged = time.Time{}, time.Time{}
		s.log.Info("storing works again")
	}
}
