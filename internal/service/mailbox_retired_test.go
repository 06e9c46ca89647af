package service_test

import (
	"errors"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

func (k *kit) deleteMailbox(key mailbox.Secret) {
	k.Helper()
	_, err := k.svc.DeleteMailbox(k.Context(), k.enter(key, mailbox.DeleteMailbox, ""))
	k.works("DeleteMailbox", err)
}

// startClaim returns the error of a claim of a name, with the key of a temporary mailbox or without.
func (k *kit) startClaim(name string, key mailbox.Secret) error {
	_, err := k.svc.StartClaim(k.Context(), service.ClaimRequest{Client: alice, Name: name, Key: key})
	return err
}

func TestRetiredAddress(t *testing.T) {
	k := newService(t)
	k.deleteMailbox(k.permanent("robin").Key)
	temporary := k.bootstrap(alice, "")
	for _, name := range []string{"robin", " Robin\t", "ROBIN"} {
		k.kind("new", k.startClaim(name, ""), mailbox.Conflict, "address_retired")
		k.kind("renamed", k.startClaim(name, temporary.Key), mailbox.Conflict, "address_retired")
	}
	k.works("another name", k.startClaim("rob.in", "")) // is another address, which nobody ever had

	k.clock.advance(k.opt.RetireAddresses - time.Millisecond)
	k.works("Trim", k.svc.Trim(t.Context()))
	k.kind("at the end", k.startClaim("robin", ""), mailbox.Conflict, "address_retired")
	k.clock.advance(time.Millisecond)
	k.works("Trim", k.svc.Trim(t.Context()))
	c := k.claim("robin", "")
	shown, err := k.svc.ShowClaim(t.Context(), c.Link)
	k.works("ShowClaim", err)
	if !shown.RetiredAt.Equal(noon) || shown.Barred {
		t.Errorf("the page is told %v, %v", shown.RetiredAt, shown.Barred)
	}
	k.confirm(c.Link)
}

// The name is free when the claim is begun, and that of a deleted mailbox when it is confirmed.
func TestRetiredWhileClaimed(t *testing.T) {
	k := newService(t)
	temporary := k.bootstrap(alice, "")
	fresh, rename := k.claim("robin", ""), k.claim("robin", temporary.Key)
	k.deleteMailbox(k.permanent("robin").Key)
	for _, c := range []service.StartedClaim{fresh, rename} {
		shown, err := k.svc.ShowClaim(t.Context(), c.Link)
		k.works("ShowClaim", err)
		if !shown.RetiredAt.Equal(noon) || !shown.Barred {
			t.Errorf("the page is told %v, %v", shown.RetiredAt, shown.Barred)
		}
		_, err = k.svc.ConfirmClaim(t.Context(), c.Link, operatorToken)
		k.kind("ConfirmClaim", err, mailbox.Conflict, "address_retired")
	}
	if who := k.login(temporary.Key); who.Mailbox.Scope != mailbox.Provisional ||
		who.Mailbox.Address != temporary.Address {
		t.Errorf("half of the claim was done: %+v", who.Mailbox)
	}
}

func TestRetiredIsTheOperatorsToGive(t *testing.T) {
	k := newService(t)
	k.deleteMailbox(k.permanent("robin").Key)
	again := k.permanent("robin")
	k.kind("while it is used", k.startClaim("robin", ""), mailbox.Conflict, "name_taken")
	k.clock.advance(k.opt.RetireAddresses)
	k.deleteMailbox(again.Key)
	k.kind("deleted again", k.startClaim("robin", ""), mailbox.Conflict, "address_retired")
}

// A claimed mailbox has a chosen name and, as an alias, a random one.
func TestRetiredNames(t *testing.T) {
	k := newService(t)
	temporary := k.bootstrap(alice, "")
	c := k.claim("robin", temporary.Key)
	k.confirm(c.Link)
	k.deleteMailbox(k.poll(c.Session).Key)
	k.kind("the name", k.startClaim("robin", ""), mailbox.Conflict, "address_retired")

	gone := k.bootstrap(alice, "")
	k.deleteMailbox(gone.Key)
	expired := k.bootstrap(alice, "")
	k.clock.set(expired.ExpiresAt)
	k.works("Expire", k.svc.Expire(t.Context()))
	_, err := k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, configured))
	k.works("delete the configured mailbox", err)
	for _, address := range []string{temporary.Address, gone.Address, expired.Address, configured} {
		k.notRetired(address)
	}
}

func (k *kit) notRetired(address string) {
	k.Helper()
	k.view(func(r store.Reader) error {
		if at, err := r.Retired(k.Context(), address); !errors.Is(err, store.ErrNotFound) {
			k.Errorf("%s was retired at %v (%v)", address, at, err)
		}
		return nil
	})
}

func TestRetiredIsForgotten(t *testing.T) {
	k := newService(t)
	k.deleteMailbox(k.permanent("robin").Key)
	k.clock.advance(2*k.opt.RetireAddresses + time.Millisecond)
	k.works("Trim", k.svc.Trim(t.Context()))
	k.notRetired("robin@example.test")
}

func TestRetiringOff(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.RetireAddresses = 0 })
	k.deleteMailbox(k.permanent("robin").Key)
	k.notRetired("robin@example.test")
	k.works("claim", k.startClaim("robin", ""))
}
