package service_test

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// An overview adds up all mailboxes, by hour or by day.
func TestOverview(t *testing.T) {
	k := newService(t)
	k.clock.set(day(14).Add(12*time.Hour + 30*time.Minute))
	a, b := k.permanent("a"), k.permanent("b")
	k.receive(letter("a"), a.Address)
	k.clock.set(day(14).Add(13*time.Hour + 30*time.Minute))
	k.receive(letter("b"), a.Address)
	k.receive(letter("c"), b.Address)
	if _, err := k.svc.PauseMailbox(t.Context(), b.in(mailbox.PauseMailbox), "away"); err != nil {
		t.Fatal(err)
	}
	view := func(q service.OverviewQuery) service.Overview {
		t.Helper()
		o, err := k.svc.Overview(t.Context(), service.Access{}, q)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	o := view(service.OverviewQuery{Hours: 3})
	if len(o.Spans) != 3 || o.Spans[0].Received != 0 || o.Spans[1].Received != 1 || o.Spans[2].Received != 2 ||
		!o.Whole || o.Paused != 1 || o.Mailboxes < 2 {
		t.Errorf("by hours: %+v", o)
	}
	o = view(service.OverviewQuery{Days: 2})
	if len(o.Spans) != 2 || o.Spans[1].Received != 3 || o.Each != 24*time.Hour {
		t.Errorf("by days: %+v", o)
	}
	if o = view(service.OverviewQuery{}); len(o.Spans) != 24 {
		t.Errorf("%d spans where none are named", len(o.Spans))
	}
	for _, q := range []service.OverviewQuery{{Hours: 169}, {Days: 91}, {Hours: 1, Days: 1}} {
		if _, err := k.svc.Overview(t.Context(), service.Access{}, q); mailbox.KindOf(err) != mailbox.Invalid {
			t.Errorf("%+v: %v", q, err)
		}
	}
}
