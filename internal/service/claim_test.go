package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

func (k *kit) claim(name string, key mailbox.Secret) service.StartedClaim {
	k.Helper()
	c, err := k.svc.StartClaim(k.Context(), service.ClaimRequest{Client: alice, Name: name, Key: key})
	k.works("StartClaim", err)
	return c
}

func (k *kit) confirm(session string) service.ConfirmedClaim {
	k.Helper()
	c, err := k.svc.ConfirmClaim(k.Context(), session, operatorToken)
	k.works("ConfirmClaim", err)
	return c
}

func (k *kit) poll(session string) service.PolledClaim {
	k.Helper()
	c, err := k.svc.PollClaim(k.Context(), session, "")
	k.works("PollClaim", err)
	return c
}

func TestClaimNewMailbox(t *testing.T) {
	k := newService(t)
	c := k.claim(" Robin ", "")
	if c.Address != "robin@example.test" || c.Name != "robin" || c.Session == c.Link || c.Session == "" {
		t.Errorf("started %+v", c)
	}
	k.same("before", k.poll(c.Session), service.PolledClaim{State: mailbox.ClaimPending})
	shown, err := k.svc.ShowClaim(t.Context(), c.Link)
	k.works("ShowClaim", err)
	if shown.Address != c.Address || shown.Temporary != "" || !shown.NeedsOperator ||
		shown.State != mailbox.ClaimPending || shown.Client != "192.0.2.10" {
		t.Errorf("shown %+v", shown)
	}
	k.same("confirmed", k.confirm(c.Link), service.ConfirmedClaim{Address: "robin@example.test"})
	done := k.poll(c.Session)
	if done.State != mailbox.ClaimComplete || done.Address != c.Address || !done.Key.WellFormed() {
		t.Errorf("polled %+v", done)
	}
	if again := k.poll(c.Session); again != done {
		t.Error("the key is another the second time")
	}
	who := k.login(done.Key)
	if who.Scope != mailbox.Permanent || who.Mailbox.Address != c.Address || !who.Mailbox.ExpiresAt.IsZero() {
		t.Errorf("the key is for %+v", who)
	}
	k.receive(letter("one"), c.Address)

	k.clock.advance(mailbox.ClaimTime - time.Millisecond)
	if k.poll(c.Session).Key != done.Key {
		t.Error("the key can no longer be fetched")
	}
	k.clock.advance(time.Millisecond)
	k.same("ten minutes after", k.poll(c.Session), service.PolledClaim{State: mailbox.ClaimExpired})
	k.clock.advance(25 * time.Hour)
	k.works("Trim", k.svc.Trim(t.Context()))
	_, err = k.svc.PollClaim(t.Context(), c.Session, "")
	k.kind("a day after", err, mailbox.NotFound, "not_found")
}

// A temporary mailbox keeps its address, its mail and, until the new key is used, its old one.
func TestClaimKeepsAddress(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, "")
	k.receive(letter("one"), made.Address)
	c := k.claim("", made.Key)
	if c.Address != made.Address {
		t.Errorf("claimed %s", c.Address)
	}
	k.confirm(c.Session)
	if who := k.login(made.Key); who.Scope != mailbox.Provisional || who.Mailbox.Scope != mailbox.Permanent {
		t.Errorf("the old key is for %+v", who)
	}
	done := k.poll(c.Session)
	k.login(made.Key)
	mine := box{service.CreatedMailbox{Mailbox: made.Mailbox, Key: done.Key}, k}
	k.same("inbox", k.subjects(mine), []string{"one"})
	_, err := k.svc.Authenticate(t.Context(), made.Key)
	k.kind("the old key after the new was used", err, mailbox.Unauthorized, "unauthorized")

	k.clock.set(made.ExpiresAt.Add(time.Hour))
	k.works("Expire", k.svc.Expire(t.Context()))
	k.same("after 72 hours", k.subjects(mine), []string{"one"})
	k.receive(letter("two"), made.Address)
}

// The old key ends at its own time, also where the new one was never used.
func TestClaimOldKeyEnds(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, "")
	k.confirm(k.claim("", made.Key).Session)
	k.clock.set(made.ExpiresAt)
	_, err := k.svc.Authenticate(t.Context(), made.Key)
	k.kind("Authenticate", err, mailbox.Unauthorized, "unauthorized")
	k.receive(letter("one"), made.Address)
}

// The old key does not delete what became permanent, neither later nor with leave that it got before.
func TestClaimOldKeyDeletesNothing(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, "")
	before := k.enter(made.Key, mailbox.DeleteMailbox, "")
	k.receive(letter("one"), made.Address)
	c := k.claim("", made.Key)
	k.confirm(c.Session)
	_, err := k.svc.Enter(t.Context(), k.login(made.Key), service.Act{Need: mailbox.DeleteMailbox})
	k.kind("Enter", err, mailbox.Denied, "provisional_capability_denied")
	_, err = k.svc.DeleteMailbox(t.Context(), before)
	k.kind("DeleteMailbox", err, mailbox.Denied, "provisional_capability_denied")
	mine := box{service.CreatedMailbox{Mailbox: made.Mailbox, Key: made.Key}, k}
	k.same("the old key still reads", k.subjects(mine), []string{"one"})
	_, err = k.svc.DeleteMailbox(t.Context(), k.enter(k.poll(c.Session).Key, mailbox.DeleteMailbox, ""))
	k.works("DeleteMailbox with the new key", err)
}

func TestClaimRenames(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, "")
	k.receive(letter("one"), made.Address)
	c := k.claim("robin", made.Key)
	shown, err := k.svc.ShowClaim(t.Context(), c.Link)
	k.works("ShowClaim", err)
	if shown.Temporary != made.Address || shown.Address != "robin@example.test" {
		t.Errorf("shown %+v", shown)
	}
	k.confirm(c.Link)
	done := k.poll(c.Session)
	who := k.login(done.Key)
	k.same("the mailbox", []any{who.Mailbox.Address, who.Mailbox.Aliases},
		[]any{"robin@example.test", []string{made.Address}})
	k.receive(letter("two"), made.Address)
	k.receive(letter("three"), "robin@example.test")
	mine := box{service.CreatedMailbox{Mailbox: who.Mailbox, Key: done.Key}, k}
	k.same("inbox", k.subjects(mine), []string{"three", "two", "one"})
	k.enter(done.Key, mailbox.ReadMail, made.Address) // the alias names it too
}

func TestClaimRefused(t *testing.T) {
	k := newService(t)
	k.permanent("taken")
	own := k.permanent("own")
	temporary := k.bootstrap(bob, "")
	for _, tt := range []struct {
		name, claimed string
		key           mailbox.Secret
		kind          mailbox.Kind
		code          string
	}{
		{"reserved name", "postmaster", "", mailbox.Invalid, "reserved_name"},
		{"name of a temporary mailbox", "agent-0123456789ab", "", mailbox.Invalid, "reserved_name"},
		{"bad name", "no spaces", "", mailbox.Invalid, "invalid_name"},
		{"taken name", "Taken", "", mailbox.Conflict, "name_taken"},
		{"neither name nor key", " ", "", mailbox.Invalid, "invalid_name"},
		{"wrong key", "x", mailbox.NewSecret(), mailbox.Unauthorized, "unauthorized"},
		{"key of a permanent mailbox", "x", own.Key, mailbox.Conflict, "already_permanent"},
		{"taken name for a temporary mailbox", "taken", temporary.Key, mailbox.Conflict, "name_taken"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := k.svc.StartClaim(t.Context(), service.ClaimRequest{Client: alice, Name: tt.claimed, Key: tt.key})
			k.kind("StartClaim", err, tt.kind, tt.code)
		})
	}
	_, err := k.svc.PauseMailbox(t.Context(), k.operator(mailbox.Moderate, temporary.Address), "")
	k.works("Pause", err)
	_, err = k.svc.StartClaim(t.Context(), service.ClaimRequest{Client: alice, Key: temporary.Key})
	k.kind("paused mailbox", err, mailbox.Paused, "paused")
}

func TestClaimCountsAsBootstrap(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.BootstrapClientLimit = 2 })
	k.bootstrap(alice, "")
	k.claim("one", "")
	_, err := k.svc.StartClaim(t.Context(), service.ClaimRequest{Client: alice, Name: "two"})
	k.kind("StartClaim", err, mailbox.Limited, "provisional_daily_limit")
	k.refused(alice, "provisional_daily_limit")
}

func TestClaimModes(t *testing.T) {
	own := func(k *kit) mailbox.Secret { return k.permanent("own").Key }
	for _, tt := range []struct {
		name string
		mode service.ClaimMode
		by   func(*kit) mailbox.Secret
		kind mailbox.Kind
		code string // empty: it may
	}{
		{"operator", service.ClaimOperator, func(*kit) mailbox.Secret { return operatorToken }, 0, ""},
		{"operator needed", service.ClaimOperator, func(*kit) mailbox.Secret { return "" }, mailbox.Unauthorized,
			"unauthorized"},
		{"operator needed, wrong key", service.ClaimOperator, func(*kit) mailbox.Secret { return mailbox.NewSecret() },
			mailbox.Unauthorized, "unauthorized"},
		{"operator needed, mailbox key", service.ClaimOperator, own, mailbox.Denied, "scope_denied"},
		{"open", service.ClaimOpen, func(*kit) mailbox.Secret { return "" }, 0, ""},
		{"open, any key", service.ClaimOpen, own, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newService(t, func(o *service.Options) { o.Claim = tt.mode })
			c := k.claim("robin", "")
			shown, err := k.svc.ShowClaim(t.Context(), c.Link)
			if k.works("ShowClaim", err); shown.NeedsOperator != (tt.mode == service.ClaimOperator) {
				t.Errorf("shown %+v", shown)
			}
			_, err = k.svc.ConfirmClaim(t.Context(), c.Link, tt.by(k))
			if tt.code == "" {
				k.works("ConfirmClaim", err)
				return
			}
			k.kind("ConfirmClaim", err, tt.kind, tt.code)
			k.same("afterwards", k.poll(c.Session), service.PolledClaim{State: mailbox.ClaimPending})
		})
	}
}

func TestClaimOff(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Claim = service.ClaimOff })
	_, err := k.svc.StartClaim(t.Context(), service.ClaimRequest{Client: here, Name: "robin"})
	k.kind("StartClaim", err, mailbox.NotFound, "claim_disabled")
	_, err = k.svc.ConfirmClaim(t.Context(), "x", operatorToken)
	k.kind("ConfirmClaim", err, mailbox.NotFound, "claim_disabled")
	_, err = k.svc.PollClaim(t.Context(), "x", "")
	k.kind("PollClaim", err, mailbox.NotFound, "claim_disabled")
	_, err = k.svc.ShowClaim(t.Context(), "x")
	k.kind("ShowClaim", err, mailbox.NotFound, "claim_disabled")
}

func TestClaimUnknown(t *testing.T) {
	k := newService(t)
	_, err := k.svc.ConfirmClaim(t.Context(), "x", operatorToken)
	k.kind("ConfirmClaim", err, mailbox.NotFound, "not_found")
	_, err = k.svc.PollClaim(t.Context(), "", "")
	k.kind("PollClaim", err, mailbox.NotFound, "not_found")
	_, err = k.svc.ShowClaim(t.Context(), "x")
	k.kind("ShowClaim", err, mailbox.NotFound, "not_found")
}

func TestClaimTwice(t *testing.T) {
	k := newService(t)
	c := k.claim("robin", "")
	k.confirm(c.Session)
	key := k.poll(c.Session).Key
	if again := k.confirm(c.Link); !again.Already || again.Address != "robin@example.test" {
		t.Errorf("confirmed again: %+v", again)
	}
	if k.poll(c.Session).Key != key {
		t.Error("the second confirmation changed the key")
	}
	var keys []mailbox.Key
	k.view(func(r store.Reader) (err error) {
		keys, err = r.Keys(t.Context(), k.login(key).Mailbox.Num)
		return err
	})
	if len(keys) != 1 {
		t.Errorf("the mailbox has %d keys", len(keys))
	}
}

func TestClaimTooLate(t *testing.T) {
	k := newService(t)
	c := k.claim("robin", "")
	k.clock.advance(mailbox.ClaimTime)
	k.same("polled", k.poll(c.Session), service.PolledClaim{State: mailbox.ClaimExpired})
	_, err := k.svc.ConfirmClaim(t.Context(), c.Link, operatorToken)
	k.kind("ConfirmClaim", err, mailbox.Conflict, "claim_expired")
	k.permanent("robin") // nothing was reserved or made
}

func TestClaimNameTakenMeanwhile(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, "")
	fresh, rename := k.claim("robin", ""), k.claim("robin", made.Key)
	k.permanent("robin")
	for _, c := range []service.StartedClaim{fresh, rename} {
		_, err := k.svc.ConfirmClaim(t.Context(), c.Link, operatorToken)
		k.kind("ConfirmClaim", err, mailbox.Conflict, "name_taken")
	}
	if who := k.login(made.Key); who.Mailbox.Scope != mailbox.Provisional || who.Mailbox.Address != made.Address {
		t.Errorf("half of the claim was done: %+v", who.Mailbox)
	}
}

func TestClaimMailboxGone(t *testing.T) {
	k := newService(t)
	deleted, expired, twice := k.bootstrap(alice, ""), k.bootstrap(alice, ""), k.bootstrap(alice, "")
	a, c1, c2 := k.claim("", deleted.Key), k.claim("", twice.Key), k.claim("", twice.Key)
	_, err := k.svc.DeleteMailbox(t.Context(), k.enter(deleted.Key, mailbox.DeleteMailbox, ""))
	k.works("DeleteMailbox", err)
	_, err = k.svc.ConfirmClaim(t.Context(), a.Link, operatorToken)
	k.kind("deleted", err, mailbox.NotFound, "not_found")

	k.confirm(c1.Link)
	_, err = k.svc.ConfirmClaim(t.Context(), c2.Link, operatorToken)
	k.kind("claimed by another session", err, mailbox.Conflict, "already_permanent")

	k.clock.set(expired.ExpiresAt.Add(-time.Minute))
	b := k.claim("", expired.Key)
	k.clock.set(expired.ExpiresAt)
	_, err = k.svc.ConfirmClaim(t.Context(), b.Link, operatorToken)
	k.kind("expired", err, mailbox.Conflict, "mailbox_gone")
	k.same("polled", k.poll(b.Session), service.PolledClaim{State: mailbox.ClaimExpired})
}

// Whoever confirms has the link, and cannot fetch the key with it; nor can another mailbox's key.
func TestClaimPolledBySomeoneElse(t *testing.T) {
	k := newService(t)
	made, other := k.bootstrap(alice, ""), k.bootstrap(bob, "")
	c := k.claim("robin", made.Key)
	k.confirm(c.Link)
	_, err := k.svc.PollClaim(t.Context(), c.Link, "")
	k.kind("with the link", err, mailbox.Denied, "not_your_claim")
	_, err = k.svc.PollClaim(t.Context(), c.Session, other.Key)
	k.kind("with another's key", err, mailbox.Forbidden, "forbidden")
	_, err = k.svc.PollClaim(t.Context(), c.Session, mailbox.NewSecret())
	k.kind("with a wrong key", err, mailbox.Unauthorized, "unauthorized")
	if done, err := k.svc.PollClaim(t.Context(), c.Session, made.Key); err != nil ||
		done.State != mailbox.ClaimComplete {
		t.Errorf("with its own key: %+v, error %v", done, err)
	}
}

// The old key ends with the first use of the new one, also where that caller hangs up at once.
func TestClaimOldKeyEndsForCertain(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, "")
	c := k.claim("", made.Key)
	k.confirm(c.Link)
	key := k.poll(c.Session).Key
	ctx, cancel := context.WithCancel(t.Context())
	k.view(func(store.Reader) error { return nil })
	_, err := k.svc.Authenticate(ctx, key)
	cancel()
	k.works("Authenticate", err)
	_, err = k.svc.Authenticate(t.Context(), made.Key)
	k.kind("the old key", err, mailbox.Unauthorized, "unauthorized")
}

// Where ending the old key fails, the next use of the new one tries again.
func TestClaimOldKeyEndsLater(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	made := k.bootstrap(alice, "")
	c := k.claim("", made.Key)
	k.confirm(c.Link)
	key := k.poll(c.Session).Key
	gate.before = func() error { return store.ErrStorage }
	if _, err := k.svc.Authenticate(t.Context(), key); err == nil {
		t.Error("the key was taken although the old one could not be ended")
	}
	gate.before = nil
	k.login(made.Key)
	k.login(key)
	_, err := k.svc.Authenticate(t.Context(), made.Key)
	k.kind("the old key", err, mailbox.Unauthorized, "unauthorized")
}

// A key that is no longer good is not handed out.
func TestClaimPolledAfterDeletion(t *testing.T) {
	k := newService(t)
	c := k.claim("robin", "")
	k.confirm(c.Link)
	key := k.poll(c.Session).Key
	_, err := k.svc.DeleteMailbox(t.Context(), k.enter(key, mailbox.DeleteMailbox, ""))
	k.works("DeleteMailbox", err)
	_, err = k.svc.PollClaim(t.Context(), c.Session, "")
	k.kind("polled", err, mailbox.NotFound, "not_found")
}

// Whoever confirms a claim again whose mailbox was deleted is told so, and nothing comes back.
func TestClaimConfirmedAfterDeletion(t *testing.T) {
	for _, mode := range []service.ClaimMode{service.ClaimOperator, service.ClaimOpen} {
		k := newService(t, func(o *service.Options) { o.Claim = mode })
		for _, c := range []service.StartedClaim{k.claim("robin", ""), k.claim("wren", k.bootstrap(alice, "").Key),
			k.claim("", k.bootstrap(bob, "").Key)} {
			k.confirm(c.Link)
			k.deleteMailbox(k.poll(c.Session).Key)
			for _, session := range []string{c.Session, c.Link} {
				_, err := k.svc.ConfirmClaim(t.Context(), session, operatorToken)
				k.kind("ConfirmClaim", err, mailbox.NotFound, "not_found")
				_, err = k.svc.ShowClaim(t.Context(), session)
				k.kind("ShowClaim", err, mailbox.NotFound, "not_found")
			}
			_, err := k.svc.Recipient(t.Context(), c.Address)
			k.kind("Recipient", err, mailbox.NoSuchRecipient, "no_such_recipient")
		}
	}
}

// A key that was revoked is not handed out, and the mailbox is there.
func TestClaimPolledAfterRevocation(t *testing.T) {
	k := newService(t)
	c := k.claim("robin", "")
	k.confirm(c.Link)
	_, err := k.svc.RotateKey(t.Context(), k.enter(k.poll(c.Session).Key, mailbox.ManageMailbox, ""))
	k.works("RotateKey", err)
	k.same("polled", k.poll(c.Session), service.PolledClaim{State: mailbox.ClaimExpired})
	_, err = k.svc.PollClaim(t.Context(), c.Session, mailbox.NewSecret())
	k.kind("with a wrong key", err, mailbox.Unauthorized, "unauthorized")
	k.same("confirmed", k.confirm(c.Link), service.ConfirmedClaim{Address: c.Address, Already: true})
}

// Where anyone may confirm, who confirms gets the key that a poll would get: the agent that started the claim, and not
// who has the link.
func TestOpenClaimGivesKey(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Claim = service.ClaimOpen })
	confirm := func(session string, by mailbox.Secret) service.ConfirmedClaim {
		t.Helper()
		out, err := k.svc.ConfirmClaim(t.Context(), session, by)
		k.works("ConfirmClaim", err)
		return out
	}
	c := k.claim("robin", "")
	done := confirm(c.Session, "")
	if done.Key != k.poll(c.Session).Key || k.login(done.Key).Mailbox.Address != c.Address {
		t.Errorf("confirmed %+v", done)
	}
	if again := confirm(c.Session, ""); again.Key != done.Key || !again.Already {
		t.Errorf("again: %+v", again)
	}
	k.same("by the link", confirm(c.Link, ""), service.ConfirmedClaim{Address: c.Address, Already: true})
	k.clock.advance(mailbox.ClaimTime)
	k.same("ten minutes after", confirm(c.Session, ""), service.ConfirmedClaim{Address: c.Address, Already: true})

	made, other := k.bootstrap(alice, ""), k.permanent("other")
	kept := k.claim("", made.Key)
	k.same("with the key of another mailbox", confirm(kept.Session, other.Key),
		service.ConfirmedClaim{Address: kept.Address})

	closed := newService(t)
	c = closed.claim("wren", "")
	closed.same("by the operator", closed.confirm(c.Session), service.ConfirmedClaim{Address: c.Address})
}

// An id that begins with a dash is a flag to a command line.
func TestSessionsAreNoFlags(t *testing.T) {
	for range 1000 {
		if s := service.NewSession(); s[0] == '-' || len(s) != 32 {
			t.Fatalf("session %s", s)
		}
	}
}

// The operator sees which claims wait, confirms one and denies another by their ids, and both are in the audit log.
func TestPendingClaims(t *testing.T) {
	k := newService(t)
	kept := k.claim("", k.bootstrap(alice, "").Key)
	k.clock.advance(time.Second)
	fresh := k.claim("robin", "")
	k.clock.advance(time.Second)
	late := k.claim("finch", "")
	list, err := k.svc.PendingClaims(t.Context(), k.operator(mailbox.Oversee, ""))
	admin := k.operator(mailbox.Administer, "")
	k.works("PendingClaims", err)
	if len(list) != 3 || list[2].Temporary == "" || list[2].Address != list[2].Temporary || list[1].Temporary != "" ||
		list[1].Address != "robin@example.test" || list[1].Client != "192.0.2.10" {
		t.Fatalf("the list: %+v", list)
	}
	done, err := k.svc.ConfirmPending(t.Context(), admin, kept.Claim.ID())
	k.works("ConfirmPending", err)
	k.same("confirmed", done, service.ConfirmedClaim{Address: kept.Address})
	k.works("DenyClaim", k.svc.DenyClaim(t.Context(), admin, fresh.Claim.ID()))
	k.same("denied", k.poll(fresh.Session), service.PolledClaim{State: mailbox.ClaimExpired})
	if p := k.poll(kept.Session); p.State != mailbox.ClaimComplete || p.Key == "" {
		t.Errorf("the agent gets %+v", p)
	}
	_, err = k.svc.ConfirmClaim(t.Context(), fresh.Session, operatorToken)
	k.kind("what was denied", err, mailbox.Conflict, "claim_expired")
	k.kind("twice", k.svc.DenyClaim(t.Context(), admin, fresh.Claim.ID()), mailbox.NotFound, "not_found")
	_, err = k.svc.ConfirmPending(t.Context(), admin, kept.Claim.ID())
	k.kind("what is confirmed", err, mailbox.NotFound, "not_found")
	k.clock.advance(mailbox.ClaimTime)
	k.kind("what is over", k.svc.DenyClaim(t.Context(), admin, late.Claim.ID()), mailbox.NotFound, "not_found")
	audits, err := k.svc.Audits(t.Context(), admin, service.AuditsQuery{Page: service.Page{Limit: 10}})
	k.works("Audits", err)
	if len(audits.Items) != 2 || audits.Items[0].Mailbox != fresh.Address || audits.Items[1].Mailbox != kept.Address {
		t.Errorf("the audit log: %+v", audits.Items)
	}
}
