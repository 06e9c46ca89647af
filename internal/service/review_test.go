package service_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// policy sets the send policy as the operator.
func (b box) policy(p mailbox.SendPolicy) {
	b.k.Helper()
	_, err := b.k.svc.ChangeMailbox(b.k.Context(), b.k.operator(mailbox.Moderate, b.Address),
		service.MailboxChange{ControlChange: service.ControlChange{SendPolicy: &p}})
	b.k.works("send_policy", err)
}

// review is the access of a reviewer.
func (b box) review() service.Access {
	b.k.Helper()
	return b.k.operator(mailbox.ReviewMail, b.Address)
}

func (b box) heldReviews() []service.FullReview {
	b.k.Helper()
	l, err := b.k.svc.Reviews(b.k.Context(), b.review(), service.ReviewQuery{Status: mailbox.ReviewHeld,
		Page: service.Page{Limit: 100}})
	b.k.works("Reviews", err)
	return l.Items
}

func rejection(id mailbox.ID, reason string) service.Rejection {
	return service.Rejection{ReviewRef: service.ReviewRef{ID: id}, Reason: reason}
}

func TestHeldAndApproved(t *testing.T) {
	k := newService(t)
	b, inside := k.permanent("robin"), k.permanent("marian")
	all := mailbox.ReviewAll
	_, err := k.svc.ChangeMailbox(t.Context(), b.in(mailbox.ChangeSettings),
		service.MailboxChange{ControlChange: service.ControlChange{SendPolicy: &all}})
	wantCode(t, err, "scope_denied")
	b.policy(mailbox.ReviewAll)
	d := draftTo("ann@other.test", inside.Address)
	d.IdempotencyKey = "once"
	sent, again := b.send(d), b.send(d)
	for _, s := range []service.Sending{sent, again} {
		if s.ID != sent.ID || s.Status != mailbox.Held || s.Review == nil || len(s.Review.Reasons) != 1 ||
			!s.Review.ExpiresAt.Equal(k.clock.Now().Add(72*time.Hour)) {
			t.Errorf("answered %+v, %+v", s, s.Review)
		}
	}
	if got := b.status(sent.ID); got != "held: held/0 held/0" {
		t.Errorf("it is %s", got)
	}
	if jobs := k.lease(); len(jobs) != 0 || len(k.subjects(inside)) != 0 {
		t.Errorf("%d deliveries are due", len(jobs))
	}
	if list := b.heldReviews(); len(list) != 1 || list[0].Message != sent.ID || list[0].Mail.ID != sent.ID ||
		list[0].Address != b.Address {
		t.Errorf("held are %+v", list)
	}
	for range 2 { // the second gets the first's result
		r, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID})
		k.works("approve", err)
		if r.Status != mailbox.ReviewApproved || r.By != "operator" {
			t.Errorf("approved as %+v", r)
		}
	}
	if jobs := k.lease(); len(jobs) != 2 {
		t.Errorf("%d deliveries are due", len(jobs))
	}
	want := []string{"message.held", "message.approved ann@other.test", "message.sent ann@other.test"}
	if got := b.kinds(); !slices.Equal(got, want) {
		t.Errorf("events %v", got)
	}
	_, err = k.svc.Reject(t.Context(), b.review(), rejection(sent.ID, "no"))
	wantCode(t, err, "already_decided")
}

func TestHeldAndRejected(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	sent := b.send(draftTo("ann@other.test"))
	r, err := k.svc.Reject(t.Context(), b.review(), rejection(sent.ID, "Too long."))
	k.works("reject", err)
	if got := b.status(sent.ID); got != "rejected: rejected/0" || r.Note != "Too long." {
		t.Errorf("it is %s, %+v", got, r)
	}
	if got := b.kinds(); !slices.Equal(got, []string{"message.held", "message.rejected ann@other.test"}) {
		t.Errorf("events %v", got)
	}
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID})
	wantCode(t, err, "already_decided")
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: b.Sending(t).ID})
	wantCode(t, err, "not_found")
}

// Sending is a message that was never held.
func (b box) Sending(t *testing.T) service.Sending {
	t.Helper()
	b.policy(mailbox.SendOpen)
	return b.send(draftTo("ann@other.test"))
}

func TestHeldExpires(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	sent := b.send(draftTo("ann@other.test"))
	k.clock.advance(72*time.Hour - time.Millisecond)
	k.works("early", k.svc.ExpireReviews(t.Context()))
	if got := b.status(sent.ID); got != "held: held/0" {
		t.Errorf("early it is %s", got)
	}
	k.clock.advance(time.Millisecond)
	_, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID}) // also before the chore has come
	wantCode(t, err, "already_decided")
	if got := b.message(sent.ID); got.Status != "expired" || got.Detail.Review.Status != mailbox.ReviewExpired {
		t.Errorf("before the chore it is %s", got.Status)
	}
	b.send(draftTo("ann@other.test"))
	k.clock.advance(72 * time.Hour)
	if n := len(b.heldReviews()); n != 0 {
		t.Errorf("%d wait before the chore", n)
	}
	k.works("late", k.svc.ExpireReviews(t.Context()))
	if got := b.status(sent.ID); got != "expired: expired/0" {
		t.Errorf("late it is %s", got)
	}
	if got := b.kinds(); !slices.Equal(got, []string{"message.held", "message.rejected ann@other.test", "message.held",
		"message.rejected ann@other.test"}) {
		t.Errorf("events %v", got)
	}
}

// What is held, or was not approved, is not counted as sent.
func TestHeldIsNotCountedAsSent(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	first, second, third := b.send(draftTo("ann@other.test")), b.send(draftTo("ann@other.test")),
		b.send(draftTo("ann@other.test"))
	sent := func() []int64 {
		stats, err := k.svc.Stats(t.Context(), b.read(), 1)
		k.works("stats", err)
		return []int64{stats.Outbound, stats.Days[0].Sent}
	}
	k.same("held", sent(), []int64{0, 0})
	_, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: first.ID})
	k.works("approve", err)
	_, err = k.svc.Reject(t.Context(), b.review(), rejection(second.ID, "No."))
	k.works("reject", err)
	k.same("decided", sent(), []int64{1, 1})
	_, err = b.cancel(third.ID, "")
	k.works("cancel", err)
	k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), second.ID))
	k.same("called back and deleted", sent(), []int64{1, 1})
}

func TestHeldIsCanceledOrDeleted(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	sent := b.send(draftTo("ann@other.test", "bob@other.test"))
	_, err := b.cancel(sent.ID, "ann@other.test")
	k.works("cancel for one", err)
	if len(b.heldReviews()) != 1 {
		t.Error("nothing waits for a decision")
	}
	_, err = b.cancel(sent.ID, "")
	k.works("cancel", err)
	if got := b.status(sent.ID); got != "canceled: canceled/0 canceled/0" || len(b.heldReviews()) != 0 {
		t.Errorf("it is %s", got)
	}
	_, err = b.cancel(sent.ID, "")
	k.works("cancel again", err)
	if got := b.kinds(); !slices.Equal(got, []string{"message.held", "message.canceled ann@other.test",
		"message.canceled bob@other.test"}) {
		t.Errorf("events %v", got)
	}
	gone := b.send(draftTo("ann@other.test"))
	k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), gone.ID))
	if len(b.heldReviews()) != 0 {
		t.Error("a deleted message waits for a decision")
	}
}

// What is held does not count; at the limit, approval is refused and it stays held.
func TestHeldCountsWhenApproved(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.DailySends = 1 })
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	first, second := b.send(draftTo("ann@other.test")), b.send(draftTo("ann@other.test"))
	_, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: first.ID})
	k.works("approve", err)
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: second.ID})
	wantCode(t, err, "daily_send_limit")
	if got := b.status(second.ID); got != "held: held/0" {
		t.Errorf("it is %s", got)
	}
	k.clock.advance(24 * time.Hour)
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: second.ID})
	k.works("approve the next day", err)
}

// Several who approve at the same moment have it sent once.
func TestApprovedAtOnce(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	sent := b.send(draftTo("ann@other.test"))
	var all sync.WaitGroup
	in := b.review()
	for range 8 {
		all.Go(func() {
			if _, err := k.svc.Approve(t.Context(), in, service.ReviewRef{ID: sent.ID}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := b.kinds(); !slices.Equal(got, []string{"message.held", "message.approved ann@other.test",
		"message.sent ann@other.test"}) {
		t.Errorf("events %v", got)
	}
	k.finish(k.one(), taken)
}

// Webhooks are told of each step, and the steps are counted.
func TestReviewsAreTold(t *testing.T) {
	k := newService(t, func(o *service.Options) {
		o.HookBody = func(_ mailbox.HookForm, e mailbox.Event, _ string) (string, []byte) {
			return string(e.Kind), []byte("{}")
		}
	})
	b := k.permanent("robin")
	url := "https://hooks.test/x"
	_, err := k.svc.ChangeMailbox(t.Context(), b.in(mailbox.ChangeSettings), service.MailboxChange{WebhookURL: &url})
	k.works("webhook", err)
	b.policy(mailbox.ReviewAll)
	first, second := b.send(draftTo("ann@other.test")), b.send(draftTo("ann@other.test"))
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: first.ID})
	k.works("approve", err)
	_, err = k.svc.Reject(t.Context(), b.review(), rejection(second.ID, "no"))
	k.works("reject", err)
	hooks, err := k.svc.Hooks(t.Context(), b.in(mailbox.ManageMailbox),
		service.HooksQuery{Page: service.Page{Limit: 10}})
	k.works("hooks", err)
	var got []string
	for _, h := range hooks.Items {
		got = append(got, string(h.Kind))
	}
	slices.Sort(got)
	if !slices.Equal(got, []string{"message.approved", "message.held", "message.held", "message.rejected"}) {
		t.Errorf("posted are %v", got)
	}
	for status, want := range map[mailbox.ReviewStatus]int64{mailbox.ReviewHeld: 2, mailbox.ReviewApproved: 1,
		mailbox.ReviewRejected: 1, mailbox.ReviewExpired: 0} {
		if n := k.svc.ReviewsCounted(status); n != want {
			t.Errorf("%d are counted as %s, want %d", n, status, want)
		}
	}
}
