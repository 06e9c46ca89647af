package service

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// HookReplay says which events are to be posted again: those that did not arrive.
type HookReplay struct {
	Since time.Time // only those that happened then or later
	URL   string    // only those for this webhook, as it is shown; empty: for all
}

// ReplayedHooks is what became of them.
type ReplayedHooks struct {
	Queued  int  // that are posted again, as new events are
	Skipped int  // whose webhook is not active, or is no more
	More    bool // that have not been looked at: ask again
}

const (
	replayStep  = 200 // hooks that are changed in one transaction
	replaySteps = 50  // transactions of one call
)

// ReplayHooks has all failed and held events since a time posted again, each with a schedule of its own. They are
// queued, and the caller does not wait for them.
func (s *Service) ReplayHooks(ctx context.Context, in Access, q HookReplay) (out ReplayedHooks, err error) {
	if q.Since.IsZero() {
		return out, mailbox.InvalidField("since", "since is the time from which events are posted again.")
	}
	if s.opt.Poster == nil {
		return out, mailbox.Errorf(mailbox.Unimplemented, "webhooks_unavailable", "This service does not post "+
			"webhooks.")
	}
	steps := 0
	for _, state := range []mailbox.HookState{mailbox.HookFailed, mailbox.HookHeld} {
		f := store.HookFilter{State: state, Limit: replayStep}
		for ended := false; !ended; {
			if steps++; steps > replaySteps {
				out.More = true
				break
			}
			var queued, skipped int
			var before int64
			err = s.update(ctx, func(tx store.Tx) (err error) {
				queued, skipped, before, ended, err = s.replaySome(ctx, tx, in, f, q)
				return err
			})
			if err != nil {
				return out, in.gone(err)
			}
			out.Queued, out.Skipped, f.Before = out.Queued+queued, out.Skipped+skipped, before
		}
	}
	if out.Queued > 0 {
		s.wake(wake.Hooks, 0)
	}
	return out, nil
}

// replaySome queues a page of the log, from the newest on. It returns where the next page begins, and whether there is
// none.
func (s *Service) replaySome(ctx context.Context, tx store.Tx, in Access, f store.HookFilter, q HookReplay) (queued,
	skipped int, before int64, ended bool, err error) {
	box, err := tx.Mailbox(ctx, in.Box.Num)
	if err != nil {
		return 0, 0, 0, false, err
	}
	list, err := tx.Hooks(ctx, box.Num, f)
	if err != nil {
		return 0, 0, 0, false, err
	}
	targets := make(map[int64]bool)
	for _, h := range list {
		before = h.N
		if h.At.Before(q.Since) {
			ended = true
			break
		}
		if q.URL != "" && mailbox.PostedTo(h.URL) != q.URL {
			continue
		}
		by, ours, err := s.webhookAt(ctx, tx, box, h.URL)
		if err != nil {
			return 0, 0, 0, false, err
		}
		if !ours || by.Webhook.Failed {
			skipped++
			continue
		}
		if err := tx.UpdateHook(ctx, h.Requeued(s.now())); err != nil {
			return 0, 0, 0, false, err
		}
		targets[h.Target] = true
		queued++
	}
	for t := range targets {
		if err := tx.SettleTargets(ctx, t); err != nil {
			return 0, 0, 0, false, err
		}
	}
	return queued, skipped, before, ended || len(list) < f.Limit, nil
}
