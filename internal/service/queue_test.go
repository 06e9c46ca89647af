package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// queue does something with deliveries in the queue, and says how many were changed and how many not.
func (k *kit) queue(action mailbox.QueueAction, c service.QueueChange) string {
	k.Helper()
	c.Action = action
	in := k.operator(mailbox.Moderate, "")
	in.Verb = "POST /v1/queue/" + string(action)
	done, err := k.svc.ChangeQueue(k.Context(), in, c)
	k.works(string(action), err)
	return fmt.Sprintf("%d, not %d", done.Changed, done.Unchanged)
}

func ids(list ...mailbox.ID) service.QueueChange { return service.QueueChange{IDs: list} }

// queued lists the recipients in the queue with their states.
func (k *kit) queued(q service.QueueQuery) (list []string) {
	k.Helper()
	q.Limit = max(q.Limit, 10)
	page, err := k.svc.Queue(k.Context(), k.operator(mailbox.Oversee, ""), q)
	k.works("Queue", err)
	for _, d := range page.Items {
		list = append(list, d.Recipient+" "+string(d.QueueState()))
	}
	return list
}

func TestQueueHold(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test", "bob@other.test", "cy@third.test"))
	jobs := k.lease()
	k.works("begin", k.svc.BeginDelivery(t.Context(), jobs[0].Delivery))
	k.same("held", k.queue(mailbox.QueueHold, ids(sent.ID)), "2, not 1")
	k.same("status", b.status(sent.ID), "on_hold: queued/0 on_hold/0 on_hold/0")
	k.same("queue", k.queued(service.QueueQuery{}),
		[]string{"ann@other.test sending", "bob@other.test on_hold", "cy@third.test on_hold"})
	// the worker that had leased it finds that it has lost it
	wantCode(t, k.svc.BeginDelivery(t.Context(), jobs[1].Delivery), "lease_lost")
	k.finish(jobs[1], taken)
	k.works("renew", k.svc.RenewDeliveries(t.Context(), []mailbox.Delivery{jobs[2].Delivery}))
	k.finish(jobs[0], taken)
	k.clock.advance(72 * time.Hour)
	k.works("give up", k.svc.GiveUp(t.Context()))
	k.same("leased", len(k.lease()), 0)
	k.same("later", b.status(sent.ID), "on_hold: delivered/1 on_hold/0 on_hold/0")
	k.same("again", k.queue(mailbox.QueueHold, ids(sent.ID)), "0, not 3")
	k.same("retried", k.queue(mailbox.QueueRetry, ids(sent.ID)), "0, not 3")

	k.same("released", k.queue(mailbox.QueueRelease, service.QueueChange{
		Match: service.QueueQuery{QueueMatch: mailbox.QueueMatch{Destination: "Other.test"}}}), "1, not 0")
	jobs = k.lease()
	if len(jobs) != 1 || jobs[0].Recipient != "bob@other.test" {
		t.Fatalf("leased %+v", jobs)
	}
	k.finish(jobs[0], later) // the time for which it is tried has begun again
	k.same("after an attempt", b.status(sent.ID), "on_hold: delivered/1 delivery_delayed/1 on_hold/0")
	cancelled, err := b.cancel(sent.ID, "cy@third.test") // the owner may, too
	k.works("cancel", err)
	k.same("its status", cancelled.Status, "delivery_delayed")

	var told []string
	for _, e := range k.history(b.read(), sent.ID) {
		if e.Kind == mailbox.HistoryOnHold || e.Kind == mailbox.HistoryOffHold {
			told = append(told, e.Sentence())
		}
	}
	slices.Sort(told)
	k.same("history", told, []string{
		"Kept in the queue by the operator: it is not sent to bob@other.test for now.",
		"Kept in the queue by the operator: it is not sent to cy@third.test for now.",
		"Released in the queue by the operator: it goes on to bob@other.test."})
	audit, err := k.svc.Audits(t.Context(), k.operator(mailbox.Oversee, ""),
		service.AuditsQuery{Page: service.Page{Limit: 10}})
	k.works("audit", err)
	var notes []string
	for _, a := range audit.Items {
		if strings.Contains(a.Action, "/queue/") {
			notes = append(notes, a.Action+" "+a.Mailbox+" "+a.Note)
		}
	}
	k.same("audit", notes, []string{"POST /v1/queue/release " + b.Address + " " + sent.ID.Part(2).String(),
		"POST /v1/queue/hold " + b.Address + " 2 deliveries, the first " + sent.ID.Part(2).String()})
}

// What is scheduled keeps its time on hold, also where its owner changes that.
func TestQueueHoldScheduled(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(later2h(k, "ann@other.test"))
	k.same("retried", k.queue(mailbox.QueueRetry, ids(sent.ID)), "0, not 1")
	k.same("held", k.queue(mailbox.QueueHold, ids(sent.ID.Part(1))), "1, not 0")
	k.works("move", b.moveTo(sent.ID, k.clock.Now().Add(3*time.Hour)))
	k.same("moved", b.status(sent.ID), "on_hold: on_hold/0")
	k.same("released", k.queue(mailbox.QueueRelease, ids(sent.ID)), "1, not 0")
	k.same("status", b.status(sent.ID), "scheduled: scheduled/0")
	k.clock.advance(2 * time.Hour)
	k.same("early", len(k.lease()), 0)
	k.clock.advance(time.Hour)
	k.same("leased", len(k.lease()), 1)
}

// The time at which a delivery came into the queue is the same on hold, released, retried and moved, and its place is
// by that time; what was approved came then.
func TestQueuedAt(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	began := k.clock.Now()
	scheduled := b.send(later2h(k, "ann@other.test"))
	k.clock.advance(time.Minute)
	b.send(draftTo("bob@other.test"))
	k.finish(k.lease()[0], later)
	k.clock.advance(time.Minute)
	order := func(name string) {
		t.Helper()
		page, err := k.svc.Queue(t.Context(), k.operator(mailbox.Oversee, ""), service.QueueQuery{
			Page: service.Page{Limit: 9}})
		k.works("Queue", err)
		var got []string
		for _, d := range page.Items {
			got = append(got, d.Recipient+" "+d.EnteredAt.Sub(began).String())
		}
		k.same(name, got, []string{"ann@other.test 0s", "bob@other.test 1m0s"})
	}
	order("at first")
	all := service.QueueChange{All: true}
	for _, action := range []mailbox.QueueAction{mailbox.QueueHold, mailbox.QueueRelease, mailbox.QueueRetry} {
		k.queue(action, all)
		order(string(action))
	}
	k.works("move", b.moveTo(scheduled.ID, k.clock.Now().Add(3*time.Hour)))
	order("moved")
	k.same("older than a minute and a half", k.queued(service.QueueQuery{QueueMatch: mailbox.QueueMatch{
		Before: k.clock.Now().Add(-90 * time.Second)}}), []string{"ann@other.test scheduled"})
	sums, err := k.svc.QueueSums(t.Context(), k.operator(mailbox.Oversee, ""))
	k.works("sums", err)
	k.same("the oldest", sums[0].OldestAt.Sub(began), time.Duration(0))

	other := k.permanent("marian")
	other.policy(mailbox.ReviewAll)
	held := other.send(draftTo("cy@other.test"))
	k.clock.advance(time.Hour)
	_, err = k.svc.Approve(t.Context(), other.review(), service.ReviewRef{ID: held.ID})
	k.works("approve", err)
	page, err := k.svc.Queue(t.Context(), k.operator(mailbox.Oversee, ""), service.QueueQuery{Mailbox: other.Address,
		Page: service.Page{Limit: 9}})
	if k.works("Queue", err); len(page.Items) != 1 || !page.Items[0].EnteredAt.Equal(k.clock.Now()) {
		t.Errorf("approved: %+v", page.Items)
	}
}

func TestQueueCancel(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test", "bob@other.test"))
	jobs := k.lease()
	k.works("begin", k.svc.BeginDelivery(t.Context(), jobs[0].Delivery))
	all := service.QueueChange{All: true}
	k.same("canceled", k.queue(mailbox.QueueCancel, all), "1, not 1")
	k.finish(jobs[1], taken)
	k.finish(jobs[0], taken)
	k.same("status", b.status(sent.ID), "delivered: delivered/1 canceled/0")
	k.same("again", k.queue(mailbox.QueueCancel, all), "0, not 0")
	k.same("events", b.kinds(), []string{"message.sent", "message.canceled bob@other.test",
		"message.delivered ann@other.test"})
	second := b.send(draftTo("ann@other.test"))
	k.finish(k.lease()[0], cut) // it may have arrived: an operator can end it all the same
	k.same("unknown", k.queue(mailbox.QueueCancel, ids(second.ID)), "1, not 0")
	k.same("its status", b.status(second.ID), "canceled: canceled/1")
}

// A worker leases a delivery, or begins to send it, between the look at the queue and the change.
func TestQueueRace(t *testing.T) {
	for _, begins := range []bool{false, true} {
		for _, action := range []mailbox.QueueAction{mailbox.QueueHold, mailbox.QueueCancel, mailbox.QueueRetry} {
			k, db := newServiceOver(t)
			b := k.permanent("robin")
			sent := b.send(draftTo("ann@other.test"))
			var jobs []service.Job
			db.looked = func() {
				db.looked = nil
				if jobs = k.lease(); begins {
					k.works("begin", k.svc.BeginDelivery(t.Context(), jobs[0].Delivery))
				}
			}
			got := k.queue(action, service.QueueChange{Match: service.QueueQuery{Mailbox: b.Address}})
			want := "1, not 0"
			if begins || action == mailbox.QueueRetry {
				want = "0, not 1"
			}
			k.same(fmt.Sprint(action, " of what is begun: ", begins), got, want)
			if want == "1, not 0" {
				wantCode(t, k.svc.BeginDelivery(t.Context(), jobs[0].Delivery), "lease_lost")
			}
			k.finish(jobs[0], taken)
			if sent := b.status(sent.ID) == "delivered: delivered/1"; sent == (want == "1, not 0") {
				t.Errorf("%s, begun: %v: sent is %v", action, begins, sent)
			}
		}
	}
}

func TestQueueList(t *testing.T) {
	k := newService(t)
	b, other := k.permanent("robin"), k.permanent("marian")
	b.send(draftTo("ann@other.test"))
	k.finish(k.lease()[0], later)
	k.clock.advance(time.Second)
	other.send(draftTo("bob@third.test"))
	k.clock.advance(time.Second)
	b.send(later2h(k, "cy@third.test"))
	at := k.clock.Now()
	for _, tt := range []struct {
		name string
		q    service.QueueQuery
		want []string
	}{
		{"all", service.QueueQuery{}, []string{"ann@other.test waiting", "bob@third.test waiting",
			"cy@third.test scheduled"}},
		{"for a destination", service.QueueQuery{QueueMatch: mailbox.QueueMatch{Destination: "third.test"}},
			[]string{"bob@third.test waiting", "cy@third.test scheduled"}},
		{"of a mailbox", service.QueueQuery{Mailbox: other.Address}, []string{"bob@third.test waiting"}},
		{"scheduled", service.QueueQuery{QueueMatch: mailbox.QueueMatch{State: mailbox.QueueScheduled}},
			[]string{"cy@third.test scheduled"}},
		{"old", service.QueueQuery{QueueMatch: mailbox.QueueMatch{Before: at.Add(-time.Second)}},
			[]string{"ann@other.test waiting"}},
		{"put off", service.QueueQuery{QueueMatch: mailbox.QueueMatch{Error: "4xx"}},
			[]string{"ann@other.test waiting"}},
		{"with a text", service.QueueQuery{QueueMatch: mailbox.QueueMatch{Error: "451 4.7.1 LATER"}},
			[]string{"ann@other.test waiting"}},
		{"without an answer", service.QueueQuery{QueueMatch: mailbox.QueueMatch{Error: "none"}},
			[]string{"bob@third.test waiting", "cy@third.test scheduled"}},
		{"refused", service.QueueQuery{QueueMatch: mailbox.QueueMatch{Error: "5xx"}}, nil},
		{"from the second", service.QueueQuery{Page: service.Page{Offset: 1}}, []string{"bob@third.test waiting",
			"cy@third.test scheduled"}},
	} {
		k.same(tt.name, k.queued(tt.q), tt.want)
	}
	in := k.operator(mailbox.Oversee, "")
	var pages []string
	q := service.QueueQuery{Page: service.Page{Limit: 1}}
	for {
		page, err := k.svc.Queue(t.Context(), in, q)
		k.works("page", err)
		for _, d := range page.Items {
			pages = append(pages, d.Recipient)
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	k.same("pages", pages, []string{"ann@other.test", "bob@third.test", "cy@third.test"})
	sums, err := k.svc.QueueSums(t.Context(), in)
	k.works("sums", err)
	if len(sums) != 2 || sums[0].Destination != "third.test" || sums[0].Deliveries != 2 || sums[1].Last.Code != 451 {
		t.Errorf("sums %+v", sums)
	}
	k.same("retried", k.queue(mailbox.QueueRetry, service.QueueChange{
		Match: service.QueueQuery{QueueMatch: mailbox.QueueMatch{Error: "4xx"}}}), "1, not 0")
	k.same("leased", len(k.lease()), 2)
}

func TestQueueWrong(t *testing.T) {
	k := newService(t)
	in := k.operator(mailbox.Moderate, "")
	for code, c := range map[string]service.QueueChange{
		"invalid_ids": {}, "not_found": ids(mailbox.NewID(time.Now())),
		"invalid_state":  {Match: service.QueueQuery{QueueMatch: mailbox.QueueMatch{State: "gone"}}},
		"invalid_cursor": {Match: service.QueueQuery{Mailbox: configured, Page: service.Page{Cursor: "AVFoAQ"}}},
	} {
		_, err := k.svc.ChangeQueue(t.Context(), in, c)
		wantCode(t, err, code)
	}
	_, err := k.svc.QueuedDelivery(t.Context(), in, mailbox.NewID(time.Now()))
	wantCode(t, err, "not_found")
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test"))
	got, err := k.svc.QueuedDelivery(t.Context(), in, sent.ID.Part(1))
	if err != nil || got.Address != b.Address || got.Recipient != "ann@other.test" {
		t.Errorf("one: %+v, %v", got, err)
	}
	k.finish(k.lease()[0], taken)
	_, err = k.svc.QueuedDelivery(t.Context(), in, sent.ID.Part(1))
	wantCode(t, err, "not_found")
}
