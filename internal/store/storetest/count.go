package storetest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var countTests = []test{
	{"counts days, directions and states", countsDays},
	{"counts no more than it is asked for", func(k kit) {
		box := k.box("a@x.org")
		list := k.mails(box.Num, 5)
		day := mailbox.SpanCount{At: midnight, Direction: mailbox.Inbound, Status: "received"}
		for _, c := range []struct {
			name  string
			after int64
			limit int
			want  int64
		}{{"all", 0, 5, 5}, {"the newest", 0, 3, 3}, {"after one", list[1].Seq, 10, 3}, {"after the last", list[4].Seq,
			10, 0}, {"after any", 1 << 40, 10, 0}, {"none", 0, 0, 0}} {
			var want []mailbox.SpanCount
			if c.want > 0 {
				day.Messages, day.Bytes = c.want, 1000*c.want
				want = []mailbox.SpanCount{day}
			}
			k.same(c.name, k.days(box.Num, c.after, c.limit), want)
		}
		k.same("a mailbox that is not there", k.days(99, 0, 10), []mailbox.SpanCount{})
	}},
	{"tells what mailboxes hold", holdsMail},
	{"tells what happened over all mailboxes", happened},
	{"tells what waits to leave", waitsToLeave},
	{"has a size", func(k kit) {
		k.mails(k.box("a@x.org").Num, 1)
		if n, err := k.db.Size(k.Context()); n <= 0 || err != nil {
			k.Errorf("%d bytes, %v", n, err)
		}
	}},
	{"tells no more than it is asked for", func(k kit) {
		a, b := k.box("a@x.org"), k.box("b@x.org")
		for i, num := range []mailbox.Num{a.Num, b.Num, a.Num, b.Num} {
			m := sample(num, fmt.Sprint("m", i))
			m.ReceivedAt = after(time.Duration(i) * time.Second)
			m = k.mail(m)
			k.event(mailbox.Event{Mailbox: num, Kind: mailbox.MessageDelivered, Message: m.ID, At: m.ReceivedAt})
		}
		for limit, want := range [][]string{{}, {"b@x.org 3s", "b@x.org 3s"}, {"a@x.org 2s", "a@x.org 2s", "b@x.org 3s",
			"b@x.org 3s"}} {
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

func (k kit) days(num mailbox.Num, after int64, limit int) []mailbox.SpanCount {
	k.Helper()
	list := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.SpanCount, error) {
		return r.CountSpans(ctx, num, after, limit, 24*time.Hour)
	})
	slices.SortFunc(list, func(a, b mailbox.SpanCount) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Status, b.Status))
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
	write := func(num mailbox.Num, at time.Time, direction mailbox.Direction, status string,
		size int64) mailbox.Message {
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
	k.same("days", k.days(box.Num, 0, 100), []mailbox.SpanCount{
		{At: midnight.Add(-day), Direction: mailbox.Inbound, Status: "received", Messages: 1, Bytes: 1},
		{At: midnight, Direction: mailbox.Inbound, Status: "received", Messages: 2, Bytes: 130},
		{At: midnight, Direction: mailbox.Outbound, Status: "bounced", Messages: 1, Bytes: 32},
		{At: midnight, Direction: mailbox.Outbound, Status: "delivered", Messages: 1, Bytes: 16},
		{At: midnight.Add(day), Direction: mailbox.Inbound, Status: "received", Messages: 1, Bytes: 64},
	})
	hours := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.SpanCount, error) {
		return r.CountSpans(ctx, box.Num, 0, 100, time.Hour)
	})
	k.same("hours", len(hours), 6)
	at := func(c mailbox.SpanCount) bool { return c.At.Equal(midnight.Add(23*time.Hour)) && c.Bytes == 128 }
	k.same("the last hour of the day", slices.ContainsFunc(hours, at), true)
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
	k.event(mailbox.Event{Mailbox: b.Num, Kind: mailbox.MessageHeld, Message: out.ID,
		At:     after(1500 * time.Millisecond),
		Result: mailbox.Result{Status: "held"}}) // only when it was due
	k.event(mailbox.Event{Mailbox: b.Num, Kind: mailbox.MessageBounced, Message: out.ID, At: after(2 * time.Second)})
	k.deleteMail(write(a.Num, after(3*time.Second), mailbox.Inbound))
	write(gone.Num, after(4*time.Second), mailbox.Inbound)
	k.event(mailbox.Event{Mailbox: gone.Num, Kind: mailbox.MessageBounced, At: after(5 * time.Second)})
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.RemoveMailbox(ctx, gone.Num) })
	k.same("happenings", k.happenings(10), []mailbox.Happening{
		{Address: "a@x.org", Kind: mailbox.MessageReceived, Message: in.ID, At: noon},
		{Address: "b@x.org", Kind: mailbox.MessageSent, Message: out.ID, At: after(time.Second)},
		{Address: "b@x.org", Kind: mailbox.MessageHeld, Message: out.ID, At: after(1500 * time.Millisecond)},
		{Address: "b@x.org", Kind: mailbox.MessageBounced, Message: out.ID, At: after(2 * time.Second)},
	})
}

var counterTests = []test{
	{"months", func(k kit) {
		box := k.box("a@x.org")
		at := func(month time.Month, day int) mailbox.Message {
			m := sample(box.Num, "one")
			m.ReceivedAt = time.Date(2026, month, day, 0, 0, 0, 0, time.UTC)
			return k.mail(m)
		}
		check := func(name string, month time.Month, want int64) {
			k.Helper()
			c := k.counters(box.Num)
			if c.Month != int32(2026*12+int(month)-1) || c.ThisMonth != want {
				k.Errorf("%s: %d in month %d, want %d in %v", name, c.ThisMonth, c.Month%12+1, want, month)
			}
		}
		jan := at(time.January, 31)
		check("first", time.January, 1)
		at(time.January, 31)
		check("second", time.January, 2)
		feb := at(time.February, 1)
		check("next month", time.February, 1)
		late := at(time.January, 31) // came earlier, was stored later
		check("a late one of last month", time.February, 1)
		at(time.February, 1)
		check("this month again", time.February, 2)
		k.deleteMail(jan)
		k.deleteMail(late)
		check("deleted of last month", time.February, 2)
		k.deleteMail(feb)
		check("deleted of this month", time.February, 1)
		at(time.June, 1)
		check("months later", time.June, 1)
	}},
	{"exact after any sequence", func(k kit) {
		if testing.Short() {
			k.Skip("long")
		}
		for seed := range uint64(2) {
			m := &model{kit: k, rand: rand.New(rand.NewPCG(seed, 1)), boxes: map[mailbox.Num]*modelBox{}, now: noon}
			for i := range 3 {
				m.addBox(fmt.Sprintf("s%d-%d@x.org", seed, i))
			}
			for step := range 100 {
				m.step()
				m.check(fmt.Sprintf("seed %d, step %d", seed, step))
				if k.Failed() {
					return
				}
			}
		}
	}},
}

func (k kit) counters(num mailbox.Num) mailbox.Counters {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Counters, error) { return r.Counters(ctx, num) })
}

// model is what the store should hold, kept in the simplest way.
type model struct {
	kit
	rand  *rand.Rand
	boxes map[mailbox.Num]*modelBox
	now   time.Time
}

type modelBox struct {
	mailbox.Mailbox
	messages []mailbox.Message // oldest first
	month    int32
}

func (m *model) addBox(address string) {
	box := m.box(address)
	m.boxes[box.Num] = &modelBox{Mailbox: box}
}

// step does something to a mailbox, several times in one transaction, and in one of five makes the transaction fail.
func (m *model) step() {
	m.now = m.now.Add(time.Duration(m.rand.IntN(5*24)) * time.Hour)
	nums := make([]mailbox.Num, 0, len(m.boxes))
	for num := range m.boxes {
		nums = append(nums, num)
	}
	num := min(nums[0], nums[1], nums[2]) + mailbox.Num(m.rand.IntN(3))
	box, ok := m.boxes[num]
	if !ok {
		return
	}
	if m.rand.IntN(30) == 0 {
		m.replace(box)
		return
	}
	var next *modelBox
	fails := m.rand.IntN(5) == 0
	seed := m.rand.Uint64()
	err := m.db.Update(m.Context(), func(tx store.Tx) error {
		// It may be run again, so it begins from scratch and does the same each time.
		next = &modelBox{Mailbox: box.Mailbox, messages: append([]mailbox.Message(nil), box.messages...),
			month: box.month}
		m.rand = rand.New(rand.NewPCG(seed, 0))
		for range 1 + m.rand.IntN(6) {
			if err := m.act(m.Context(), tx, next); err != nil {
				return err
			}
		}
		if fails {
			return errOwn
		}
		return nil
	})
	if fails {
		m.is("a failing update", err, errOwn)
		return
	}
	if err != nil {
		m.Fatal(err)
	}
	m.boxes[num] = next
}

// replace removes a mailbox and recreates it.
func (m *model) replace(box *modelBox) {
	m.remove(box.Num)
	delete(m.boxes, box.Num)
	m.addBox(box.Address)
	m.purge(box.Num, 3)
}

// act inserts, changes or deletes one message.
func (m *model) act(ctx context.Context, tx store.Tx, box *modelBox) error {
	if n := len(box.messages); n > 0 && m.rand.IntN(2) == 0 {
		i := m.rand.IntN(n)
		if m.rand.IntN(2) == 0 {
			gone := box.messages[i]
			box.messages = append(box.messages[:i:i], box.messages[i+1:]...)
			return tx.DeleteMessage(ctx, gone, nil)
		}
		changed := &box.messages[i]
		changed.Seen, changed.Taken = m.rand.IntN(2) == 0, m.rand.IntN(2) == 0
		changed.Labels = mailbox.Relabel(changed.Labels, []string{fmt.Sprintf("l%d", m.rand.IntN(5))},
			[]string{fmt.Sprintf("l%d", m.rand.IntN(5))})
		return tx.UpdateMessage(ctx, *changed)
	}
	made := sample(box.Num, fmt.Sprint(m.rand.Uint64()))
	made.Size, made.Seen, made.ReceivedAt = m.rand.Int64N(1<<30), m.rand.IntN(3) == 0, m.now
	if m.rand.IntN(3) == 0 {
		made.Direction = mailbox.Outbound
	}
	if m.rand.IntN(8) == 0 {
		made.ReceivedAt = m.now.Add(-24 * time.Hour) // stored late, perhaps in the next month
	}
	if err := tx.InsertMessage(ctx, &made, store.Content{Packed: []byte(made.Subject)}); err != nil {
		return err
	}
	box.month = max(box.month, mailbox.MonthOf(made.ReceivedAt))
	box.messages = append(box.messages, made)
	return nil
}

// check compares every mailbox with the model.
func (m *model) check(when string) {
	for num, box := range m.boxes {
		want := mailbox.Counters{Month: box.month}
		list := make([]mailbox.Message, 0, len(box.messages))
		for _, msg := range box.messages {
			if msg.Direction == mailbox.Outbound {
				want.Outbound++
			} else {
				want.Inbound++
			}
			if !msg.Seen {
				want.Unseen++
			}
			if mailbox.MonthOf(msg.ReceivedAt) == box.month {
				want.ThisMonth++
			}
			want.Bytes += msg.Size
			list = append([]mailbox.Message{msg}, list...)
		}
		m.same(when+": counters", m.counters(num), want)
		got := must(m.kit, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
			return r.Messages(ctx, num, store.MessageFilter{Limit: 1000})
		})
		m.same(when+": messages", got, list)
	}
}

func waitsToLeave(k kit) {
	backlog := func(limit int) mailbox.Backlog {
		return must(k, func(ctx context.Context, r store.Reader) (mailbox.Backlog, error) {
			return r.Backlog(ctx, limit)
		})
	}
	k.same("nothing", backlog(10), mailbox.Backlog{})
	m := k.sentMail("a@x.org")
	for n, d := range []mailbox.Delivery{
		{NextAt: after(time.Hour), QueuedAt: after(time.Minute)}, // deferred
		{NextAt: after(time.Second), QueuedAt: noon},
		{QueuedAt: after(-time.Hour)}, // done
		{QueuedAt: after(-time.Hour), Status: mailbox.OnHold},
	} {
		d.Mailbox, d.Message, d.Seq, d.N = m.Mailbox, m.ID, m.Seq, n+1
		k.delivery(d)
	}
	target, other := k.target(m.Mailbox, "https://x/1"), k.target(m.Mailbox, "https://x/2")
	for i, t := range []mailbox.HookTarget{target, other, other} {
		k.hook(t, func(h *mailbox.Hook) { h.At = after(time.Duration(i+1) * time.Second) })
	}
	k.hook(target, func(h *mailbox.Hook) { h.State, h.NextAt = mailbox.HookHeld, time.Time{} })
	want := mailbox.Backlog{Deliveries: 2, OnHold: 1, OldestDelivery: noon, Hooks: 3, OldestHook: after(time.Second)}
	k.same("all", backlog(10), want)
	got := backlog(1)
	k.same("counted to a limit", []int64{got.Deliveries, got.Hooks}, []int64{1, 1})
	k.same("and still the oldest delivery", got.OldestDelivery, noon)
}
