package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var eventTests = []test{
	{"is found whole", func(k kit) {
		box := k.box("a@x.org")
		e := k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageReceived, Message: mailbox.NewID(noon), At: noon})
		k.same("events", k.events(box.Num, 0, 10), []mailbox.Event{e})
	}},
	{"numbers grow from the mailbox's creation", func(k kit) {
		a, b := k.box("a@x.org"), k.box("b@x.org")
		last := map[mailbox.Num]int64{a.Num: noon.UnixMilli(), b.Num: noon.UnixMilli()}
		for range 5 {
			for num := range last {
				e := k.event(mailbox.Event{Mailbox: num, Kind: mailbox.MessageReceived, At: noon})
				if e.Number <= last[num] {
					k.Errorf("number %d after %d", e.Number, last[num])
				}
				last[num] = e.Number
			}
		}
	}},
	{"a mailbox made anew goes on where the old one was", func(k kit) {
		old := k.box("a@x.org")
		last := k.event(mailbox.Event{Mailbox: old.Num, Kind: mailbox.MessageReceived, At: noon})
		k.remove(old.Num)
		again := sampleBox("a@x.org")
		again.CreatedAt = noon.Add(time.Second)
		again = k.insertBox(again)
		first := k.event(mailbox.Event{Mailbox: again.Num, Kind: mailbox.MessageReceived, At: noon})
		k.same("a reader of the old one misses nothing", k.events(again.Num, last.Number, 10), []mailbox.Event{first})
	}},
	{"in order, after a number", func(k kit) {
		box, other := k.box("a@x.org"), k.box("o@x.org")
		var all []mailbox.Event
		for i := range 7 {
			all = append(all, k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.EventKind(fmt.Sprint("kind", i)),
				Message: mailbox.NewID(noon), At: noon.Add(-time.Duration(i) * time.Second)}))
			k.event(mailbox.Event{Mailbox: other.Num, Kind: mailbox.MessageReceived, At: noon})
		}
		for _, c := range []struct {
			name  string
			after int64
			limit int
			want  []mailbox.Event
		}{
			{"all", 0, 10, all},
			{"limit", 0, 3, all[:3]},
			{"a negative number", -1, 10, all},
			{"the least number", -1 << 63, 10, all},
			{"before the mailbox was", noon.UnixMilli() - 1, 10, all},
			{"after the third", all[2].Number, 10, all[3:]},
			{"after the third, limit", all[2].Number, 2, all[3:5]},
			{"after the last", all[6].Number, 10, nil},
			{"far after the last", 1<<63 - 1, 10, nil},
		} {
			k.same(c.name, k.events(box.Num, c.after, c.limit), c.want)
		}
	}},
	{"a message is one", messageEvents},
	{"shows the message as it is now", func(k kit) {
		box := k.box("a@x.org")
		list := k.mails(box.Num, 2)
		delivered := k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageDelivered, Message: list[1].ID, At: noon})
		list[1].Seen, list[1].Labels, list[1].Status, list[1].Code, list[1].Taken = true, []string{"mine"}, "delivered", "123456", true
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMessage(ctx, list[1]) })
		k.join(&list[1], list[0].ID)
		delivered.Mail = &list[1]
		k.same("events", k.events(box.Num, 0, 10), append(k.happened(list...), delivered))
	}},
	{"messages and others are in one order", mergedEvents},
	{"of another mailbox is never shown", func(k kit) {
		before, box, after := k.box("before@x.org"), k.box("a@x.org"), k.box("after@x.org")
		var want []mailbox.Event
		for range 3 {
			for _, num := range []mailbox.Num{before.Num, box.Num, after.Num} {
				m := k.mail(sample(num, "one"))
				e := k.event(mailbox.Event{Mailbox: num, Kind: mailbox.MessageDelivered, Message: m.ID, At: noon})
				if e.Mail = &m; num == box.Num {
					want = append(append(want, k.happened(m)...), e)
				}
			}
		}
		foreign := k.mail(sample(after.Num, "foreign"))
		want = append(want, k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageBounced, Message: foreign.ID, At: noon}))
		k.same("events", k.events(box.Num, 0, 100), want) // nor its message
		k.deleteMail(*want[0].Mail)
		want[0].Mail, want[1].Mail = nil, nil
		k.same("events with a message deleted", k.events(box.Num, 0, 100), want)
		k.remove(before.Num)
		k.purge(before.Num, 10)
		k.same("events with a mailbox removed", k.events(box.Num, 0, 100), want)
	}},
	{"the newest has the last number", lastEvents},
	{"an undone one leaves no gap that a later one fills", func(k kit) {
		box := k.box("a@x.org")
		first := k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageReceived, At: noon})
		k.is("Update", k.db.Update(k.Context(), func(tx store.Tx) error {
			_ = tx.AppendEvent(k.Context(), &mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageReceived, At: noon})
			return errOwn
		}), errOwn)
		second := k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageReceived, At: noon})
		k.same("events", k.events(box.Num, 0, 10), []mailbox.Event{first, second})
	}},
	{"of no mailbox", func(k kit) {
		_, err := ask(k, func(ctx context.Context, r store.Reader) ([]mailbox.Event, error) { return r.Events(ctx, 99, 0, 10) })
		k.is("Events", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (n int64, err error) {
			n, _, err = r.LastEvent(ctx, 99)
			return n, err
		})
		k.is("LastEvent", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (n int64, err error) {
			n, _, err = r.EventsUntil(ctx, 99, noon)
			return n, err
		})
		k.is("EventsUntil", err, store.ErrNotFound)
	}},
}

func (k kit) event(e mailbox.Event) mailbox.Event {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.AppendEvent(ctx, &e) })
	return e
}

func (k kit) events(num mailbox.Num, after int64, limit int) []mailbox.Event {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Event, error) {
		return r.Events(ctx, num, after, limit)
	})
}

// base is the number before the first event of a mailbox.
func (k kit) base(num mailbox.Num) int64 {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (int64, error) {
		number, seq, err := r.LastEvent(ctx, num)
		return number - seq, err
	})
}

func (k kit) last(num mailbox.Num) int64 {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (n int64, err error) {
		n, _, err = r.LastEvent(ctx, num)
		return n, err
	})
}

// happened gives the events that stored messages are.
func (k kit) happened(list ...mailbox.Message) (out []mailbox.Event) {
	k.Helper()
	for _, m := range list {
		e := mailbox.Event{Mailbox: m.Mailbox, Number: k.base(m.Mailbox) + m.Seq, Kind: mailbox.MessageReceived, Message: m.ID,
			At: m.ReceivedAt, Mail: &m}
		if m.Direction == mailbox.Outbound {
			e.Kind = mailbox.MessageSent
		}
		out = append(out, e)
	}
	return out
}

func messageEvents(k kit) {
	box := k.box("a@x.org")
	in, out := k.mail(sample(box.Num, "in")), k.mail(fullMessage(box.Num))
	want := k.happened(in, out)
	k.same("received and sent", k.events(box.Num, 0, 10), want)
	for _, kind := range []mailbox.EventKind{mailbox.MessageDelivered, mailbox.MessageBounced, mailbox.MessageComplained} {
		e := k.event(mailbox.Event{Mailbox: box.Num, Kind: kind, Message: out.ID, At: noon.Add(time.Hour)})
		e.Mail = &out
		want = append(want, e)
	}
	k.same("with others", k.events(box.Num, 0, 10), want)
	k.same("after the first", k.events(box.Num, want[0].Number, 10), want[1:])
	for i, e := range want {
		k.same("number", e.Number, want[0].Number+int64(i))
	}
	if want[0].Number <= noon.UnixMilli() {
		k.Errorf("number %d is not above the mailbox's creation, %d", want[0].Number, noon.UnixMilli())
	}
	k.deleteMail(in)
	want[0].Mail = nil
	k.same("one deleted", k.events(box.Num, 0, 10), want)
	k.deleteMail(out)
	for i := range want {
		want[i].Mail = nil
	}
	k.same("both deleted", k.events(box.Num, 0, 10), want)
	k.same("both deleted, after the first", k.events(box.Num, want[0].Number, 10), want[1:])
}

// mergedEvents lists a log of messages, deleted messages and others in every order that three of them can have, from
// everywhere on and with several limits.
func mergedEvents(k kit) {
	box := k.box("a@x.org")
	var all []mailbox.Event
	for i := range 27 {
		for _, what := range []int{i / 9, i / 3 % 3, i % 3} {
			if what == 0 {
				all = append(all, k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageBounced, Message: mailbox.NewID(noon), At: noon}))
				continue
			}
			m := k.mail(sample(box.Num, fmt.Sprint(i)))
			e := k.happened(m)[0]
			if what == 1 {
				k.deleteMail(m)
				e.Mail = nil
			}
			all = append(all, e)
		}
	}
	k.view(func(ctx context.Context, r store.Reader) error {
		for from := range all {
			for _, limit := range []int{1, 2, 7, len(all) - from, 1000} {
				if limit > 7 && from%9 > 0 {
					continue
				}
				got, err := r.Events(ctx, box.Num, all[from].Number-1, limit)
				if err != nil {
					return err
				}
				k.same(fmt.Sprintf("%d from %d on", limit, from), got, all[from:min(from+limit, len(all))])
			}
		}
		return nil
	})
}

func lastEvents(k kit) {
	box, other := k.box("a@x.org"), k.box("o@x.org")
	check := func(name string, want int64) {
		k.Helper()
		k.same(name, k.last(box.Num), want)
		k.same(name+": after it", k.events(box.Num, want, 10), []mailbox.Event{})
	}
	base := k.base(box.Num)
	if base < noon.UnixMilli() {
		k.Errorf("numbers begin at %d, before the mailbox's creation, %d", base, noon.UnixMilli())
	}
	check("none yet", base)
	m := k.mail(sample(box.Num, "one"))
	check("a message", base+m.Seq)
	e := k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageDelivered, At: noon})
	check("another event", e.Number)
	k.mails(other.Num, 3)
	check("others in another mailbox", e.Number)
	m = k.mail(sample(box.Num, "two"))
	k.deleteMail(m)
	check("a deleted message", base+m.Seq)
	k.trimEvents(noon.Add(time.Hour), 100)
	check("trimmed", base+m.Seq)
	m = k.mail(sample(box.Num, "three"))
	check("a message after that", base+m.Seq)
	k.same("base", k.base(box.Num), base)
}
