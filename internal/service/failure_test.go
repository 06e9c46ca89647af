package service_test

import (
	"net/netip"
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
	k.kind("another of the network", k.svc.WrongKey(netip.MustParseAddr("2001:db8:1:1::2")), mailbox.Limited, "auth_rate_limited")
	k.works("another network", k.svc.WrongKey(netip.MustParseAddr("2001:db8:1:2::1")))
}
