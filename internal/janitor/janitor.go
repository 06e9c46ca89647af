// Package janitor does the chores of a deployment at their times: mailboxes whose time is over go within minutes, what
// nobody can ask for any more is forgotten, and what a crash left behind is finished.
package janitor

import (
	"context"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/background"
)

// Service is what does the chores.
type Service interface {
	// Expire removes mailboxes whose time is over.
	Expire(ctx context.Context) error
	// Trim forgets what is too old to be asked for.
	Trim(ctx context.Context) error
	// ExpireReviews ends messages about which nobody has decided in time.
	ExpireReviews(ctx context.Context) error
	// SendNotices tells people by mail of messages that wait for their decision.
	SendNotices(ctx context.Context) error
	// GiveUp ends deliveries that have waited for too long.
	GiveUp(ctx context.Context) error
	// Recover finishes what a crash left undone.
	Recover(ctx context.Context) error
	// SweepBlobs removes blobs that no message names. It looks at every one there is, which may take hours.
	SweepBlobs(ctx context.Context) error
	// CheckDomains looks up who owns the verified domains, as far as that is due. It waits for the DNS.
	CheckDomains(ctx context.Context) error
	// SendReports sends reports to other domains, as far as they are due. It waits for the DNS.
	SendReports(ctx context.Context) error
	// Retain deletes messages that their mailboxes keep no longer, which may take hours.
	Retain(ctx context.Context) error
}

// How often each is done, and at the start. A temporary mailbox must be gone within the hour (API 3).
const (
	expireEvery  = time.Minute
	trimEvery    = 10 * time.Minute
	recoverEvery = time.Hour
	sweepEvery   = time.Hour        // between the end of one and the next
	checkEvery   = time.Hour        // the same
	reportEvery  = 10 * time.Minute // the same
	retainEvery  = time.Minute
)

// Run does the chores, one at a time and the long ones at the same time, until ctx ends. One that fails is done again
// at its next time.
func Run(ctx context.Context, svc Service, workers *background.Workers) {
	var long sync.WaitGroup
	defer long.Wait()
	long.Go(func() {
		for next := true; next; next = background.Sleep(ctx, sweepEvery) {
			do(ctx, workers.Worker("sweep_blobs"), "remove leftover blobs", svc.SweepBlobs)
		}
	})
	long.Go(func() {
		for next := true; next; next = background.Sleep(ctx, checkEvery) {
			do(ctx, workers.Worker("check_domains"), "look up who owns the domains", svc.CheckDomains)
		}
	})
	long.Go(func() {
		for next := true; next; next = background.Sleep(ctx, reportEvery) {
			do(ctx, workers.Worker("send_reports"), "report to other domains", svc.SendReports)
		}
	})
	long.Go(func() {
		for next := true; next; next = background.Sleep(ctx, retainEvery) {
			do(ctx, workers.Worker("retain"), "delete messages that are kept no longer", svc.Retain)
		}
	})
	for minute := 0; ; minute++ {
		for _, c := range []struct {
			worker string
			name   string
			every  time.Duration
			do     func(context.Context) error
		}{
			{"recover", "finish what was left undone", recoverEvery, svc.Recover},
			{"expire", "remove expired mailboxes", expireEvery, svc.Expire},
			{"expire_reviews", "end mail that nobody approved", expireEvery, svc.ExpireReviews},
			{"notices", "tell reviewers of held mail", expireEvery, svc.SendNotices},
			{"trim", "forget what is old", trimEvery, svc.Trim},
			{"give_up", "give up old deliveries", trimEvery, svc.GiveUp},
		} {
			if minute%int(c.every/time.Minute) == 0 {
				do(ctx, workers.Worker(c.worker), c.name, c.do)
			}
		}
		if !background.Sleep(ctx, time.Minute) {
			return
		}
	}
}

// do does a chore, unless it is time to end. One that fails each time is logged once.
func do(ctx context.Context, w *background.Worker, name string, chore func(context.Context) error) {
	if ctx.Err() != nil {
		return
	}
	switch err := chore(ctx); {
	case err == nil:
		w.Finished()
	case ctx.Err() == nil:
		w.Failed(name, err) // its next time is a minute away at least
	}
}
