package service

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// The work of package webhook: WorkHooks takes what is due and notes what became of what was taken before.

// HookResult is what became of a hook that was taken.
type HookResult struct {
	Hook    mailbox.Hook // as it was taken
	Posted  int          // bytes of the body
	Attempt mailbox.HookAttempt
}

// HookQuery is what a worker can take.
type HookQuery struct {
	Except []int64 // targets for which there is no room
	// Room is how many hooks can be taken for a target, of whose mailbox that many were already taken by this call.
	Room  func(t mailbox.HookTarget, taken int) int
	Limit int // of all
}

// HookWork is what a worker was given.
type HookWork struct {
	Jobs    []HookJob
	Stopped []int64 // targets for which nothing that was taken is to be posted any more
	Refused []int64 // targets that have something due, for which there was no room
}

const (
	hookPausedWait = 30 * time.Second // a paused mailbox is looked at again after that
	hookTargets    = 128              // looked at in one transaction
	hooksNoted     = 100              // results of one transaction, where other nodes wait for it
)

// ListenHooks returns a channel on which it is heard that there may be something to post, until done is called.
func (s *Service) ListenHooks() (heard <-chan struct{}, done func()) {
	ear := s.hooks.Listen(0, 1<<30)
	return ear.C, ear.Close
}

// NextHook is when the next hook is due, for targets other than these; zero: none is.
func (s *Service) NextHook(ctx context.Context, except []int64) (at time.Time, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		at, err = r.NextHook(ctx, except)
		return err
	})
	return at, err
}

// WorkHooks notes results and takes hooks that are due, in one transaction. What is not finished when its lease ends is
// due again.
func (s *Service) WorkHooks(ctx context.Context, done []HookResult, q HookQuery) (HookWork, error) {
	if len(done) == 0 {
		next, err := s.NextHook(ctx, q.Except)
		if err != nil || next.IsZero() || next.After(s.now()) {
			return HookWork{}, err
		}
	}
	if s.opt.Alone || len(done) == 0 || q.Limit <= 0 {
		return s.hookShift(ctx, done, q)
	}
	// Where others work too, each transaction takes mailboxes in their order; one that notes and takes would not.
	var noted HookWork
	for part := range slices.Chunk(done, hooksNoted) { // each in little time: it holds their mailboxes
		one, err := s.hookShift(ctx, part, HookQuery{})
		if err != nil {
			return HookWork{}, err // all are noted again, and those that were are left alone
		}
		noted.Stopped = append(noted.Stopped, one.Stopped...)
	}
	taken, err := s.hookShift(ctx, nil, q)
	if err != nil {
		s.log.Warn("take webhooks that are due", "error", err) // what was done is noted; these are looked for again
	}
	taken.Stopped = append(taken.Stopped, noted.Stopped...)
	return taken, nil
}

// hookShift is one transaction of WorkHooks.
func (s *Service) hookShift(ctx context.Context, done []HookResult, q HookQuery) (HookWork, error) {
	var w *hookShift
	err := s.update(ctx, func(tx store.Tx) error {
		w = &hookShift{s: s, ctx: ctx, tx: tx, now: s.now(), taken: make(map[mailbox.Num]int),
			unsettled: make(map[int64]bool)}
		if err := w.note(done); err != nil {
			return err
		}
		if err := w.take(q); err != nil {
			return err
		}
		return w.settle()
	})
	if err != nil {
		return HookWork{}, err
	}
	for _, n := range w.noted {
		s.traceHook(ctx, n.address, n.hook, n.attempt)
	}
	for _, f := range w.failed {
		s.hooksFailed.Add(1)
		s.log.Warn("webhook failed: nothing is sent to it until it is set again or reset", "mailbox", f.address, "host",
			f.host)
	}
	return w.work, nil
}

// HooksFailed counts the webhooks that were marked failed.
func (s *Service) HooksFailed() int64 { return s.hooksFailed.Load() }

// HookHeld tells whether a hook that was taken is still to be posted by who took it: it may have been held or deleted,
// its URL may have been changed.
func (s *Service) HookHeld(ctx context.Context, h mailbox.Hook) (held bool, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		now, err := r.Hook(ctx, h.Mailbox, h.ID)
		if err != nil || now.Lease != h.Lease || !now.Leased || now.NextAt.Before(s.now().Add(s.opt.HookTime)) {
			return err
		}
		box, err := r.Mailbox(ctx, h.Mailbox)
		if err != nil || box.Status == mailbox.Halted {
			return err
		}
		_, held, err = s.webhookAt(ctx, r, box, h.URL)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return held, err
}

// hookShift is one transaction of WorkHooks.
type hookShift struct {
	s     *Service
	ctx   context.Context
	tx    store.Tx
	now   time.Time
	taken map[mailbox.Num]int
	work  HookWork

	unsettled map[int64]bool // targets whose hooks were changed

	noted  []notedHook
	failed []failedTarget
}

// notedHook is an attempt that was noted, for the log.
type notedHook struct {
	address string
	hook    mailbox.Hook
	attempt mailbox.HookAttempt
}

// failedTarget is what is said in the log about a webhook that has just failed: not its URL, which may hold secrets.
type failedTarget struct{ address, host string }

// note applies results, target by target.
func (w *hookShift) note(done []HookResult) error {
	done = slices.Clone(done)
	slices.SortStableFunc(done, func(a, b HookResult) int {
		return cmp.Or(cmp.Compare(a.Hook.Mailbox, b.Hook.Mailbox), cmp.Compare(a.Hook.Target, b.Hook.Target))
	})
	for len(done) > 0 {
		n := 1
		for n < len(done) && done[n].Hook.Target == done[0].Hook.Target {
			n++
		}
		if err := w.noteTarget(done[:n]); err != nil {
			return err
		}
		done = done[n:]
	}
	return nil
}

// noteTarget applies the results of one target: those of its hooks, and with them its counter.
func (w *hookShift) noteTarget(done []HookResult) error {
	first := done[0].Hook
	box, err := w.tx.Mailbox(w.ctx, first.Mailbox)
	if errors.Is(err, store.ErrNotFound) {
		return nil // deleted with everything in it
	}
	if err != nil {
		return err
	}
	route, ours, err := w.s.webhookAt(w.ctx, w.tx, box, first.URL)
	if err != nil {
		return err
	}
	was := route.Webhook
	limits, is := w.s.opt.Limits, was
	for _, d := range done {
		h, err := w.tx.Hook(w.ctx, d.Hook.Mailbox, d.Hook.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && (h.Lease != d.Hook.Lease ||
			!h.Leased && h.State == mailbox.HookPending) {
			continue // it is somebody else's by now, or it was noted, and only the answer to that was lost
		}
		if err != nil {
			return err
		}
		if len(h.Body) != d.Posted { // its message was deleted meanwhile, and the answer may repeat it
			d.Attempt.Response = ""
		}
		h, gaveUp := h.After(d.Attempt, limits.WebhookAttempts)
		is = is.Attempted(d.Attempt, gaveUp, limits.WebhookFailures)
		if err := w.tx.UpdateHook(w.ctx, h); err != nil {
			return err
		}
		w.noted = append(w.noted, notedHook{box.Address, h, d.Attempt})
	}
	if ours && worthNoting(was, is) {
		if err := w.s.setWebhook(w.ctx, w.tx, box, is); err != nil {
			return err
		}
	}
	if is.Failed && !was.Failed && ours {
		w.failed = append(w.failed, failedTarget{box.Address, hostOf(first.URL)})
		return w.stop(first.Target)
	}
	w.unsettled[first.Target] = true
	return nil
}

// worthNoting tells whether the state of a webhook is to be stored: of one that works, not with every event.
func worthNoting(was, is mailbox.Webhook) bool {
	since := is.LastAttemptAt.Sub(was.LastAttemptAt)
	was.LastAttemptAt = is.LastAttemptAt
	return is != was || since >= time.Second
}

// settle notes of all targets whose hooks were changed when the next is due.
func (w *hookShift) settle() error {
	return w.tx.SettleTargets(w.ctx, slices.Collect(maps.Keys(w.unsettled))...)
}

// stop holds everything that a target has pending.
func (w *hookShift) stop(target int64) error {
	w.work.Stopped = append(w.work.Stopped, target)
	w.unsettled[target] = true
	return w.tx.HoldHooks(w.ctx, target)
}

// take leases what is due, as far as there is room.
func (w *hookShift) take(q HookQuery) error {
	if q.Limit <= 0 {
		return nil
	}
	targets, err := w.tx.DueTargets(w.ctx, w.now, q.Except, hookTargets)
	if err != nil {
		return err
	}
	if !w.s.opt.Alone { // the longest due, in the order in which mailboxes are taken
		targets = targets[:min(len(targets), q.Limit)]
		slices.SortStableFunc(targets, func(a, b mailbox.HookTarget) int { return cmp.Compare(a.Mailbox, b.Mailbox) })
	}
	for _, t := range targets {
		room := min(q.Room(t, w.taken[t.Mailbox]), q.Limit-len(w.work.Jobs))
		if room <= 0 {
			w.work.Refused = append(w.work.Refused, t.Number)
			continue
		}
		if err := w.takeTarget(t, room); err != nil {
			return err
		}
	}
	return nil
}

func (w *hookShift) takeTarget(t mailbox.HookTarget, room int) error {
	w.unsettled[t.Number] = true
	box, err := w.tx.Mailbox(w.ctx, t.Mailbox)
	if errors.Is(err, store.ErrNotFound) {
		return w.stop(t.Number) // being deleted
	}
	if err != nil {
		return err
	}
	by, ours, err := w.s.webhookAt(w.ctx, w.tx, box, t.URL)
	switch {
	case err != nil:
		return err
	case !ours || by.Webhook.Failed:
		return w.stop(t.Number)
	case box.Status == mailbox.Halted:
		return w.tx.PutOffHooks(w.ctx, t.Number, w.now, w.now.Add(hookPausedWait))
	}
	due, err := w.tx.DueHooks(w.ctx, t.Number, w.now, room)
	if mailbox.KindOf(err) == mailbox.KeyLost {
		return w.tx.PutOffHooks(w.ctx, t.Number, w.now, w.now.Add(hookPausedWait))
	}
	if err != nil {
		return err
	}
	for _, h := range due {
		h = h.Take(w.now.Add(w.s.opt.HookLease))
		if err := w.tx.UpdateHook(w.ctx, h); err != nil {
			return err
		}
		w.work.Jobs = append(w.work.Jobs, w.s.hookJob(h, box, by))
	}
	w.taken[t.Mailbox] += len(due)
	return nil
}

// hostOf is the host of a URL, for the log.
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}
