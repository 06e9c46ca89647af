package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestKeys(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := k.operator(mailbox.Moderate, own.Address)
	k.clock.advance(time.Second)
	second, err := k.svc.CreateKey(t.Context(), in)
	k.works("CreateKey", err)
	k.same("second key", k.login(second.Secret).Mailbox.Address, own.Address)
	keys, err := k.svc.Keys(t.Context(), in)
	k.works("Keys", err)
	if len(keys) != 2 || keys[1].ID != second.ID || keys[0].Hint != own.Key.Hint() ||
		keys[0].LastUsedAt != (time.Time{}) || keys[1].LastUsedAt.IsZero() {
		t.Errorf("keys %+v", keys)
	}
	k.works("RevokeKey", k.svc.RevokeKey(t.Context(), k.operator(mailbox.Moderate, ""), keys[0].ID))
	_, err = k.svc.Authenticate(t.Context(), own.Key)
	k.kind("revoked", err, mailbox.Unauthorized, "unauthorized")
	k.login(second.Secret)
	k.kind("again", k.svc.RevokeKey(t.Context(), k.operator(mailbox.Moderate, ""), keys[0].ID), mailbox.NotFound,
		"not_found")

	temp := k.provisional("temp")
	_, err = k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, temp.Address))
	k.kind("a temporary mailbox", err, mailbox.Conflict, "provisional_mailbox")
	_, err = k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, own.Address))
	k.works("delete", err)
	_, err = k.svc.CreateKey(t.Context(), in)
	k.kind("a mailbox that is gone", err, mailbox.NotFound, "not_found")
	_, err = k.svc.Authenticate(t.Context(), second.Secret)
	k.kind("its key", err, mailbox.Unauthorized, "unauthorized")
}

// The last use of a key is noted to the minute.
func TestKeyLastUsed(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := k.operator(mailbox.Moderate, own.Address)
	used := func() time.Time {
		keys, err := k.svc.Keys(t.Context(), in)
		k.works("Keys", err)
		return keys[0].LastUsedAt
	}
	k.same("never", used(), time.Time{})
	for _, c := range []struct{ at, want time.Duration }{{0, 0}, {30 * time.Second, 0}, {59 * time.Second, 0},
		{61 * time.Second, 61 * time.Second}, {time.Hour, time.Hour}} {
		k.clock.set(noon.Add(c.at))
		k.login(own.Key)
		k.same(c.at.String(), used(), noon.Add(c.want))
	}
}

func TestRotateKey(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	extra, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, own.Address))
	k.works("CreateKey", err)
	made, err := k.svc.RotateKey(t.Context(), own.in(mailbox.ManageMailbox))
	k.works("RotateKey", err)
	_, err = k.svc.Authenticate(t.Context(), own.Key)
	k.kind("the old one", err, mailbox.Unauthorized, "unauthorized")
	k.login(made.Secret)
	k.login(extra.Secret)
	_, err = k.svc.RotateKey(t.Context(), k.operator(mailbox.ManageMailbox, ""))
	k.kind("the operator's", err, mailbox.Invalid, "operator_key")
}

// Of rotations of one key at the same time one wins, and there is one key afterwards.
func TestRotateKeyTwice(t *testing.T) {
	var wrapped *storeWith
	k := newService(t, func(o *service.Options) {
		wrapped = &storeWith{Store: o.Store}
		o.Store = wrapped
	})
	own := k.permanent("own")
	in := own.in(mailbox.ManageMailbox)
	const n = 6
	wrapped.before = meet(n) // all have come as far as the transaction before the first is done
	type answer struct {
		made service.CreatedKey
		err  error
	}
	answers := make(chan answer, n)
	for range n {
		go func() {
			made, err := k.svc.RotateKey(context.Background(), in)
			answers <- answer{made, err}
		}()
	}
	all := make([]answer, n)
	for i := range all {
		all[i] = <-answers
	}
	wrapped.before = nil
	won := 0
	for _, a := range all {
		if a.err == nil {
			won++
			k.login(a.made.Secret)
		} else {
			k.kind("the others", a.err, mailbox.Unauthorized, "unauthorized")
			_, err := k.svc.Authenticate(t.Context(), a.made.Secret)
			k.kind("what they made", err, mailbox.Unauthorized, "unauthorized")
		}
	}
	k.same("won", won, 1)
	keys, err := k.svc.Keys(t.Context(), k.operator(mailbox.Moderate, own.Address))
	k.works("Keys", err)
	k.same("keys", len(keys), 1)
}

// With a grace time the old key works on until it is over, and rotating again does not draw it out.
func TestRotateGrace(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.KeyGrace = time.Hour })
	own := k.permanent("own")
	first, err := k.svc.RotateKey(t.Context(), own.in(mailbox.ManageMailbox))
	k.works("RotateKey", err)
	k.login(first.Secret)
	k.clock.advance(30 * time.Minute)
	_, err = k.svc.RotateKey(t.Context(), own.in(mailbox.ManageMailbox))
	k.kind("RotateKey with the old key", err, mailbox.Conflict, "key_retired")
	k.clock.advance(30*time.Minute - time.Millisecond)
	k.login(own.Key)
	k.clock.advance(time.Millisecond)
	_, err = k.svc.Authenticate(t.Context(), own.Key)
	k.kind("after the grace time", err, mailbox.Unauthorized, "unauthorized")
	k.login(first.Secret)
	keys, err := k.svc.Keys(t.Context(), k.operator(mailbox.Moderate, own.Address))
	if k.works("Keys", err); len(keys) != 2 {
		t.Errorf("%d keys are there", len(keys))
	}
	k.clock.advance(time.Millisecond)
	k.works("Trim", k.svc.Trim(t.Context()))
	keys, err = k.svc.Keys(t.Context(), k.operator(mailbox.Moderate, own.Address))
	if k.works("Keys", err); len(keys) != 1 {
		t.Errorf("%d keys are there after tidying up", len(keys))
	}
}
