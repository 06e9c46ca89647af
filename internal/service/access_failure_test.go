package service_test

import (
	"bytes"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestWrongKeys(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.AuthFailures = 3 })
	for range 3 {
		k.works("WrongKey", k.svc.WrongKey(alice))
	}
	k.kind("the fourth", k.svc.WrongKey(alice), mailbox.Limited, "auth_rate_limited")
	k.works("another client", k.svc.WrongKey(bob))
	k.clock.advance(time.Hour - time.Millisecond)
	k.kind("within the hour", k.svc.WrongKey(alice), mailbox.Limited, "auth_rate_limited")
	k.clock.advance(time.Millisecond)
	k.works("after it", k.svc.WrongKey(alice))
}

func TestWrongKeysAreNotLimited(t *testing.T) {
	k := newService(t)
	for range 1000 {
		k.works("WrongKey", k.svc.WrongKey(alice))
	}
}

// Many clients cannot fill the memory.
func TestWrongKeysOfMany(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.AuthFailures = 1 })
	a := netip.MustParseAddr("10.0.0.0")
	for range service.MaxFailures + 1000 {
		a = a.Next()
		k.works("WrongKey", k.svc.WrongKey(a))
	}
	if n := k.svc.Failing(); n > service.MaxFailures {
		t.Errorf("%d clients are remembered", n)
	}
}

// One host has all addresses of its IPv6 network.
func TestWrongKeysIPv6(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.AuthFailures = 1 })
	k.works("WrongKey", k.svc.WrongKey(netip.MustParseAddr("2001:db8:1:1::1")))
	k.kind("another of the network", k.svc.WrongKey(netip.MustParseAddr("2001:db8:1:1::2")), mailbox.Limited,
		"auth_rate_limited")
	k.works("another network", k.svc.WrongKey(netip.MustParseAddr("2001:db8:1:2::1")))
}

// Wrong keys over HTTP and failed log-ins of SMTP submission are one count. Submission can be limited alone, and who
// has a right key comes in whatever others sent from the same address.
func TestFailedLogins(t *testing.T) {
	var logged bytes.Buffer
	k := newService(t, func(o *service.Options) {
		o.LoginFailures, o.Log = 3, slog.New(slog.NewTextHandler(&logged, nil))
	})
	robin, paused := k.permanent("robin"), k.permanent("paused")
	_, err := k.svc.PauseMailbox(t.Context(), paused.in(mailbox.PauseMailbox), "")
	k.works("Pause", err)
	wrong := mailbox.NewSecret()
	fails := func(name string, from netip.Addr, user string, key mailbox.Secret, kind mailbox.Kind, code string) {
		t.Helper()
		_, err := k.svc.Login(t.Context(), from, user, key)
		k.kind(name, err, kind, code)
	}
	k.works("over HTTP", k.svc.WrongKey(alice))
	fails("wrong key", alice, robin.Address, wrong, mailbox.Unauthorized, "unauthorized")
	fails("another name", alice, "eve@example.test", robin.Key, mailbox.Unauthorized, "unauthorized")
	fails("the fourth", alice, robin.Address, "guess", mailbox.Limited, "auth_rate_limited")
	fails("paused", bob, paused.Address, paused.Key, mailbox.Unauthorized, "unauthorized")
	fails("elsewhere", bob, robin.Address, wrong, mailbox.Unauthorized, "unauthorized")
	_, err = k.svc.Login(t.Context(), alice, robin.Address, robin.Key)
	k.works("the right key", err)
	k.works("over HTTP, which has no limit", k.svc.WrongKey(alice))
	if failed, limited := k.svc.FailedLogins(service.EdgeSubmission); failed != 4 || limited != 1 {
		t.Errorf("%d failed, %d of them limited", failed, limited)
	}
	if failed, limited := k.svc.FailedLogins(service.EdgeHTTP); failed != 2 || limited != 0 {
		t.Errorf("over HTTP %d failed, %d of them limited", failed, limited)
	}
	text := logged.String()
	if n := strings.Count(text, `msg="log-in failed"`); n != 6 {
		t.Errorf("%d lines:\n%s", n, text)
	}
	if n := strings.Count(text, `msg="log-in refused"`); n != 1 {
		t.Errorf("%d lines of a right key that is refused:\n%s", n, text)
	}
	for _, never := range []string{string(wrong), string(robin.Key), "guess", "eve@"} {
		if strings.Contains(text, never) {
			t.Errorf("%q is in the log", never)
		}
	}
	for _, want := range []string{"edge=submission client=" + alice.String() +
		` reason="wrong key" failures=2 limited=false`,
		`reason="the mailbox is paused" mailbox=paused@example.test`} {
		if !strings.Contains(text, want) {
			t.Errorf("no line with %q:\n%s", want, text)
		}
	}
}
