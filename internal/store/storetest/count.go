package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var countTests = []test{
	{"counts days, directions and states", countsDays},
	{"counts no more than it is asked for", func(k kit) {
		box := k.box("a@x.org")
		list := k.mails(box.Num, 5)
		day := mailbox.DayCount{Day: midnight, Direction: mailbox.Inbound, Status: "received"}
		for _, c := range []struct {
			name  string
			after int64
			limit int
			want  int64
		}{{"all", 0, 5, 5}, {"the newest", 0, 3, 3}, {"after one", list[1].Seq, 10, 3}, {"after the last", list[4].Seq, 10, 0}, {"after any", 1 << 40, 10, 0}, {"none", 0, 0, 0}} {
			var want []mailbox.DayCount
			if c.want > 0 {
				day.Messages, day.Bytes = c.want, 1000*c.want
				want = []mailbox.DayCount{day}
			}
			k.same(c.name, k.days(box.Num, c.after, c.limit), want)
		}
		k.same("a mailbox that is not there", k.days(99, 0, 10), []mailbox.DayCount{})
	}},
	{"tells what mailboxes hold", holdsMail},
	{"tells what happened over all mailboxes", happened},
	{"tells no more than it is asked for", func(k kit) {
		a, b := k.box("a@x.org"), k.box("b@x.org")
		for i, num := range []mailbox.Num{a.Num, b.Num, a.Num, b.Num} {
			m := sample(num, fmt.Sprint("m", i))
			m.ReceivedAt = after(time.Duration(i) * time.Second)
			m = k.mail(m)
			k.event(mailbox.Event{Mailbox: num, Kind: mailbox.MessageDelivered, Message: m.ID, At: m.ReceivedAt})
		}
		for limit, want := range [][]string{{}, {"b@x.org 3s", "b@x.org 3s"}, {"a@x.org 2s", "a@x.org 2s", "b@x.org 3s", "b@x.org 3s"}} {
			var got []string
			for _, h := range k.happenings(limit) {
				got = append(got, fmt.Sprint(h.Address, " ", h.At.Sub(noon)))
			}
			k.same(fmt.Sprint("limit ", limit), got, want)
		}
	}},
}

// midnight is when the day of the suite begins.
var midnight = time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC)

func (k kit) days(num mailbox.Num, after int64, limit int) []mailbox.DayCount {
	k.Helper()
	list := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.DayCount, error) {
		return r.CountDays(ctx, num, after, limit)
	})
	slices.SortFunc(list, func(a, b mailbox.DayCount) int {
		return cmp.Or(a.Day.Compare(b.Day), cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Status, b.Status))
	})
	return list
}

// happenings are in the order of time, mailbox and kind.
func (k kit) happenings(limit int) []mailbox.Happening {
	k.Helper()
	list := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Happening, error) {
		return r.Happenings(ctx, limit)
	})
	slices.SortFunc(list, func(a, b mailbox.Happening) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Address, b.Address), cmp.Compare(a.Kind, b.Kind))
	})
	return list
}

func countsDays(k kit) {
	box, other := k.box("a@x.org"), k.box("b@x.org")
	write := func(num mailbox.Num, at time.Time, direction mailbox.Direction, status string, size int64) mailbox.Message {
		m := sample(num, "m")
		m.ReceivedAt, m.Direction, m.Status, m.Size = at, direction, status, size
		return k.mail(m)
	}
	ms, day := time.Millisecond, 24*time.Hour
	write(box.Num, midnight.Add(-ms), mailbox.Inbound, "received", 1)
	write(box.Num, midnight, mailbox.Inbound, "received", 2)
	gone := write(box.Num, midnight, mailbox.Inbound, "received", 4)
	write(other.Num, midnight, mailbox.Inbound, "received", 8)
	sent := write(box.Num, noon, mailbox.Outbound, "queued", 16)
	write(box.Num, noon, mailbox.Outbound, "bounced", 32)
	write(box.Num, midnight.Add(day), mailbox.Inbound, "received", 64)
	write(box.Num, midnight.Add(day-ms), mailbox.Inbound, "received", 128) // stored later
	k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageBounced, At: noon})
	k.deleteMail(gone)
	k.update(func(ctx context.Context, tx store.Tx) error {
		return tx.UpdateStatus(ctx, box.Num, sent.Seq, "delivered")
	})
	k.same("days", k.days(box.Num, 0, 100), []mailbox.DayCount{
		{Day: midnight.Add(-day), Direction: mailbox.Inbound, Status: "received", Messages: 1, Bytes: 1},
		{Day: midnight, Direction: mailbox.Inbound, Status: "received", Messages: 2, Bytes: 130},
		{Day: midnight, Direction: mailbox.Outbound, Status: "bounced", Messages: 1, Bytes: 32},
		{Day: midnight, Direction: mailbox.Outbound, Status: "delivered", Messages: 1, Bytes: 16},
		{Day: midnight.Add(day), Direction: mailbox.Inbound, Status: "received", Messages: 1, Bytes: 64},
	})
}

func holdsMail(k kit) {
	a, b, empty := k.box("a@x.org"), k.box("b@x.org"), k.box("c@x.org")
	k.mails(a.Num, 3)
	last := sample(a.Num, "last")
	last.ReceivedAt, last.Direction, last.Status = after(time.Hour), mailbox.Outbound, "queued"
	last = k.mail(last)
	k.event(mailbox.Event{Mailbox: a.Num, Kind: mailbox.MessageDelivered, Message: last.ID, At: after(2 * time.Hour)})
	gone := sample(b.Num, "gone")
	gone.ReceivedAt = after(time.Hour)
	k.mails(b.Num, 1)
	k.deleteMail(k.mail(gone))
	holdings := func(nums ...mailbox.Num) map[mailbox.Num]mailbox.Holding {
		return must(k, func(ctx context.Context, r store.Reader) (map[mailbox.Num]mailbox.Holding, error) {
			return r.Holdings(ctx, nums...)
		})
	}
	k.same("several", holdings(empty.Num, a.Num, 99, b.Num), map[mailbox.Num]mailbox.Holding{
		a.Num:     {Counters: k.counters(a.Num), LastAt: last.ReceivedAt},
		b.Num:     {Counters: k.counters(b.Num), LastAt: noon},
		empty.Num: {},
	})
	k.same("none", holdings(), map[mailbox.Num]mailbox.Holding{})
	k.update(func(ctx context.Context, tx store.Tx) error {
		got, err := tx.Holdings(ctx, b.Num, a.Num)
		k.same("in an update", len(got), 2)
		return err
	})
}

func happened(k kit) {
	k.same("at first", k.happenings(10), []mailbox.Happening{})
	a, b, gone := k.box("a@x.org"), k.box("b@x.org"), k.box("c@x.org")
	write := func(num mailbox.Num, at time.Time, direction mailbox.Direction) mailbox.Message {
		m := sample(num, "m")
		m.ReceivedAt, m.Direction = at, direction
		return k.mail(m)
	}
	in, out := write(a.Num, noon, mailbox.Inbound), write(b.Num, after(time.Second), mailbox.Outbound)
	k.event(mailbox.Event{Mailbox: b.Num, Kind: mailbox.MessageBounced, Message: out.ID, At: after(2 * time.Second)})
	k.deleteMail(write(a.Num, after(3*time.Second), mailbox.Inbound))
	write(gone.Num, after(4*time.Second), mailbox.Inbound)
	k.event(mailbox.Event{Mailbox: gone.Num, Kind: mailbox.MessageBounced, At: after(5 * time.Second)})
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.RemoveMailbox(ctx, gone.Num) })
	k.same("happenings", k.happenings(10), []mailbox.Happening{
		{Address: "a@x.org", Kind: mailbox.MessageReceived, Message: in.ID, At: noon},
		{Address: "b@x.org", Kind: mailbox.MessageSent, Message: out.ID, At: after(time.Second)},
		{Address: "b@x.org", Kind: mailbox.MessageBounced, Message: out.ID, At: after(2 * time.Second)},
	})
}
