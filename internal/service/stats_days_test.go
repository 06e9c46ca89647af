package service_test

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// day is the beginning of a day of March.
func day(n int) time.Time { return time.Date(2026, time.March, n, 0, 0, 0, 0, time.UTC) }

func TestDailyStats(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	size := int64(len(letter("a")))
	daily := func(days int) []service.Day {
		t.Helper()
		s, err := k.svc.Stats(t.Context(), own.read(), days)
		k.works("Stats", err)
		if !s.Whole {
			t.Error("not everything was counted")
		}
		return s.Days
	}
	k.clock.set(day(20).Add(-time.Millisecond))
	k.receive(letter("a"), own.Address)
	k.clock.set(day(20))
	gone := k.receive(letter("b"), own.Address)[0].ID
	k.receive(letter("c"), own.Address, other.Address)
	k.clock.set(day(22).Add(23 * time.Hour))
	k.receive(letter("d"), own.Address)
	k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), gone))
	want := []service.Day{{Day: day(19), Received: 1, Bytes: size}, {Day: day(20), Received: 1, Bytes: size},
		{Day: day(21)}, {Day: day(22), Received: 1, Bytes: size}}
	k.same("all of them", daily(4), want)
	k.same("today", daily(1), want[3:])
	k.same("two", daily(2), want[2:])
	k.same("as many as there may be", len(daily(90)), 90)
	none, err := k.svc.Stats(t.Context(), own.read(), 0)
	k.works("Stats", err)
	k.same("not asked for", len(none.Days), 0)
	_, err = k.svc.Stats(t.Context(), own.read(), 91)
	k.kind("too many", err, mailbox.Invalid, "invalid_days")
}

func TestSpreadDays(t *testing.T) {
	k := newService(t)
	in := func(n int, messages int64) mailbox.SpanCount {
		return mailbox.SpanCount{At: day(n), Direction: mailbox.Inbound, Status: "received", Messages: messages,
			Bytes: 10 * messages}
	}
	out := func(n int, status string, messages int64) mailbox.SpanCount {
		return mailbox.SpanCount{At: day(n), Direction: mailbox.Outbound, Status: status, Messages: messages,
			Bytes: messages}
	}
	for _, c := range []struct {
		name   string
		counts []mailbox.SpanCount
		want   []service.Day
		whole  bool
	}{
		{"nothing", nil, []service.Day{{Day: day(3)}, {Day: day(4)}, {Day: day(5)}}, true},
		{"both directions", []mailbox.SpanCount{in(4, 2), out(4, "queued", 1), out(4, "bounced", 3), in(5, 1)},
			[]service.Day{{Day: day(3)}, {Day: day(4), Received: 2, Sent: 4, Bytes: 24,
				Outcomes: map[string]int64{"queued": 1, "bounced": 3}}, {Day: day(5), Received: 1, Bytes: 10}}, true},
		{"of other days", []mailbox.SpanCount{in(2, 1), in(6, 1)}, []service.Day{{Day: day(3)}, {Day: day(4)},
			{Day: day(5)}}, true},
		{"too many: the day that was cut is left out", []mailbox.SpanCount{in(5, 4), in(4, 6)},
			[]service.Day{{Day: day(5), Received: 4, Bytes: 40}}, false},
		{"too many today", []mailbox.SpanCount{in(5, 10)}, []service.Day{{Day: day(5), Received: 10, Bytes: 100}},
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, whole := service.SpreadDays(c.counts, day(3), day(5), 10)
			k.same("days", got, c.want)
			k.same("whole", whole, c.whole)
		})
	}
}

func TestActivity(t *testing.T) {
	k := newService(t)
	a, b := k.permanent("a"), k.permanent("b")
	in := k.operator(mailbox.Moderate, "")
	var ids []mailbox.ID
	for _, address := range []string{a.Address, b.Address, a.Address} {
		k.clock.advance(time.Second)
		ids = append(ids, k.receive(letter(k.clock.Now().String()), address)[0].ID)
	}
	for limit, want := range []int{0, 1, 2, 3, 3} {
		list, err := k.svc.Activity(t.Context(), in, limit)
		k.works("Activity", err)
		k.same("how many", len(list), want)
		for i, h := range list {
			k.same("newest first", []any{h.Message, h.Kind}, []any{ids[2-i], mailbox.MessageReceived})
		}
	}
	audits, err := k.svc.Audits(t.Context(), in, service.AuditsQuery{Page: service.Page{Limit: 10}})
	k.works("Audits", err)
	k.same("watching is not reading", len(audits.Items), 2) // both were made
}

// What was posted can be looked at, with the headers of its latest attempt.
func TestPostedHook(t *testing.T) {
	const target = "https://target.test/"
	hookBubble(t, func(_ string, n int) (int, time.Duration) { return map[bool]int{true: 500, false: 200}[n == 1], 0 },
		func(h *hookKit) {
			b, other := h.permanent("robin"), h.permanent("wren")
			in := b.in(mailbox.ManageMailbox)
			h.set(b, target)
			h.mail(b, 1)
			h.pass(time.Minute)
			list, err := h.svc.Hooks(h.Context(), in, service.HooksQuery{Page: service.Page{Limit: 1}})
			h.works("Hooks", err)
			id := list.Items[0].ID
			got, err := h.svc.Hook(h.Context(), in, id)
			h.works("Hook", err)
			post := h.world.posts[1]
			h.same("headers", got.Headers, map[string]string{"at": post.at.String(), "body": post.body,
				"signed": "true"})
			h.same("body", string(got.Body), post.body)
			h.same("attempts", len(got.Log), 2)
			_, err = h.svc.Hook(h.Context(), other.in(mailbox.ManageMailbox), id)
			wantCode(t, err, "not_found")
		})
}
