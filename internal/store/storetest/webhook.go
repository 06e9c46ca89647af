package storetest

import (
	"context"
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
	return mailbox.Hook{ID: mailbox.NewID(noon), Mailbox: t.Mailbox, Target: t.Number, URL: t.URL, Event: 1, Kind: mailbox.MessageReceived,
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
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Hook, error) { return r.Hook(ctx, h.Mailbox, h.ID) })
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
	h.Log = []mailbox.HookAttempt{{At: noon, Duration: 1500 * time.Microsecond, Status: 500, Error: "The receiver answered 500.", Response: "<oops>"},
		{At: noon.Add(time.Second), Duration: 10 * time.Second, Error: "It did not answer.", Replay: true}}
	k.change(h)
	k.same("changed", k.hookAt(h), h)
	k.same("the other", k.hookAt(second), second)
	_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Hook, error) { return r.Hook(ctx, box.Num+1, h.ID) })
	k.is("of another mailbox", err, store.ErrNotFound)
	gone := sampleHook(t)
	k.is("UpdateHook", k.db.Update(k.Context(), func(tx store.Tx) error { return tx.UpdateHook(k.Context(), gone) }), store.ErrNotFound)
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
		h := k.hook(t, func(h *mailbox.Hook) { h.State, h.Kind, h.Message, h.Event = c.state, c.kind, c.message, int64(i) })
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
		{"everything asked", store.HookFilter{Limit: 9, Message: message, Kind: mailbox.MessageBounced, State: mailbox.HookFailed}, []int{2}},
	} {
		var want []mailbox.Hook
		for _, i := range c.want {
			want = append(want, all[i])
		}
		k.same(c.name, must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Hook, error) { return r.Hooks(ctx, box.Num, c.f) }), want)
	}
}

func trimHooks(k kit) {
	box := k.box("a@x.org")
	t := k.target(box.Num, "https://x/1")
	var all []mailbox.Hook
	for i := range 5 {
		all = append(all, k.hook(t, func(h *mailbox.Hook) { h.At, h.NextAt = noon.Add(time.Duration(i)*time.Hour), time.Time{} }))
	}
	for i, want := range []bool{true, false} { // two, then the third
		k.update(func(ctx context.Context, tx store.Tx) error {
			more, err := tx.TrimHooks(ctx, noon.Add(3*time.Hour), 2)
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
		_, err := tx.TrimHooks(ctx, noon.Add(24*time.Hour), 10)
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
		return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.HookRoute, error) { return r.HookRoutes(ctx, num) })
	}
	if k.find(box.Num).Routed {
		k.Error("routed without a route")
	}
	a, b, foreign := route(box.Num, "b", "https://x/1"), route(box.Num, "a", "https://x/1"), route(other.Num, "a", "https://x/1")
	route(box.Num, "c", "https://x/3")
	c := route(box.Num, "c", "https://x/2")
	k.same("routes", routes(box.Num), []mailbox.HookRoute{b, a, c})
	w := mailbox.Webhook{URL: "https://x/1", Failed: true, ConsecutiveFailures: 10, LastAttemptAt: noon, LastError: "no"}
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
	k.is("none", k.db.Update(k.Context(), func(tx store.Tx) error { return tx.DeleteHookRoute(k.Context(), box.Num, "a") }), store.ErrNotFound)
}

func removeHooks(k kit) {
	box, other := k.box("a@x.org"), k.box("b@x.org")
	t, foreign := k.target(box.Num, "https://x/1"), k.target(other.Num, "https://x/1")
	h, left := k.hook(t), k.hook(foreign)
	for range 5 {
		k.hook(t)
	}
	k.update(func(ctx context.Context, tx store.Tx) error {
		return tx.PutHookRoute(ctx, mailbox.HookRoute{Mailbox: box.Num, Label: "a", CreatedAt: noon, Webhook: mailbox.Webhook{URL: "https://x/1"}})
	})
	k.remove(box.Num)
	k.same("due", k.dueTargets(noon), []mailbox.HookTarget{foreign})
	k.same("routes", must(k, func(ctx context.Context, r store.Reader) ([]mailbox.HookRoute, error) {
		return r.HookRoutes(ctx, box.Num)
	}), []mailbox.HookRoute{})
	k.purge(box.Num, 2)
	k.is("UpdateHook", k.db.Update(k.Context(), func(tx store.Tx) error { return tx.UpdateHook(k.Context(), h) }), store.ErrNotFound)
	k.same("the other's", k.hookAt(left), left)
}
