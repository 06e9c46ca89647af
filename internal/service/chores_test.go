package service_test

import (
	"context"
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

// stuckStore takes nothing away, and always says that there is more.
type stuckStore struct {
	store.Store
	steps int
}

func (s *stuckStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.Store.Update(ctx, func(tx store.Tx) error { return fn(stuckTx{tx, s}) })
}

type stuckTx struct {
	store.Tx
	s *stuckStore
}

func (t stuckTx) Purge(context.Context, mailbox.Num, int) (int, bool, error) {
	t.s.steps++
	return 0, false, nil
}

func (t stuckTx) TrimEvents(context.Context, time.Time, int) (int, bool, error) {
	t.s.steps++
	return 0, true, nil
}

// A chore whose steps do nothing ends with an error, which is counted and logged by who called it, and does not go on
// for ever.
func TestChoresWithoutProgress(t *testing.T) {
	var stuck *stuckStore
	k := newService(t, func(o *service.Options) {
		stuck = &stuckStore{Store: o.Store}
		o.Store = stuck
	})
	own := k.permanent("own")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	whole := own.in(mailbox.DeleteMailbox)
	for _, chore := range []struct {
		name string
		do   func() error
	}{
		{"trim", func() error { return k.svc.Trim(ctx) }},
		{"purge", func() error { _, err := k.svc.DeleteMailbox(ctx, whole); return err }},
		{"recover", func() error { return k.svc.Recover(ctx) }}, // what the purge left
	} {
		if err := chore.do(); err == nil || ctx.Err() != nil {
			t.Errorf("%s: %v", chore.name, err)
		}
	}
	if stuck.steps > 10 {
		t.Errorf("%d steps", stuck.steps)
	}
}
