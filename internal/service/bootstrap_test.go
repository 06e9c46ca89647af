package service_test

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

var (
	here  = netip.MustParseAddr("127.0.0.1")
	alice = netip.MustParseAddr("192.0.2.10")
	bob   = netip.MustParseAddr("198.51.100.20")
)

const idempotent = "signup-0123456789"

func (k *kit) bootstrap(client netip.Addr, key string) service.Bootstrapped {
	k.Helper()
	made, err := k.svc.Bootstrap(k.Context(), service.BootstrapRequest{Client: client, IdempotencyKey: key})
	k.works("Bootstrap", err)
	return made
}

func (k *kit) refused(client netip.Addr, code string) {
	k.Helper()
	_, err := k.svc.Bootstrap(k.Context(), service.BootstrapRequest{Client: client})
	k.kind("Bootstrap", err, mailbox.Limited, code)
	var e *mailbox.Error
	if errors.As(err, &e) && e.RetryAfter != 12*time.Hour {
		k.Errorf("told to come back in %v, want at UTC midnight", e.RetryAfter)
	}
}

func TestBootstrap(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, "")
	local, domain, _ := strings.Cut(made.Address, "@")
	if rest, ok := strings.CutPrefix(local, "agent-"); !ok || len(rest) != 12 ||
		strings.Trim(rest, "0123456789abcdef") != "" || domain != "example.test" {
		t.Errorf("the address is %s", made.Address)
	}
	if made.Replayed || made.Scope != mailbox.Provisional || !made.ExpiresAt.Equal(noon.Add(72*time.Hour)) ||
		!made.Key.WellFormed() {
		t.Errorf("made %+v", made)
	}
	who := k.login(made.Key)
	if who.Scope != mailbox.Provisional || who.Mailbox.Address != made.Address ||
		!who.Key.ExpiresAt.Equal(made.ExpiresAt) {
		t.Errorf("the key is for %+v", who)
	}
	k.receive(letter("one"), made.Address)
	k.same("inbox", k.subjects(box{made.CreatedMailbox, k}), []string{"one"})
	if next := k.bootstrap(alice, ""); next.Address == made.Address || next.Key == made.Key {
		t.Error("two requests without an Idempotency-Key gave one mailbox")
	}
}

func TestBootstrapReplay(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, idempotent)
	next := k.bootstrap(alice, idempotent)
	if made.Replayed || !next.Replayed || next.Address != made.Address || next.Key != made.Key ||
		!next.ExpiresAt.Equal(made.ExpiresAt) {
		t.Errorf("made %+v, then %+v", made, next)
	}
	if other := k.bootstrap(bob, idempotent); other.Replayed || other.Address == made.Address || other.Key == made.Key {
		t.Error("another client got the same mailbox or key")
	}
	if other := k.bootstrap(alice, idempotent+"x"); other.Replayed || other.Key == made.Key {
		t.Error("another Idempotency-Key got the same key")
	}
	if _, err := k.svc.DeleteMailbox(t.Context(), box{made.CreatedMailbox, k}.in(mailbox.DeleteMailbox)); err != nil {
		t.Fatal(err)
	}
	if next := k.bootstrap(alice, idempotent); next.Replayed || next.Address == made.Address || next.Key == made.Key {
		t.Errorf("after its deletion the mailbox came back: %+v", next)
	}
}

// Concurrent requests with one key are one request, and the key is nowhere in the files.
func TestBootstrapReplayConcurrent(t *testing.T) {
	k := newService(t)
	keys := make([]mailbox.Secret, 16)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			made, err := k.svc.Bootstrap(t.Context(), service.BootstrapRequest{Client: alice,
				IdempotencyKey: idempotent})
			if err != nil {
				t.Error(err)
			}
			keys[i] = made.Key
		})
	}
	wg.Wait()
	for _, key := range keys {
		if key != keys[0] {
			t.Fatal("two keys for one Idempotency-Key")
		}
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(k.path), "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("files %v, error %v", files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{string(keys[0]), idempotent} {
			if bytes.Contains(b, []byte(secret)) {
				t.Errorf("%s holds a secret", filepath.Base(f))
			}
		}
	}
}

func TestBootstrapIdempotencyKeys(t *testing.T) {
	k := newService(t)
	for _, tt := range []struct {
		name, key string
		ok        bool
	}{
		{"shortest", strings.Repeat("a", 16), true},
		{"longest", strings.Repeat("A", 128), true},
		{"all that is allowed", "azAZ09._:-azAZ09", true},
		{"too short", strings.Repeat("a", 15), false},
		{"too long", strings.Repeat("a", 129), false},
		{"space", "aaaaaaaa aaaaaaaa", false},
		{"not ASCII", "aaaaaaaaaaaaaaaaä", false},
		{"NUL", "aaaaaaaaaaaaaaaa\x00", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := k.svc.Bootstrap(t.Context(), service.BootstrapRequest{Client: here, IdempotencyKey: tt.key})
			if tt.ok != (err == nil) {
				t.Errorf("error %v", err)
			}
			if err != nil {
				k.kind("Bootstrap", err, mailbox.Invalid, "invalid_idempotency_key")
			}
		})
	}
}

func TestBootstrapOff(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Bootstrap = false })
	_, err := k.svc.Bootstrap(t.Context(), service.BootstrapRequest{Client: here})
	k.kind("Bootstrap", err, mailbox.NotFound, "bootstrap_disabled")
}

func TestBootstrapLimits(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.BootstrapClientLimit, o.BootstrapTotalLimit = 2, 5 })
	k.bootstrap(alice, idempotent)
	k.bootstrap(netip.MustParseAddr("::ffff:192.0.2.10"), "") // the same, mapped
	k.refused(alice, "provisional_daily_limit")
	if !k.bootstrap(alice, idempotent).Replayed {
		t.Error("a replay counts against the limit")
	}
	k.bootstrap(here, "") // counts against the deployment's alone
	k.bootstrap(here, "")
	k.bootstrap(here, "")
	k.refused(here, "global_bootstrap_limit")
	k.refused(bob, "global_bootstrap_limit")
	k.refused(alice, "provisional_daily_limit")

	k.clock.set(noon.Truncate(24 * time.Hour).Add(24*time.Hour - time.Millisecond))
	_, err := k.svc.Bootstrap(t.Context(), service.BootstrapRequest{Client: bob})
	k.kind("a millisecond before midnight", err, mailbox.Limited, "global_bootstrap_limit")
	k.clock.advance(time.Millisecond)
	k.bootstrap(bob, "")
	k.bootstrap(alice, "")
}

// One host has all addresses of its IPv6 network.
func TestBootstrapLimitIPv6(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.BootstrapClientLimit = 1 })
	k.bootstrap(netip.MustParseAddr("2001:db8:1:1::1"), "")
	k.refused(netip.MustParseAddr("2001:db8:1:1:ffff::2"), "provisional_daily_limit")
	k.bootstrap(netip.MustParseAddr("2001:db8:1:2::1"), "")
}

func TestBootstrapLimitOff(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.BootstrapClientLimit, o.BootstrapTotalLimit = 0, 0 })
	for range 12 {
		k.bootstrap(alice, "")
	}
}

// The limit holds to the last one, however many come at once.
func TestBootstrapLimitConcurrent(t *testing.T) {
	const callers, limit = 40, 17
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) {
		o.BootstrapClientLimit = limit
		gate.Store, o.Store = o.Store, gate
	})
	gate.before = meet(callers)
	var made, refused int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			_, err := k.svc.Bootstrap(t.Context(), service.BootstrapRequest{Client: alice})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made++
			} else if mailbox.KindOf(err) == mailbox.Limited {
				refused++
			} else {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if made != limit || refused != callers-limit {
		t.Errorf("%d were made and %d refused, want %d and %d", made, refused, limit, callers-limit)
	}
	var boxes []mailbox.Mailbox
	k.view(func(r store.Reader) (err error) {
		boxes, err = r.Mailboxes(context.Background(), store.MailboxFilter{Limit: 100})
		return err
	})
	if len(boxes) != limit+1 { // and the configured one
		t.Errorf("%d mailboxes are there", len(boxes))
	}
}

// At its last instant the key is dead and the address refused, before anyone has tidied up; then everything goes.
func TestExpiry(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, idempotent)
	k.receive(letter("one"), made.Address)
	k.receive(mixed("two", noise(1<<20)), made.Address)

	k.clock.set(made.ExpiresAt.Add(-time.Millisecond))
	k.login(made.Key)
	if _, err := k.svc.Recipient(t.Context(), made.Address); err != nil {
		t.Errorf("refused a millisecond too early: %v", err)
	}
	k.works("Expire", k.svc.Expire(t.Context()))
	k.login(made.Key)

	env := k.envelope(made.Address) // RCPT was in time, DATA is not
	k.clock.advance(time.Millisecond)
	_, err := k.svc.Authenticate(t.Context(), made.Key)
	k.kind("Authenticate", err, mailbox.Unauthorized, "unauthorized")
	_, err = k.svc.Recipient(t.Context(), made.Address)
	k.kind("Recipient", err, mailbox.NoSuchRecipient, "no_such_recipient")
	receipts, err := k.svc.Receive(t.Context(), env, strings.NewReader(letter("late")))
	k.works("Receive", err)
	k.kind("a mail that came too late", receipts[0].Err, mailbox.NoSuchRecipient, "no_such_recipient")

	k.works("Expire", k.svc.Expire(t.Context()))
	k.noFiles("after the mailbox expired")
	k.view(func(r store.Reader) error {
		if _, err := r.MailboxAt(t.Context(), made.Address); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the address is still there: %v", err)
		}
		if left, err := r.Purging(t.Context()); err != nil || len(left) > 0 {
			t.Errorf("still to be purged: %v, error %v", left, err)
		}
		_, err := r.KeyByDigest(t.Context(), made.Key.Digest())
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the key is still there: %v", err)
		}
		return nil
	})
	if next := k.bootstrap(alice, idempotent); next.Replayed || next.Key == made.Key || next.Address == made.Address {
		t.Errorf("the Idempotency-Key still means the old mailbox: %+v", next)
	}
}

// A mailbox that is claimed while the janitor looks at it is not removed.
func TestExpireLooksAgain(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	made := k.bootstrap(alice, "")
	k.clock.set(made.ExpiresAt)
	gate.looked = func() { // between the janitor's list and its deletion
		gate.looked = nil
		made.Scope, made.ExpiresAt = mailbox.Permanent, time.Time{}
		k.update(func(tx store.Tx) error { return tx.UpdateMailbox(t.Context(), made.Mailbox) })
	}
	k.works("Expire", k.svc.Expire(t.Context()))
	k.view(func(r store.Reader) error {
		_, err := r.MailboxAt(t.Context(), made.Address)
		return err
	})
}
