package service_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

func TestTrimEvents(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	id := k.receive(letter("kept"), own.Address)[0].ID
	for range 1200 { // more than goes in one step
		k.append(own, mailbox.MessageDelivered, id)
	}
	k.clock.advance(time.Hour)
	k.append(own, mailbox.MessageBounced, id)
	k.clock.set(noon.Add(k.opt.EventsKept))
	k.works("Trim", k.svc.Trim(t.Context()))
	if n := len(k.stream(own.read(), service.StreamQuery{Last: "1"}).events()); n != 1202 {
		t.Errorf("%d events at the last instant, want 1202", n)
	}
	k.clock.advance(time.Millisecond)
	k.works("Trim", k.svc.Trim(t.Context()))
	events := k.stream(own.read(), service.StreamQuery{Last: "1"}).events()
	if len(events) != 1 || events[0].Kind != mailbox.MessageBounced || events[0].Mail.Subject != "kept" {
		t.Errorf("events %+v", events)
	}
}

// Many mailboxes end at once; all go, and one that lives stays.
func TestExpireMany(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.BootstrapClientLimit = 0 })
	for i := range 230 {
		made := k.bootstrap(alice, "")
		if i%50 == 0 {
			k.receive(letter(fmt.Sprint("n", i)), made.Address)
		}
	}
	k.clock.advance(time.Hour)
	late := k.bootstrap(alice, "")
	k.receive(letter("late"), late.Address)
	k.clock.set(noon.Add(k.opt.Limits.ProvisionalTTL))
	k.works("Expire", k.svc.Expire(t.Context()))
	var left []mailbox.Mailbox
	k.view(func(r store.Reader) (err error) {
		left, err = r.Mailboxes(t.Context(), store.MailboxFilter{Limit: 100})
		return err
	})
	if len(left) != 2 || left[0].Address != late.Address {
		t.Errorf("left are %+v", left)
	}
	k.same("inbox", k.subjects(box{late.CreatedMailbox, k}), []string{"late"})
}

// Removing a full mailbox takes many small transactions, and mail comes in between them.
func TestPurgeLetsMailThrough(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	own, other := k.permanent("own"), k.permanent("other")
	for i := range 3*service.PurgeStep + 1 {
		k.receive(letter(fmt.Sprint("n", i)), own.Address)
	}
	in := own.in(mailbox.DeleteMailbox)
	steps, inside := 0, false
	gate.before = func() error {
		if inside {
			return nil
		}
		inside = true // the mail that comes now is an update too
		steps++
		k.receive(letter(fmt.Sprint("between", steps)), other.Address)
		inside = false
		return nil
	}
	_, err := k.svc.DeleteMailbox(t.Context(), in)
	gate.before = nil
	k.works("DeleteMailbox", err)
	if steps < 5 { // the removal itself, and four steps
		t.Errorf("the mailbox went in %d transactions", steps)
	}
	if n := len(k.subjects(other)); n != steps {
		t.Errorf("%d mails came in between %d transactions", n, steps)
	}
	k.view(func(r store.Reader) error {
		if _, err := r.Mailbox(t.Context(), own.Num); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the mailbox is still there: %v", err)
		}
		return nil
	})
}
