package service_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// keeping is a test server that keeps some mail.
func keeping(messages int, age time.Duration) func(*service.Options) {
	return func(o *service.Options) { o.CatchAll = &service.CatchAll{Messages: messages, Age: age} }
}

// prune prunes until there is nothing to do.
func (k *kit) prune() {
	k.Helper()
	ctx, stop := context.WithCancel(k.Context())
	over := make(chan error)
	go func() { over <- k.svc.PruneCaptured(ctx) }()
	synctest.Wait()
	stop()
	if err := <-over; !errors.Is(err, context.Canceled) {
		k.Errorf("PruneCaptured: %v", err)
	}
}

// addresses lists all mailboxes.
func (k *kit) addresses() (list []string) {
	k.Helper()
	k.view(func(r store.Reader) error {
		boxes, err := r.Mailboxes(k.Context(), store.MailboxFilter{Limit: 1000})
		for _, b := range boxes {
			list = append(list, b.Address)
		}
		return err
	})
	slices.Sort(list)
	return list
}

func TestPruneByNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newService(t, keeping(3, 0))
		for i := range 8 {
			k.receive(letter(fmt.Sprint("n", i)), fmt.Sprintf("to%d@one.test", i), "each@one.test")
		}
		k.clock.advance(time.Hour)
		k.prune()
		k.same("view", subjects(k.captured()), []string{"n7", "n6", "n5"})
		each := k.inbox(k.operator(mailbox.ReadMail, "each@one.test"), service.InboxQuery{}).Items
		k.same("a mailbox", subjects(each), []string{"n7", "n6", "n5"})
		k.same("mailboxes", k.addresses(), []string{"each@one.test", configured, "to5@one.test", "to6@one.test",
			"to7@one.test"})
		k.view(func(r store.Reader) error {
			left, err := r.ToIndex(t.Context(), store.Places{0: 0}, 100)
			k.same("stored", len(left), 9)
			return err
		})
		k.receive(letter("again"), "to0@one.test") // it is made again
		k.same("view", subjects(k.captured()), []string{"again", "n7", "n6", "n5"})
	})
}

func TestPruneByAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newService(t, keeping(0, time.Hour))
		k.receive(letter("old"), "ann@one.test")
		k.clock.advance(50 * time.Minute)
		k.receive(letter("new"), "bo@one.test")
		k.prune()
		k.same("view", subjects(k.captured()), []string{"new", "old"})
		k.clock.advance(11 * time.Minute)
		k.prune()
		k.same("view", subjects(k.captured()), []string{"new"})
		k.same("mailboxes", k.addresses(), []string{"bo@one.test", configured})
	})
}

// Mail that comes faster than it is deleted waits for room.
func TestPruneMakesRoom(t *testing.T) {
	k := newService(t, keeping(10, 0))
	for i := range 150 {
		k.receive(letter(fmt.Sprint("n", i)), "ann@one.test")
	}
	if n := len(k.captured()); n > 10+100 {
		t.Errorf("%d messages are there", n)
	}
}

// What somebody decided about, asks for or waits for stays.
func TestPruneKeepsMailboxes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newService(t, keeping(1, 0))
		for _, name := range []string{"keyed", "asked", "plain", "paused"} {
			k.receive(letter(name), name+"@one.test")
		}
		_, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, "keyed@one.test"), service.NewKey{})
		k.works("CreateKey", err)
		_, err = k.svc.PauseMailbox(t.Context(), k.operator(mailbox.PauseMailbox, "paused@one.test"), "")
		k.works("PauseMailbox", err)
		k.receive(letter("last"), "last@one.test")
		k.clock.advance(time.Hour)
		k.operator(mailbox.ReadMail, "asked@one.test")
		k.operator(mailbox.ReadMail, "soon@one.test")
		k.prune()
		k.same("mailboxes", k.addresses(), []string{"asked@one.test", "keyed@one.test", "last@one.test", configured,
			"paused@one.test", "soon@one.test"})
		k.clock.advance(time.Hour)
		k.prune()
		k.same("later", k.addresses(), []string{"keyed@one.test", "last@one.test", configured, "paused@one.test"})
	})
}

// A message that is deleted in the view is deleted everywhere; a copy alone.
func TestDeleteCaptured(t *testing.T) {
	k := newService(t, capturing)
	k.receive(letter("one"), "ann@one.test", "bo@one.test", configured)
	two := k.receive(letter("two"), "bo@one.test", "cy@one.test")
	k.works("a copy", k.svc.DeleteMessage(t.Context(), k.operator(mailbox.ChangeMail, "cy@one.test"), two[1].ID))
	k.same("view", subjects(k.captured()), []string{"two", "one"})
	in, err := k.svc.Captured(t.Context())
	k.works("Captured", err)
	k.works("the one in the view", k.svc.DeleteMessage(t.Context(), in, k.captured()[1].ID))
	k.same("view", subjects(k.captured()), []string{"two"})
	list := k.inbox(k.operator(mailbox.ReadMail, "bo@one.test"), service.InboxQuery{}).Items
	k.same("a mailbox", subjects(list), []string{"two"})
	k.same("mailboxes", k.addresses(), []string{"bo@one.test", "cy@one.test", configured})
	_, err = k.svc.DeleteCaptured(t.Context(), in, service.CapturedChoice{})
	k.works("all of it", err)
	k.view(func(r store.Reader) error {
		left, err := r.ToIndex(t.Context(), store.Places{0: 0}, 100)
		k.same("left", len(left), 0)
		return err
	})
}
