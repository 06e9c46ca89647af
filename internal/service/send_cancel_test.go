package service_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (b box) cancel(id mailbox.ID, recipient string) (service.Cancellation, error) {
	b.k.Helper()
	return b.k.svc.Cancel(b.k.Context(), b.in(mailbox.RecallMail), id, recipient)
}

// undo sets undo_seconds as the operator.
func (b box) undo(seconds int) {
	b.k.Helper()
	_, err := b.k.svc.ChangeMailbox(b.k.Context(), b.k.operator(mailbox.Moderate, b.Address),
		service.MailboxChange{ControlChange: service.ControlChange{UndoSeconds: &seconds}})
	b.k.works("undo_seconds", err)
}

// moveTo sets send_at of a message.
func (b box) moveTo(id mailbox.ID, at time.Time) error {
	b.k.Helper()
	_, err := b.k.svc.ChangeMessage(b.k.Context(), b.change(), id, service.MessageChange{SendAt: at})
	return err
}

func later2h(k *kit, to ...string) mailbox.Draft {
	d := draftTo(to...)
	d.SendAt = k.clock.Now().Add(2 * time.Hour)
	return d
}

// An operator stops what a paused mailbox wanted to send before it goes on, with or without its name.
func TestCancelPaused(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	for _, address := range []string{b.Address, ""} {
		sent := b.send(later2h(k, "ann@other.test"))
		_, err := k.svc.PauseMailbox(t.Context(), k.operator(mailbox.Moderate, b.Address), "")
		k.works("pause", err)
		got, err := k.svc.Cancel(t.Context(), k.operator(mailbox.RecallMail, address), sent.ID, "")
		k.works("cancel", err)
		k.same("status", got.Status, "canceled")
		_, err = k.svc.ResumeMailbox(t.Context(), k.operator(mailbox.Moderate, b.Address))
		k.works("resume", err)
	}
}

func TestCancelScheduled(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	inside := k.permanent("marian")
	sent := b.send(later2h(k, "ann@other.test", "bob@other.test", inside.Address))
	if sent.Status != mailbox.Scheduled {
		t.Errorf("answered as %s", sent.Status)
	}
	got, err := b.cancel(sent.ID, "Ann@other.test")
	k.works("cancel for one", err)
	if !slices.Equal(got.Canceled, []string{"ann@other.test"}) || got.Status != "scheduled" {
		t.Errorf("for one: %+v", got)
	}
	for range 2 { // the second answers the same
		got, err = b.cancel(sent.ID, "")
		k.works("cancel", err)
		if len(got.Canceled) != 3 || len(got.Sent) != 0 || got.Status != "canceled" {
			t.Errorf("for all: %+v", got)
		}
	}
	if got := b.status(sent.ID); got != "canceled: canceled/0 canceled/0 canceled/0" {
		t.Errorf("it is %s", got)
	}
	k.clock.advance(3 * time.Hour)
	if jobs := k.lease(); len(jobs) != 0 {
		t.Errorf("%d deliveries are due", len(jobs))
	}
	wantCode(t, b.moveTo(sent.ID, k.clock.Now().Add(time.Hour)), "already_sent")
}

// What has left stays sent, and what a worker has not begun yet is taken from it.
func TestCancelQueued(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test", "bob@other.test", "cy@other.test"))
	jobs := k.lease()
	k.finish(jobs[0], taken)
	k.works("begin", k.svc.BeginDelivery(t.Context(), jobs[1].Delivery))
	got, err := b.cancel(sent.ID, "")
	k.works("cancel", err)
	if fmt.Sprint(got.Canceled, got.Sent) != "[cy@other.test] [ann@other.test bob@other.test]" {
		t.Errorf("canceled and sent: %v %v", got.Canceled, got.Sent)
	}
	if got := b.kinds(); got[len(got)-1] != "message.canceled cy@other.test" {
		t.Errorf("events %v", got)
	}
	wantCode(t, k.svc.BeginDelivery(t.Context(), jobs[2].Delivery), "lease_lost")
	k.finish(jobs[1], taken)
	k.finish(jobs[2], taken) // it has no lease any more
	if got := b.status(sent.ID); got != "delivered: delivered/1 delivered/1 canceled/0" {
		t.Errorf("it is %s", got)
	}
	_, err = b.cancel(sent.ID, "ann@other.test")
	wantCode(t, err, "already_sent")
	_, err = b.cancel(sent.ID, "dora@other.test")
	wantCode(t, err, "invalid_recipient")
}

// What was put off can be called back, unless it may have arrived.
func TestCancelDelayed(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	for _, tt := range []struct {
		name    string
		attempt mailbox.Attempt
		want    string
	}{{"put off", later, "canceled: canceled/1"}, {"cut off", cut, "delivery_delayed: delivery_delayed/1"}} {
		sent := b.send(draftTo("ann@other.test"))
		k.finish(k.one(), tt.attempt)
		_, err := b.cancel(sent.ID, "")
		if got := b.status(sent.ID); got != tt.want || (err == nil) != (tt.name == "put off") {
			t.Errorf("%s: %s, %v", tt.name, got, err)
		}
	}
}

// A mailbox of ours, or a provider, may have the message as soon as a worker has the lease.
func TestCancelLeased(t *testing.T) {
	for _, tt := range []struct {
		name, to string
		way      service.Way
		may      bool
	}{
		{"direct", "ann@other.test", service.WayDirect, true},
		{"provider", "ann@other.test", service.WayProvider, false},
		{"inside", "marian@example.test", service.WayDirect, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newService(t, func(o *service.Options) { o.Way = tt.way })
			b := k.permanent("robin")
			k.permanent("marian")
			sent := b.send(later2h(k, tt.to))
			k.clock.advance(3 * time.Hour)
			k.one()
			if got := b.status(sent.ID); got != "queued: queued/0" {
				t.Errorf("leased it is %s", got)
			}
			if _, err := b.cancel(sent.ID, ""); (err == nil) != tt.may {
				t.Errorf("canceled with %v", err)
			}
		})
	}
}

func TestCancelOther(t *testing.T) {
	k := newService(t)
	b, other := k.permanent("robin"), k.permanent("marian")
	sent := b.send(later2h(k, "ann@other.test"))
	_, err := other.cancel(sent.ID, "")
	k.kind("another mailbox's", err, mailbox.NotFound, "not_found")
	got := k.receive("Subject: x\r\n\r\nhi\r\n", b.Address)
	_, err = b.cancel(got[0].ID, "")
	wantCode(t, err, "invalid_id")
}

func TestMoveSend(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.DailySends = 1 })
	b := k.permanent("robin")
	sent := b.send(later2h(k, "ann@other.test"))
	at := k.clock.Now().Add(5 * time.Hour)
	k.works("later", b.moveTo(sent.ID, at))
	if next := k.next(); !next.Equal(at) {
		t.Errorf("due at %v, want %v", next, at)
	}
	tomorrow := k.clock.Now().Add(24 * time.Hour)
	d := draftTo("bob@other.test")
	d.SendAt = tomorrow
	b.send(d)
	wantCode(t, b.moveTo(sent.ID, tomorrow), "daily_send_limit") // and it stays where it was
	if next := k.next(); !next.Equal(at) {
		t.Errorf("after the limit due at %v, want %v", next, at)
	}
	wantCode(t, b.moveTo(sent.ID, k.clock.Now().Add(31*24*time.Hour)), "invalid_send_at")
	k.works("now", b.moveTo(sent.ID, k.clock.Now().Add(-time.Hour)))
	k.finish(k.one(), taken)
	wantCode(t, b.moveTo(sent.ID, at), "already_sent")
}

// A key moves no message to somebody whom it may not write to.
func TestMoveSendOfRestrictedKey(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, b.Address), service.NewKey{
		Recipients: []string{"ann@other.test"}})
	k.works("CreateKey", err)
	for _, tt := range []struct{ to, code string }{{"ann@other.test", ""}, {"bob@other.test", "recipient_denied"}} {
		sent := b.send(later2h(k, tt.to))
		_, err := k.svc.ChangeMessage(t.Context(), k.enter(made.Secret, mailbox.ChangeMail, ""), sent.ID,
			service.MessageChange{SendAt: k.clock.Now().Add(time.Hour)})
		if tt.code == "" {
			k.works(tt.to, err)
		} else {
			wantCode(t, err, tt.code)
		}
	}
}

// Every send waits for undo_seconds, which the mailbox's own key can neither set nor get round.
func TestUndoSeconds(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	ten := 10
	_, err := k.svc.ChangeMailbox(t.Context(), b.in(mailbox.ChangeSettings),
		service.MailboxChange{ControlChange: service.ControlChange{UndoSeconds: &ten}})
	wantCode(t, err, "scope_denied")
	b.undo(60)
	sent := b.send(draftTo("ann@other.test"))
	due := k.clock.Now().Add(time.Minute)
	if next := k.next(); sent.Status != mailbox.Scheduled || !next.Equal(due) {
		t.Errorf("%s until %v, want %v", sent.Status, next, due)
	}
	k.works("sooner", b.moveTo(sent.ID, k.clock.Now()))
	if next := k.next(); !next.Equal(due) {
		t.Errorf("moved to %v, want %v", next, due)
	}
	k.clock.advance(time.Minute)
	k.finish(k.one(), taken)
	for _, n := range []int{-1, 301} {
		_, err := k.svc.ChangeMailbox(t.Context(), k.operator(mailbox.Moderate, b.Address),
			service.MailboxChange{ControlChange: service.ControlChange{UndoSeconds: &n}})
		wantCode(t, err, "invalid_undo_seconds")
	}
	b.undo(0)
	if sent := b.send(draftTo("ann@other.test")); sent.Status != mailbox.Queued {
		t.Errorf("without it is %s", sent.Status)
	}
}
