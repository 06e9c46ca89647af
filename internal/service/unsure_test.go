package service_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// unsure is a store that now and then stores, and does not know whether it has: the connection was lost before the
// answer.
type unsure struct {
	store.Store
	next bool
}

func (u *unsure) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := u.Store.Update(ctx, fn)
	if err == nil && u.next {
		u.next = false
		return fmt.Errorf("%w: connection lost", store.ErrUnavailable)
	}
	return err
}

// A large message whose sender was told to come back, although it was stored, is whole when its sender has come back.
func TestUnsureReceive(t *testing.T) {
	var u *unsure
	k := newService(t, func(o *service.Options) { u = &unsure{Store: o.Store}; o.Store = u })
	b := k.permanent("robin")
	large := mixed("one", noise(500<<10))
	u.next = true
	_, err := k.svc.Receive(t.Context(), k.envelope(b.Address), strings.NewReader(large))
	if mailbox.KindOf(err) != mailbox.Unavailable {
		t.Fatalf("first: %v", err)
	}
	again := k.receive(large, b.Address)[0]
	if !again.Duplicate {
		t.Error("it is there twice")
	}
	raw, err := k.svc.Raw(t.Context(), b.read(), again.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	got, err := io.ReadAll(io.NewSectionReader(raw, 0, raw.Size()))
	if err != nil || string(got) != large {
		t.Errorf("%d bytes of %d: %v", len(got), len(large), err)
	}
}

// What became of a post is noted once, also where the first answer to that was lost.
func TestUnsureHook(t *testing.T) {
	var u *unsure
	k := newService(t, func(o *service.Options) {
		u = &unsure{Store: o.Store}
		o.Store, o.Alone, o.HookTime = u, false, 20*time.Second
		o.HookBody = func(_ mailbox.HookForm, e mailbox.Event, _ string) (string, []byte) {
			return string(e.Kind), []byte("{}")
		}
	})
	b := k.permanent("robin")
	url := "https://hook.example.org/x"
	_, err := k.svc.ChangeMailbox(t.Context(), b.in(mailbox.ManageMailbox), service.MailboxChange{WebhookURL: &url})
	k.works("set the webhook", err)
	k.receive(letter("x"), b.Address)
	w, err := k.svc.WorkHooks(t.Context(), nil, service.HookQuery{Limit: 10, Room: func(mailbox.HookTarget,
		int) int {
		return 5
	}})
	if err != nil || len(w.Jobs) != 1 {
		t.Fatalf("%d jobs, %v", len(w.Jobs), err)
	}
	done := []service.HookResult{{Hook: w.Jobs[0].Hook, Attempt: mailbox.HookAttempt{At: k.clock.Now(), Error: "500",
		Status: 500}}}
	u.next = true
	if _, err = k.svc.WorkHooks(t.Context(), done, service.HookQuery{}); mailbox.KindOf(err) != mailbox.Unavailable {
		t.Fatalf("noted: %v", err)
	}
	_, err = k.svc.WorkHooks(t.Context(), done, service.HookQuery{})
	k.works("note it again", err)
	list, err := k.svc.Hooks(t.Context(), b.read(), service.HooksQuery{Page: service.Page{Limit: 10}})
	k.works("list", err)
	if h := list.Items[0]; h.Attempts != 1 || len(h.Log) != 1 {
		t.Errorf("one attempt was made, %d are noted, %d in the log", h.Attempts, len(h.Log))
	}
}

// Resuming is one step: a mailbox that is active again has what waited due, also where nobody knows that it was stored.
func TestUnsureResume(t *testing.T) {
	var u *unsure
	k := newService(t, func(o *service.Options) { u = &unsure{Store: o.Store}; o.Store = u })
	b := k.permanent("robin")
	b.send(draftTo("someone@example.org"))
	_, err := k.svc.PauseMailbox(t.Context(), b.in(mailbox.PauseMailbox), "")
	k.works("pause", err)
	if jobs := k.lease(); len(jobs) != 0 {
		t.Fatalf("%d deliveries of a paused mailbox", len(jobs))
	}
	in := b.in(mailbox.PauseMailbox) // which is noted
	u.next = true
	if _, err = k.svc.ResumeMailbox(t.Context(), in); mailbox.KindOf(
		err) != mailbox.Unavailable {
		t.Fatalf("resume: %v", err)
	}
	_, err = k.svc.ResumeMailbox(t.Context(), b.in(mailbox.PauseMailbox))
	k.works("resume again", err)
	if jobs := k.lease(); len(jobs) != 1 {
		t.Errorf("%d deliveries are due", len(jobs))
	}
}

// Nobody who has a connection to the database waits for another one: with as few as there can be, everything is
// answered.
func TestFewConnections(t *testing.T) {
	db, err := postgres.Open(t.Context(), pgtest.URL(t), postgres.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	k := newService(t, func(o *service.Options) {
		o.Store, o.Index, o.Alone, o.Now = db, db.Index(), false, time.Now
	})
	b := k.permanent("robin")
	k.receive(letter("x"), b.Address)
	answers := make(chan error, 24)
	for i := range cap(answers) {
		go func() {
			var err error
			switch i % 3 {
			case 0:
				_, err = k.svc.Stats(context.WithoutCancel(t.Context()), b.read(), 7)
			case 1:
				_, err = k.svc.Search(context.WithoutCancel(t.Context()), b.read(), service.InboxQuery{Query: "x",
					Page: service.Page{Limit: 5}})
			case 2:
				_, err = k.svc.Index().Lag(context.WithoutCancel(t.Context()))
			}
			answers <- err
		}()
	}
	for range cap(answers) {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
}
