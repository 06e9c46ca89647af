package service_test

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// admitted counts how many of n requests are let in.
func (k *kit) admitted(n int, client string, token mailbox.Secret) (in int) {
	k.Helper()
	for range n {
		_, err := k.svc.Admit(netip.MustParseAddr(client), token)
		if err == nil {
			in++
			continue
		}
		var e *mailbox.Error
		if !errors.As(err, &e) || e.Kind != mailbox.Limited || e.Code != "rate_limited" || e.RetryAfter < time.Second {
			k.Fatalf("refused with %v", err)
		}
	}
	return in
}

func TestRateOfAKey(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Rates = service.Rates{Key: 60} })
	b, other := k.permanent("bo"), k.permanent("ann")
	for _, box := range []box{b, other} { // the first request of each
		k.same("at first", k.admitted(1, "192.0.2.1", box.Key), 1)
		k.login(box.Key)
	}
	k.same("with one key", k.admitted(100, "192.0.2.1", b.Key), 59)
	k.same("from elsewhere", k.admitted(1, "192.0.2.2", b.Key), 0)
	k.same("with another", k.admitted(100, "192.0.2.1", other.Key), 59)
	k.same("with the operator's", k.admitted(100, "192.0.2.1", operatorToken), 100)
	k.same("without one", k.admitted(100, "192.0.2.1", ""), 100)
	k.same("with one that is none", k.admitted(100, "192.0.2.1", mailbox.NewSecret()), 100)
	k.clock.advance(10 * time.Second)
	k.same("ten seconds later", k.admitted(100, "192.0.2.1", b.Key), 10)
	k.clock.advance(time.Hour)
	k.same("an hour later", k.admitted(100, "192.0.2.1", b.Key), 60)
	k.clock.advance(-time.Hour) // a clock that is set back gives nothing
	k.same("an hour before", k.admitted(100, "192.0.2.1", b.Key), 0)
	k.same("counted", k.svc.RateLimited(service.RateKey), int64(41+1+41+90+40+100))
	k.same("counted by address", k.svc.RateLimited(service.RateAddress), int64(0))
}

// A new key in the place of an old one has what that one had left.
func TestRateOfARotatedKey(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Rates = service.Rates{Key: 60} })
	b := k.permanent("bo")
	k.login(b.Key)
	k.same("before", k.admitted(50, "192.0.2.1", b.Key), 50)
	made, err := k.svc.RotateKey(t.Context(), b.in(mailbox.ManageMailbox))
	k.works("rotate", err)
	k.login(made.Secret)
	k.same("after", k.admitted(100, "192.0.2.1", made.Secret), 9)
}

func TestRateOfAnAddress(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Rates = service.Rates{Address: 30} })
	for _, row := range []struct {
		from string
		want int
	}{
		{"192.0.2.1", 30}, {"192.0.2.1", 0}, {"::ffff:192.0.2.1", 0}, {"192.0.2.2", 30},
		{"2001:db8::1", 30}, {"2001:db8::ffff:2", 0}, {"2001:db8:0:1::1", 30},
		{"127.0.0.1", 50}, {"::1", 50}, {"0.0.0.0", 30},
	} {
		k.same(row.from, k.admitted(50, row.from, ""), row.want)
	}
	k.same("the operator's", k.admitted(50, "192.0.2.1", operatorToken), 50)
}

// What is told is where the limits stand after the request.
func TestRateIsTold(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Rates = service.Rates{Key: 60, Address: 120} })
	b := k.permanent("bo")
	k.login(b.Key)
	told := func() string {
		rates, _ := k.svc.Admit(netip.MustParseAddr("192.0.2.1"), b.Key)
		return fmt.Sprint(rates)
	}
	k.same("at first", told(), "[{address 120 119 500ms} {key 60 58 2s}]")
	k.admitted(57, "192.0.2.1", b.Key)
	k.same("the last", told(), "[{address 120 61 29.5s} {key 60 0 1s}]")
	k.same("one too many", told(), "[{address 120 60 30s} {key 60 0 1s}]")
	off := newService(t)
	rates, err := off.svc.Admit(netip.MustParseAddr("192.0.2.1"), b.Key)
	k.works("off", err)
	k.same("off", len(rates), 0)
}

// However many there are, memory is bounded, and who is at the limit stays there.
func TestRatesAreBounded(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Rates = service.Rates{Address: 5} })
	k.same("greedy", k.admitted(50, "192.0.2.1", ""), 5)
	for i := range 1<<16 + 1000 {
		k.admitted(1, fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), "")
	}
	k.same("greedy after all others", k.admitted(50, "192.0.2.1", ""), 0)
	if n := k.svc.RateBuckets(); n > 1<<16 {
		t.Errorf("%d are remembered", n)
	}
}
