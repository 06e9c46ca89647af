package service

import (
	"context"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Stats are a mailbox's counts.
type Stats struct {
	Address string
	mailbox.Counters
	Suppressions int64
	NoVector     int64 // messages that no vector was made for yet
	NotIndexed   int64 // messages that the index has not got yet, at most so many as are counted
	Routes       int64 // webhooks for labels
	Days         []Day // the oldest first; only where they were asked for
	Whole        bool  // all messages of these days were counted
}

// Stats gives the mailbox's counts, exact at this moment, and those of the last days where some are asked for.
func (s *Service) Stats(ctx context.Context, in Access, days int) (Stats, error) {
	if days < 0 || days > maxDays {
		return Stats{}, mailbox.InvalidField("days", "days is a number from 1 to %d.", maxDays)
	}
	out := Stats{Address: in.Box.Address}
	words, vectors := s.index.Places(ctx)
	err := s.view(ctx, func(r store.Reader) (err error) {
		if out.Counters, err = r.Counters(ctx, in.Box.Num); err != nil {
			return err
		}
		if out.Suppressions, err = r.CountSuppressions(ctx, in.Box.Num); err != nil {
			return err
		}
		if out.NotIndexed, err = index.Behind(ctx, r, in.Box.Num, words); err != nil {
			return err
		}
		if out.NoVector, err = index.Behind(ctx, r, in.Box.Num, vectors); err != nil {
			return err
		}
		routes, err := r.HookRoutes(ctx, in.Box.Num)
		out.Routes = int64(len(routes))
		if err == nil && days > 0 {
			out.Days, out.Whole, err = s.daily(ctx, r, in.Box.Num, days)
		}
		return err
	})
	if month := mailbox.MonthOf(s.now()); out.Month != month {
		out.Month, out.ThisMonth = month, 0
	}
	return out, in.gone(err)
}

// space remembers for a moment how much room the disk has.
type space struct {
	mu          sync.Mutex
	at          time.Time
	free, total uint64
	low         bool // background work waits for more
}

var errDiskFull = mailbox.Errorf(mailbox.DiskFull, "disk_full", "Too little free disk to take mail; try again later.")

// forget has the next look be a new one.
func (s *space) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = time.Time{}
}

// room refuses mail while there is too little free disk for it (API 11).
func (s *Service) room(size int64) error {
	free, bound, err := s.freeDisk()
	if err == nil && free < bound+uint64(max(size, 0)) {
		err = errDiskFull
	}
	return err
}
