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
			{"before the mailbox was", noon.UnixMilli() - 1, 10, all},
			{"after the third", all[2].Number, 10, all[3:]},
			{"after the third, limit", all[2].Number, 2, all[3:5]},
			{"after the last", all[6].Number, 10, nil},
			{"far after the last", 1<<63 - 1, 10, nil},
		} {
			k.same(c.name, k.events(box.Num, c.after, c.limit), c.want)
		}
	}},
	{"a message is one", func(k kit) {
		box := k.box("a@x.org")
		mails := k.mails(box.Num, 2)
		later := k.event(mailbox.Event{Mailbox: box.Num, Kind: "message.delivered", Message: mails[0].ID, At: noon})
		want := []mailbox.Event{
			{Mailbox: box.Num, Number: later.Number - 2, Kind: mailbox.MessageReceived, Message: mails[0].ID, At: mails[0].ReceivedAt},
			{Mailbox: box.Num, Number: later.Number - 1, Kind: mailbox.MessageReceived, Message: mails[1].ID, At: mails[1].ReceivedAt},
			later,
		}
		k.same("events", k.events(box.Num, 0, 10), want)
		k.same("events after the first", k.events(box.Num, want[0].Number, 10), want[1:])
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteMessage(ctx, mails[0], nil) })
		k.same("events with the message deleted", k.events(box.Num, 0, 10), want)
	}},
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
