package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func (k kit) dueTargets(at time.Time, except ...int64) []mailbox.HookTarget {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.HookTarget, error) {
		return r.DueTargets(ctx, at, except, 10)
	})
}

func (k kit) dueHooks(t mailbox.HookTarget, at time.Time, limit int) []mailbox.Hook {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Hook, error) {
		return r.DueHooks(ctx, t.Number, at, limit)
	})
}

func (k kit) nextHook(except ...int64) time.Time {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (time.Time, error) { return r.NextHook(ctx, except) })
}

func dueHooks(k kit) {
	box, other := k.box("a@x.org"), k.box("b@x.org")
	one, two, three := k.target(box.Num, "https://x/1"), k.target(other.Num, "https://x/1"), k.target(box.Num, "https://x/3")
	k.same("at first", k.nextHook(), time.Time{})
	late := k.hook(one, dueAt(noon.Add(time.Second)))
	early := k.hook(one, dueAt(noon))
	second := k.hook(two, dueAt(noon.Add(-time.Second)))
	k.hook(three, func(h *mailbox.Hook) { h.State, h.NextAt = mailbox.HookHeld, time.Time{} })
	for _, c := range []struct {
		at     time.Time
		except []int64
		want   []mailbox.HookTarget
	}{
		{noon.Add(-2 * time.Second), nil, nil},
		{noon.Add(-time.Second), nil, []mailbox.HookTarget{two}},
		{noon.Add(-time.Millisecond), nil, []mailbox.HookTarget{two}},
		{noon, nil, []mailbox.HookTarget{two, one}},
		{noon.Add(time.Hour), []int64{two.Number}, []mailbox.HookTarget{one}},
		{noon.Add(time.Hour), []int64{two.Number, one.Number}, nil},
	} {
		k.same(fmt.Sprint("targets at ", c.at, " without ", c.except), k.dueTargets(c.at, c.except...), c.want)
	}
	k.same("limit", must(k, func(ctx context.Context, r store.Reader) ([]mailbox.HookTarget, error) {
		return r.DueTargets(ctx, noon, nil, 1)
	}), []mailbox.HookTarget{two})
	k.same("hooks", k.dueHooks(one, noon, 10), []mailbox.Hook{early})
	k.same("hooks later", k.dueHooks(one, noon.Add(time.Hour), 10), []mailbox.Hook{early, late})
	k.same("hooks, one", k.dueHooks(one, noon.Add(time.Hour), 1), []mailbox.Hook{early})
	late.Attempts = 1
	k.change(late)
	k.same("hooks that were tried", k.dueHooks(one, noon.Add(time.Hour), 10), []mailbox.Hook{late, early})
	k.same("hooks that were tried, one", k.dueHooks(one, noon.Add(time.Hour), 1), []mailbox.Hook{late})
	k.same("hooks that were tried, not yet", k.dueHooks(one, noon, 10), []mailbox.Hook{early})
	k.same("next", k.nextHook(), second.NextAt)
	k.same("next of others", k.nextHook(two.Number), early.NextAt)
	early.State, early.NextAt = mailbox.HookDelivered, time.Time{}
	k.change(early)
	k.same("next after that", k.nextHook(two.Number), late.NextAt)
}

func crowdedTarget(k kit) {
	box, other := k.box("a@x.org"), k.box("b@x.org")
	crowd, quiet := k.target(box.Num, "https://x/1"), k.target(other.Num, "https://x/2")
	k.update(func(ctx context.Context, tx store.Tx) error {
		for range 500 {
			h := sampleHook(crowd)
			if err := tx.InsertHook(ctx, &h); err != nil {
				return err
			}
		}
		return nil
	})
	k.hook(quiet, dueAt(noon.Add(time.Second)))
	k.same("targets", k.dueTargets(noon.Add(time.Minute)), []mailbox.HookTarget{crowd, quiet})
	k.same("without the crowd", k.dueTargets(noon.Add(time.Minute), crowd.Number), []mailbox.HookTarget{quiet})
}

func leaseHooks(k kit) {
	box := k.box("a@x.org")
	t := k.target(box.Num, "https://x/1")
	leased, plain := k.hook(t), k.hook(t, dueAt(noon.Add(time.Hour)))
	leased = leased.Take(noon.Add(time.Minute))
	k.change(leased)
	k.same("due", k.dueTargets(noon), []mailbox.HookTarget{})
	k.same("next", k.nextHook(), noon.Add(time.Minute))
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.ReleaseHooks(ctx, noon.Add(time.Second)) })
	k.same("due again", k.dueTargets(noon.Add(time.Second)), []mailbox.HookTarget{t})
	leased.Leased, leased.NextAt = false, noon.Add(time.Second)
	k.same("released", k.hookAt(leased), leased)
	k.same("what was not leased", k.hookAt(plain), plain)
}

func holdHooks(k kit) {
	box := k.box("a@x.org")
	t, other := k.target(box.Num, "https://x/1"), k.target(box.Num, "https://x/2")
	pending, leased := k.hook(t), k.hook(t, func(h *mailbox.Hook) { *h = h.Take(noon.Add(time.Minute)) })
	done := k.hook(t, func(h *mailbox.Hook) { h.State, h.NextAt = mailbox.HookDelivered, time.Time{} })
	others := k.hook(other)
	k.update(func(ctx context.Context, tx store.Tx) error {
		if err := tx.HoldHooks(ctx, t.Number); err != nil {
			return err
		}
		return tx.SettleTargets(ctx, t.Number)
	})
	for _, h := range []mailbox.Hook{pending, leased} {
		h.State, h.NextAt, h.Leased = mailbox.HookHeld, time.Time{}, false
		k.same("held", k.hookAt(h), h)
	}
	k.same("delivered", k.hookAt(done), done)
	k.same("the other's", k.hookAt(others), others)
	k.same("due", k.dueTargets(noon.Add(time.Hour)), []mailbox.HookTarget{other})
}

func putOffHooks(k kit) {
	t := k.target(k.box("a@x.org").Num, "https://x/1")
	due, later := k.hook(t), k.hook(t, dueAt(noon.Add(time.Second)))
	leased := k.hook(t, func(h *mailbox.Hook) { *h = h.Take(noon.Add(time.Second)) })
	ended := k.hook(t, func(h *mailbox.Hook) { *h = h.Take(noon.Add(-time.Second)) })
	k.update(func(ctx context.Context, tx store.Tx) error {
		if err := tx.PutOffHooks(ctx, t.Number, noon, noon.Add(time.Minute)); err != nil {
			return err
		}
		return tx.SettleTargets(ctx, t.Number)
	})
	due.NextAt = noon.Add(time.Minute)
	ended.NextAt, ended.Leased = noon.Add(time.Minute), false
	for what, h := range map[string]mailbox.Hook{"due": due, "later": later, "leased": leased, "with a lease that has ended": ended} {
		k.same(what, k.hookAt(h), h)
	}
	k.same("next", k.nextHook(), noon.Add(time.Second))
}
