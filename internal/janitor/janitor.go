// Package janitor does the chores of a deployment at their times: mailboxes whose time is over go within minutes, what
// nobody can ask for any more is forgotten, and what a crash left behind is finished.
package janitor

import (
	"context"
	"log/slog"
	"time"
)

// Service is what does the chores.
type Service interface {
	// Expire removes mailboxes whose time is over.
	Expire(ctx context.Context) error
	// Trim forgets what is too old to be asked for.
	Trim(ctx context.Context) error
	// GiveUp ends deliveries that have waited for too long.
	GiveUp(ctx context.Context) error
	// Recover finishes what a crash left undone.
	Recover(ctx context.Context) error
}

// How often each is done, and at the start. A temporary mailbox must be gone within the hour (API 3).
const (
	expireEvery  = time.Minute
	trimEvery    = 10 * time.Minute
	recoverEvery = time.Hour
)

// Run does the chores, one at a time, until ctx ends. One that fails is done again at its next time.
func Run(ctx context.Context, svc Service, log *slog.Logger) {
	for minute := 0; ; minute++ {
		for _, c := range []struct {
			name  string
			every time.Duration
			do    func(context.Context) error
		}{
			{"finish what was left undone", recoverEvery, svc.Recover},
			{"remove expired mailboxes", expireEvery, svc.Expire},
			{"forget what is old", trimEvery, svc.Trim},
			{"give up old deliveries", trimEvery, svc.GiveUp},
		} {
			if minute%int(c.every/time.Minute) != 0 || ctx.Err() != nil {
				continue
			}
			if err := c.do(ctx); err != nil && ctx.Err() == nil {
				log.Error(c.name, "error", err)
			}
		}
		wait := time.NewTimer(time.Minute)
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return
		}
	}
}
