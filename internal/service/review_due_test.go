package service_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// What is scheduled when people decide to see the mail first is held when it is due, and leaves once it is approved.
func TestPolicyHoldsWhatIsScheduled(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	inside := k.permanent("marian")
	b.limit(service.LimitsChange{DailySends: chosen[int64](1)})
	sent := b.send(later2h(k, "ann@other.test", inside.Address))
	b.policy(mailbox.ReviewAll)
	k.clock.advance(3 * time.Hour)
	if jobs := k.lease(); len(jobs) != 0 {
		t.Fatalf("%d deliveries leave", len(jobs))
	}
	k.same("status", b.status(sent.ID), "held: held/0 held/0")
	list := b.heldReviews()
	if len(list) != 1 || !slices.Equal(list[0].Reasons, []string{"Every message of this mailbox is reviewed."}) ||
		!list[0].ExpiresAt.Equal(k.clock.Now().Add(72*time.Hour)) {
		t.Fatalf("held are %+v", list)
	}
	if r := b.message(sent.ID).Detail.Review; r == nil || r.Status != mailbox.ReviewHeld {
		t.Errorf("the agent reads %+v", r)
	}
	_, err := b.editReview(sent.ID, mailbox.DraftEdit{Given: []string{"subject"},
		Draft: mailbox.Draft{Subject: "Another"}})
	k.works("edit", err)
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID})
	k.works("approve: it has counted for this day", err)
	if jobs := k.lease(); len(jobs) != 2 {
		t.Errorf("%d deliveries are due", len(jobs))
	}
	want := []string{"message.sent", "message.held ann@other.test", "message.held", "message.approved ann@other.test"}
	if got := b.kinds(); !slices.Equal(got, want) {
		t.Errorf("events %v", got)
	}
	k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), sent.ID))
	l, err := k.svc.Reviews(t.Context(), b.review(), service.ReviewQuery{Page: service.Page{Limit: 10}})
	if k.works("reviews", err); len(l.Items) != 0 {
		t.Error("the review is left behind")
	}
}

// On another day than the one for which it counted, it counts.
func TestHeldWhenDueCountsForItsDay(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.limit(service.LimitsChange{DailySends: chosen[int64](1)})
	sent := b.send(later2h(k, "ann@other.test"))
	b.policy(mailbox.ReviewAll)
	k.clock.advance(3 * time.Hour)
	k.lease()
	k.clock.advance(24 * time.Hour)
	b.policy(mailbox.SendOpen)
	b.send(draftTo("ann@other.test")) // the day's only one
	_, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID})
	wantCode(t, err, "daily_send_limit")
	k.same("status", b.status(sent.ID), "held: held/0")
}

// The time to call a message back is also one to ask for approval in.
func TestPolicyHoldsWhatCanBeUndone(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.undo(60)
	sent := b.send(draftTo("new@other.test"))
	b.policy(mailbox.ReviewNew)
	k.clock.advance(time.Minute)
	if jobs := k.lease(); len(jobs) != 0 {
		t.Errorf("%d deliveries leave", len(jobs))
	}
	_, err := k.svc.Reject(t.Context(), b.review(), rejection(sent.ID, "No."))
	k.works("reject", err)
	k.same("status", b.status(sent.ID), "rejected: rejected/0")
	known := b.send(draftTo("new@other.test"))
	k.same("status of the next", known.Status, mailbox.Held)
}

// With review_outside a list that has become shorter holds, and a block still refuses.
func TestPolicyHoldsWhomTheListNoLongerNames(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewOutside)
	k.list(&b, mailbox.SendAllow, "partner.test", "else.test")
	outside, blocked := b.send(later2h(k, "a@partner.test")), b.send(later2h(k, "b@else.test"))
	stays := b.send(later2h(k, "c@else.test"))
	k.unlist(&b, mailbox.SendAllow, "partner.test")
	k.list(&b, mailbox.SendBlock, "b@else.test")
	k.clock.advance(3 * time.Hour)
	k.same("due", k.one().Recipient, "c@else.test")
	k.same("outside", b.status(outside.ID), "held: held/0")
	k.same("blocked", b.status(blocked.ID), "failed: failed/0")
	k.same("allowed", b.status(stays.ID), "queued: queued/0")
}

// Whom a message is being sent to when the rest of it is held gets it, unless the attempt does not go through.
func TestPolicyHoldsTheRest(t *testing.T) {
	for _, as := range []mailbox.ReviewStatus{mailbox.ReviewHeld, mailbox.ReviewRejected} {
		k := newService(t)
		b := k.permanent("robin")
		sent := b.send(later2h(k, "a@one.test", "b@two.test", "c@three.test"))
		k.clock.advance(3 * time.Hour)
		jobs := k.lease()
		k.works("begin", k.svc.BeginDelivery(t.Context(), jobs[0].Delivery))
		k.finish(jobs[1], mailbox.Attempt{Outcome: mailbox.Put}) // due again at once
		b.policy(mailbox.ReviewAll)
		if again := k.lease(); len(again) != 0 {
			t.Fatalf("%d deliveries leave", len(again))
		}
		k.same("when held", b.status(sent.ID), "held: queued/0 held/0 held/0")
		if err := k.svc.BeginDelivery(t.Context(), jobs[2].Delivery); err == nil {
			t.Error("a worker goes on with what is held")
		}
		_, err := b.editReview(sent.ID, mailbox.DraftEdit{Given: []string{"subject"},
			Draft: mailbox.Draft{Subject: "Another"}})
		wantCode(t, err, "review_not_editable")
		if as == mailbox.ReviewRejected {
			_, err := k.svc.Reject(t.Context(), b.review(), rejection(sent.ID, "No."))
			k.works("reject", err)
		}
		k.finish(jobs[0], mailbox.Attempt{Outcome: mailbox.Deferred, Code: 451})
		k.clock.advance(time.Hour)
		if again := k.lease(); len(again) != 0 {
			t.Errorf("%d deliveries leave", len(again))
		}
		k.same("after the attempt", b.status(sent.ID), string(as)+": "+string(as)+"/1 "+string(as)+"/0 "+
			string(as)+"/0")
	}
}

// Where no more can be held, what has to be waits in the queue.
func TestTooManyHeldWhenDue(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.limit(service.LimitsChange{DailySends: chosen[int64](0)})
	sent := b.send(later2h(k, "ann@other.test"))
	b.policy(mailbox.ReviewAll)
	for range 1000 {
		b.send(draftTo("ann@other.test"))
	}
	k.clock.advance(3 * time.Hour)
	if jobs := k.lease(); len(jobs) != 0 {
		t.Errorf("%d deliveries leave", len(jobs))
	}
	k.same("status", b.status(sent.ID), "scheduled: scheduled/0")
	if text := b.message(sent.ID).Detail.Deliveries[0].Text; !strings.Contains(text, "wait for a decision") {
		t.Errorf("it says %q", text)
	}
	_, err := k.svc.Reject(t.Context(), b.review(), rejection(b.heldReviews()[0].Message, "No."))
	k.works("reject", err)
	k.clock.advance(10 * time.Minute)
	k.lease()
	k.same("later", b.status(sent.ID), "held: held/0")
}
