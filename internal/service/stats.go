package service

import (
	"context"

	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Stats are a mailbox's counts.
type Stats struct {
	Address string
	mailbox.Counters
	Unsent       int64 // held, or ended while it was; Outbound is without it
	Suppressions int64
	Quarantined  int64 // mail in quarantine
	NoVector     int64 // messages that no vector was made for yet
	NotIndexed   int64 // messages that the index has not got yet, at most as many as are counted
	Routes       int64 // webhooks for labels
	Days         []Day // the oldest first; only where they were asked for
	Whole        bool  // all messages of these days were counted
}

// Stats returns the mailbox's counts, exact at this moment, and those of the last days where some are asked for.
func (s *Service) Stats(ctx context.Context, in Access, days int) (Stats, error) {
	if days < 0 || days > maxDays {
		return Stats{}, mailbox.InvalidField("days", "days is a number from 1 to %d.", maxDays)
	}
	out := Stats{Address: in.Box.Address}
	words, vectors := s.index.Places(ctx, in.Box.Num)
	err := s.view(ctx, func(r store.Reader) (err error) {
		if out.Counters, err = r.Counters(ctx, in.Box.Num); err != nil {
			return err
		}
		if out.Unsent, err = r.CountUnsent(ctx, in.Box.Num); err != nil {
			return err
		}
		out.Outbound -= out.Unsent
		if out.Suppressions, err = r.CountSuppressions(ctx, in.Box.Num); err != nil {
			return err
		}
		if out.Quarantined, _, err = r.CountQuarantine(ctx, in.Box.Num); err != nil {
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
