package service_test

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestStats(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	month := func(m time.Month) int32 { return int32(2026*12 + int(m) - 1) }
	size := func(s string) int64 { return int64(len(letter(s))) }
	expect := func(when string, want mailbox.Counters) {
		t.Helper()
		got, err := k.svc.Stats(t.Context(), own.read(), 0)
		k.works("Stats", err)
		k.same(when, got, service.Stats{Address: own.Address, Counters: want})
	}
	expect("empty", mailbox.Counters{Month: month(time.March)})

	k.clock.set(time.Date(2026, time.March, 31, 23, 59, 59, 999e6, time.UTC))
	a := k.receive(letter("a"), own.Address)[0].ID
	k.receive(letter("a"), own.Address) // a duplicate
	expect("the last moment of March", mailbox.Counters{Inbound: 1, Unseen: 1, Bytes: size("a"),
		Month: month(time.March), ThisMonth: 1})
	k.clock.advance(time.Millisecond)
	expect("the first of April", mailbox.Counters{Inbound: 1, Unseen: 1, Bytes: size("a"), Month: month(time.April)})
	b := k.receive(letter("b"), own.Address)[0].ID
	expect("one in April", mailbox.Counters{Inbound: 2, Unseen: 2, Bytes: 2 * size("a"), Month: month(time.April),
		ThisMonth: 1})
	seen := true
	for range 2 {
		_, err := k.svc.ChangeMessage(t.Context(), own.change(), a, service.MessageChange{Seen: &seen})
		k.works("ChangeMessage", err)
	}
	expect("one seen", mailbox.Counters{Inbound: 2, Unseen: 1, Bytes: 2 * size("a"), Month: month(time.April),
		ThisMonth: 1})
	k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), a))
	expect("March's deleted", mailbox.Counters{Inbound: 1, Unseen: 1, Bytes: size("b"), Month: month(time.April),
		ThisMonth: 1})
	k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), b))
	expect("all deleted", mailbox.Counters{Month: month(time.April)})
}

// The month is that of UTC, whatever the zone of the machine's clock.
func TestStatsZone(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	k.clock.set(time.Date(2026, time.April, 1, 1, 0, 0, 0, time.FixedZone("", 2*60*60)))
	k.receive(letter("a"), own.Address)
	got, err := k.svc.Stats(t.Context(), own.read(), 0)
	k.works("Stats", err)
	k.same("month", []int64{int64(got.Month%12) + 1, got.ThisMonth}, []int64{3, 1})
}
