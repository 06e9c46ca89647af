package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var hookTests = []test{
	{"keeps everything", keepHook},
	{"a target is its mailbox and URL", func(k kit) {
		a, b := k.box("a@x.org"), k.box("b@x.org")
		one := k.target(a.Num, "https://x/1")
		k.same("again", k.target(a.Num, "https://x/1"), one)
		for _, other := range []mailbox.HookTarget{k.target(a.Num, "https://x/2"), k.target(b.Num, "https://x/1")} {
			if other.Number == one.Number {
				k.Errorf("%+v is %+v", other, one)
			}
		}
	}},
	{"lists by filter", listHooks},
	{"is scrubbed", scrubHook},
	{"what is due", dueHooks},
	{"one row for a target, however much waits", crowdedTarget},
	{"a lease puts off, a release makes due", leaseHooks},
	{"holds what is pending", holdHooks},
	{"puts off what is due", putOffHooks},
	{"trims the oldest", trimHooks},
	{"routes", hookRoutes},
	{"goes with its mailbox", removeHooks},
}

func (k kit) target(num mailbox.Num, url string) (t mailbox.HookTarget) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) (err error) {
		t, err = tx.HookTarget(ctx, num, url)
		return err
	})
	return t
}

// sampleHook is a hook that is not stored yet.
func sampleHook(t mailbox.HookTarget) mailbox.Hook {
	return mailbox.Hook{ID: mailbox.NewID(noon), Mailbox: t.Mailbox, Target: t.Number, URL: t.URL, Event: 1,
		Kind:    mailbox.MessageReceived,
		Message: mailbox.NewID(noon), Body: []byte(`{"a":1}`), At: noon, State: mailbox.HookPending, NextAt: noon}
}

// hook stores a hook as change makes it.
func (k kit) hook(t mailbox.HookTarget, change ...func(*mailbox.Hook)) mailbox.Hook {
	k.Helper()
	h := sampleHook(t)
	for _, c := range change {
		c(&h)
	}
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertHook(ctx, &h) })
	return h
}

func dueAt(at time.Time) func(*mailbox.Hook) { return func(h *mailbox.Hook) { h.NextAt = at } }

func (k kit) hookAt(h mailbox.Hook) mailbox.Hook {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Hook, error) {
		return r.Hook(ctx, h.Mailbox,
			h.ID)
	})
}

// change stores a changed hook and settles its target.
func (k kit) change(h mailbox.Hook) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error {
		if err := tx.UpdateHook(ctx, h); err != nil {
			return err
		}
		return tx.SettleTargets(ctx, h.Target)
	})
}

func keepHook(k kit) {
	box := k.box("a@x.org")
	t, other := k.target(box.Num, "https://x/1?a='"), k.target(box.Num, "https://x/2")
	h := k.hook(t)
	second := k.hook(t)
	if h.N >= second.N {
		k.Errorf("places %d, %d", h.N, second.N)
	}
	k.same("new", k.hookAt(h), h)
	h.Target, h.URL = other.Number, other.URL
	h.State, h.Attempts, h.NextAt, h.Lease, h.Leased = mailbox.HookFailed, 4, time.Time{}, 7, true
	h.Log = []mailbox.HookAttempt{{At: noon, Duration: 1500 * time.Microsecond, Status: 500,
		Error: "The receiver answered 500.", Response: "<oops>"},
		{At: noon.Add(time.Second), Duration: 10 * time.Second, Error: "It did not answer.", Replay: true}}
	k.change(h)
	k.same("changed", k.hookAt(h), h)
	k.same("the other", k.hookAt(second), second)
	_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Hook, error) {
		return r.Hook(ctx, box.Num+1,
			h.ID)
	})
	k.is("of another mailbox", err, store.ErrNotFound)
	gone := sampleHook(t)
	k.is("UpdateHook", k.db.Update(k.Context(), func(tx store.Tx) error { return tx.UpdateHook(k.Context(), gone) }),
		store.ErrNotFound)
}

func scrubHook(k kit) {
	box, other := k.box("a@x.org"), k.box("b@x.org")
	h := k.hook(k.target(box.Num, "https://x/1"), func(h *mailbox.Hook) {
		h.State, h.Attempts, h.Log = mailbox.HookFailed, 4,
			[]mailbox.HookAttempt{{At: noon, Status: 500, Error: "It failed.", Response: "<oops>"}}
	})
	second, foreign := k.hook(k.target(box.Num, "https://x/1")), k.hook(k.target(other.Num, "https://x/1"))
	h.Body, h.Log[0].Response = []byte(`{}`), ""
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.ScrubHook(ctx, h) })
	k.same("scrubbed", k.hookAt(h), h)
	k.same("another", k.hookAt(second), second)
	k.same("another mailbox's", k.hookAt(foreign), foreign)
}

func listHooks(k kit) {
	box, other := k.box("a@x.org"), k.box("b@x.org")
	t, foreign := k.target(box.Num, "https://x/1"), k.target(other.Num, "https://x/1")
	message := mailbox.NewID(noon)
	var all []mailbox.Hook
	for i, c := range []struct {
		state   mailbox.HookState
		kind    mailbox.EventKind
		message mailbox.ID
	}{
		{mailbox.HookPending, mailbox.MessageReceived, message},
		{mailbox.HookDelivered, mailbox.MessageReceived, mailbox.NewID(noon)},
		{mailbox.HookFailed, mailbox.MessageBounced, message},
		{mailbox.HookHeld, mailbox.MessageReceived, mailbox.NewID(noon)},
		{mailbox.HookDelivered, mailbox.MessageDelivered, message},
	} {
		h := k.hook(t, func(h *mailbox.Hook) {
			h.State, h.Kind, h.Message, h.Event = c.state, c.kind, c.message,
				int64(i)
		})
		h.Body = nil
		all = append(all, h)
		k.hook(foreign)
	}
	for _, c := range []struct {
		name string
		f    store.HookFilter
		want []int
	}{
		{"all", store.HookFilter{Limit: 9}, []int{4, 3, 2, 1, 0}},
		{"limit", store.HookFilter{Limit: 2}, []int{4, 3}},
		{"offset", store.HookFilter{Limit: 2, Offset: 1}, []int{3, 2}},
		{"before", store.HookFilter{Limit: 2, Before: all[3].N}, []int{2, 1}},
		{"pending", store.HookFilter{Limit: 9, State: mailbox.HookPending}, []int{0}},
		{"delivered", store.HookFilter{Limit: 9, State: mailbox.HookDelivered}, []int{4, 1}},
		{"failed", store.HookFilter{Limit: 9, State: mailbox.HookFailed}, []int{2}},
		{"held before", store.HookFilter{Limit: 9, State: mailbox.HookHeld, Before: all[3].N}, nil},
		{"kind", store.HookFilter{Limit: 9, Kind: mailbox.MessageReceived}, []int{3, 1, 0}},
		{"message", store.HookFilter{Limit: 9, Message: message}, []int{4, 2, 0}},
		{"message before", store.HookFilter{Limit: 1, Message: message, Before: all[4].N}, []int{2}},
		{"delivered of a message", store.HookFilter{Limit: 9, Message: message, State: mailbox.HookDelivered},
			[]int{4}},
		{"everything asked", store.HookFilter{Limit: 9, Message: message, Kind: mailbox.MessageBounced,
			State: mailbox.HookFailed}, []int{2}},
	} {
		var want []mailbox.Hook
		for _, i := range c.want {
			want = append(want, all[i])
		}
		k.same(c.name, must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Hook, error) {
			return r.Hooks(ctx,
				box.Num, c.f)
		}), want)
	}
}

func trimHooks(k kit) {
	box := k.box("a@x.org")
	t := k.target(box.Num, "https://x/1")
	var all []mailbox.Hook
	for i := range 5 {
		all = append(all, k.hook(t, func(h *mailbox.Hook) {
			h.At, h.NextAt = noon.Add(time.Duration(i)*time.Hour),
				time.Time{}
		}))
	}
	for i, want := range []bool{true, false} { // two, then the third
		k.update(func(ctx context.Context, tx store.Tx) error {
			_, more, err := tx.TrimHooks(ctx, noon.Add(3*time.Hour), 2)
			if more != want {
				k.Errorf("step %d: more is %v", i, more)
			}
			return err
		})
	}
	list := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Hook, error) {
		return r.Hooks(ctx, box.Num, store.HookFilter{Limit: 9})
	})
	if len(list) != 2 || list[0].ID != all[4].ID || list[1].ID != all[3].ID {
		k.Errorf("left are %+v", list)
	}
	k.same("the target", k.target(box.Num, "https://x/1"), t)
	k.update(func(ctx context.Context, tx store.Tx) error {
		_, _, err := tx.TrimHooks(ctx, noon.Add(24*time.Hour), 10)
		return err
	})
	if again := k.target(box.Num, "https://x/1"); again.Number == t.Number {
		k.Error("a target without hooks stays")
	}
}

func hookRoutes(k kit) {
	box, other := k.box("a@x.org"), k.box("b@x.org")
	route := func(num mailbox.Num, label, url string) mailbox.HookRoute {
		r := mailbox.HookRoute{Mailbox: num, Label: label, CreatedAt: noon, Webhook: mailbox.Webhook{URL: url}}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.PutHookRoute(ctx, r) })
		return r
	}
	routes := func(num mailbox.Num) []mailbox.HookRoute {
		return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.HookRoute, error) {
			return r.HookRoutes(ctx,
				num)
		})
	}
	if k.find(box.Num).Routed {
		k.Error("routed without a route")
	}
	a, b, foreign := route(box.Num, "b", "https://x/1"), route(box.Num, "a", "https://x/1"),
		route(other.Num, "a", "https://x/1")
	route(box.Num, "c", "https://x/3")
	c := route(box.Num, "c", "https://x/2")
	k.same("routes", routes(box.Num), []mailbox.HookRoute{b, a, c})
	w := mailbox.Webhook{URL: "https://x/1", Failed: true, ConsecutiveFailures: 10, LastAttemptAt: noon,
		LastError: "no"}
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateHookRoutes(ctx, box.Num, w) })
	a.Webhook, b.Webhook = w, w
	k.same("after a failure", routes(box.Num), []mailbox.HookRoute{b, a, c})
	k.same("of the other", routes(other.Num), []mailbox.HookRoute{foreign})
	changed := k.find(box.Num)
	changed.PauseReason = "x"
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMailbox(ctx, changed) })
	for i, label := range []string{"a", "b", "c"} {
		if !k.find(box.Num).Routed {
			k.Errorf("not routed with %d left", 3-i)
		}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteHookRoute(ctx, box.Num, label) })
	}
	if k.find(box.Num).Routed || !k.find(other.Num).Routed {
		k.Error("routed after the last, or not with another's")
	}
	k.is("none", k.db.Update(k.Context(), func(tx store.Tx) error {
		return tx.DeleteHookRoute(k.Context(), box.Num,
			"a")
	}), store.ErrNotFound)
	own := mailbox.HookRoute{Mailbox: box.Num, ID: mailbox.NewID(noon), Label: "code", CreatedAt: noon,
		RouteSettings: mailbox.RouteSettings{Events: []string{"message.sent"}, Form: mailbox.FormResend, About: "code",
			Headers: []mailbox.Field{{Name: "X-Team", Value: "ä"}}, SecretTurns: mailbox.SecretTurns{Rotations: 2},
			Disabled: true, ClientID: "c", UpdatedAt: noon}}
	own.Webhook.URL = own.Target("https://x/1")
	second := own
	second.ID = mailbox.NewID(noon.Add(time.Second))
	second.Webhook.URL = second.Target("https://x/1")
	k.update(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.PutHookRoute(ctx, own), tx.PutHookRoute(ctx, second))
	})
	k.same("with an id", routes(box.Num), []mailbox.HookRoute{own, second})
	h := k.hook(k.target(box.Num, own.Webhook.URL))
	k.hook(k.target(box.Num, second.Webhook.URL))
	found := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Hook, error) {
		return r.Hooks(ctx, box.Num, store.HookFilter{Target: own.Webhook.URL, Limit: 10})
	})
	if len(found) != 1 || found[0].ID != h.ID {
		k.Errorf("hooks of a target: %+v", found)
	}
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteHookRoute(ctx, box.Num, own.Key()) })
	k.same("after one is deleted", routes(box.Num), []mailbox.HookRoute{second})
}

func removeHooks(k kit) {
	box, other := k.box("a@x.org"), k.box("b@x.org")
	t, foreign := k.target(box.Num, "https://x/1"), k.target(other.Num, "https://x/1")
	h, left := k.hook(t), k.hook(foreign)
	for range 5 {
		k.hook(t)
	}
	k.update(func(ctx context.Context, tx store.Tx) error {
		return tx.PutHookRoute(ctx, mailbox.HookRoute{Mailbox: box.Num, Label: "a", CreatedAt: noon,
			Webhook: mailbox.Webhook{URL: "https://x/1"}})
	})
	k.remove(box.Num)
	k.same("due", k.dueTargets(noon), []mailbox.HookTarget{foreign})
	k.same("routes", must(k, func(ctx context.Context, r store.Reader) ([]mailbox.HookRoute, error) {
		return r.HookRoutes(ctx, box.Num)
	}), []mailbox.HookRoute{})
	k.purge(box.Num, 2)
	k.is("UpdateHook", k.db.Update(k.Context(), func(tx store.Tx) error { return tx.UpdateHook(k.Context(), h) }),
		store.ErrNotFound)
	k.same("the other's", k.hookAt(left), left)
}

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
	one, two, three := k.target(box.Num, "https://x/1"), k.target(other.Num, "https://x/1"),
		k.target(box.Num, "https://x/3")
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
	for what, h := range map[string]mailbox.Hook{"due": due, "later": later, "leased": leased,
		"with a lease that has ended": ended} {
		k.same(what, k.hookAt(h), h)
	}
	k.same("next", k.nextHook(), noon.Add(time.Second))
}
