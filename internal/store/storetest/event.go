package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var eventTests = []test{
	{"is found whole", func(k kit) {
		box := k.box("a@x.org")
		e := k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageReceived, Message: mailbox.NewID(noon),
			At: noon})
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
	{"a recreated mailbox goes on where the old one was", func(k kit) {
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
		delivered := k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageDelivered, Message: list[1].ID,
			At: noon})
		list[1].Seen, list[1].Labels, list[1].Status, list[1].Code, list[1].Taken = true, []string{"mine"}, "delivered",
			"123456", true
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
		want = append(want, k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageBounced, Message: foreign.ID,
			At: noon}))
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
		_, err := ask(k, func(ctx context.Context, r store.Reader) ([]mailbox.Event, error) {
			return r.Events(ctx, 99,
				0, 10)
		})
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
		_, err = ask(k, func(ctx context.Context, r store.Reader) (int64, error) { return r.EventSeq(ctx, 99, 1) })
		k.is("EventSeq", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (int64, error) { return r.EventNumber(ctx, 99, 1) })
		k.is("EventNumber", err, store.ErrNotFound)
	}},
	{"a number has a place in the log, and the place the number", func(k kit) {
		box := k.box("a@x.org")
		seqAt := func(number int64) int64 {
			return must(k, func(ctx context.Context, r store.Reader) (int64, error) {
				return r.EventSeq(ctx, box.Num, number)
			})
		}
		k.same("before the first", seqAt(k.last(box.Num)), int64(0))
		for range 3 {
			k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageReceived, At: noon})
		}
		for i, e := range k.events(box.Num, 0, 10) {
			k.same("seq", seqAt(e.Number), int64(i+1))
			k.same("number", must(k, func(ctx context.Context, r store.Reader) (int64, error) {
				return r.EventNumber(ctx, box.Num, int64(i+1))
			}), e.Number)
		}
		k.same("of another mailbox, or lost", seqAt(k.last(box.Num)+1000), int64(3))
		k.same("from the beginning", seqAt(1), int64(0))
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

// happened returns the events that stored messages are.
func (k kit) happened(list ...mailbox.Message) (out []mailbox.Event) {
	k.Helper()
	for _, m := range list {
		e := mailbox.Event{Mailbox: m.Mailbox, Number: k.base(m.Mailbox) + m.Seq, Kind: mailbox.MessageReceived,
			Message: m.ID,
			At:      m.ReceivedAt, Mail: &m}
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
	for _, kind := range []mailbox.EventKind{mailbox.MessageDelivered, mailbox.MessageBounced,
		mailbox.MessageComplained} {
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
				all = append(all, k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageBounced,
					Message: mailbox.NewID(noon), At: noon}))
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

var eventTimeTests = []test{
	{"finds the last before a time", untilTimes},
	{"finds it after any sequence", func(k kit) {
		for seed := range uint64(4) {
			untilModel(k, rand.New(rand.NewPCG(seed, 3)), fmt.Sprintf("s%d@x.org", seed), 0)
		}
	}},
	{"finds one nearby where times are out of order", func(k kit) {
		for seed := range uint64(4) {
			untilModel(k, rand.New(rand.NewPCG(seed, 4)), fmt.Sprintf("s%d@x.org", seed), 3*time.Second)
		}
	}},
	{"trims old ones of all mailboxes", trims},
	{"trims in steps", func(k kit) {
		a, b := k.box("a@x.org"), k.box("b@x.org")
		for i := range 10 {
			for _, num := range []mailbox.Num{a.Num, b.Num} {
				k.event(mailbox.Event{Mailbox: num, Kind: mailbox.MessageBounced,
					At: after(time.Duration(i) * time.Second)})
			}
		}
		left := func() int { return len(k.events(a.Num, 0, 100)) + len(k.events(b.Num, 0, 100)) }
		for _, want := range []int{13, 6, 4, 4} { // 16 of 20 are old
			more := k.trimEvents(after(8*time.Second), 7)
			k.same("left", left(), want)
			if want > 4 && !more {
				k.Errorf("no more with %d left", want)
			}
			if want == 4 && more {
				k.Error("more with nothing old left")
			}
		}
	}},
}

func (k kit) until(num mailbox.Num, before time.Time) int64 {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (int64, error) {
		n, seq, err := r.EventsUntil(ctx, num, before)
		if last, at, _ := r.LastEvent(ctx, num); n-seq != last-at {
			k.Errorf("the event %d has Seq %d, and the last, %d, has %d", n, seq, last, at)
		}
		return n, err
	})
}

func (k kit) trimEvents(before time.Time, limit int) (more bool) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) (err error) {
		_, more, err = tx.TrimEvents(ctx, before, limit)
		return err
	})
	return more
}

// untilTimes asks for times in logs that are written as one letter an event: m for a message, d for one that was
// deleted, e for another event, - for one that was trimmed. A second lies between any two.
func untilTimes(k kit) {
	for i, log := range []string{"", "m", "e", "d", "-", "mm", "me", "em", "mem", "---m", "m---", "e---e", "--d--",
		"mmmmmmmm", "eeeeeee",
		"m-e-d-m", "medmedmed", "-m--e---d----m-----e", "mmmmmmmmmmmmmmmm-",
		"e" + "----------------------------------" + "m"} {
		box := k.box(fmt.Sprintf("a%d@x.org", i))
		base := k.base(box.Num)
		k.writeLog(box.Num, log)
		for s := range len(log) + 2 {
			want := base
			for n := range min(s, len(log)) {
				if log[n] != '-' {
					want = base + int64(n) + 1
				}
			}
			at := after(time.Duration(s) * time.Second) // event n is of second n
			k.same(fmt.Sprintf("%q until %d", log, s), k.until(box.Num, at), want)
			if s > 0 {
				k.same(fmt.Sprintf("%q until just before %d", log, s), k.until(box.Num, at.Add(-time.Millisecond)),
					want)
			}
		}
		k.same(log+": no time", k.until(box.Num, time.Time{}), base)
	}
}

func (k kit) writeLog(num mailbox.Num, log string) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error {
		for i, letter := range log {
			at := after(time.Duration(i) * time.Second)
			if letter == '-' {
				at = after(-time.Hour)
			}
			if err := appendLog(ctx, tx, num, letter, at); err != nil {
				return err
			}
		}
		_, _, err := tx.TrimEvents(ctx, noon, len(log)+1)
		return err
	})
}

// appendLog appends one thing to a log; what is to be trimmed is an event.
func appendLog(ctx context.Context, tx store.Tx, num mailbox.Num, letter rune, at time.Time) error {
	if letter == 'e' || letter == '-' {
		return tx.AppendEvent(ctx, &mailbox.Event{Mailbox: num, Kind: mailbox.MessageDelivered, At: at})
	}
	m := sample(num, string(letter))
	m.ReceivedAt = at
	err := tx.InsertMessage(ctx, &m, store.Content{})
	if err == nil && letter == 'd' {
		err = tx.DeleteMessage(ctx, m, nil)
	}
	return err
}

// untilModel writes a log with gaps between those of two neighbours and asks for times in it. Its times are out of
// order by at most so much, and so are the answers: they are exact where there is no disorder.
func untilModel(k kit, random *rand.Rand, address string, disorder time.Duration) {
	before, box, behind := k.box("before-"+address), k.box(address), k.box("behind-"+address)
	k.update(func(ctx context.Context, tx store.Tx) error {
		now := noon
		for range 150 {
			now = now.Add(time.Duration(random.IntN(3)) * time.Second) // often the same
			letter, at := []rune("mde-")[random.IntN(4)], now.Add(-time.Duration(random.Int64N(int64(disorder)+1)))
			if letter == '-' {
				at = after(-time.Hour)
			}
			for _, num := range []mailbox.Num{before.Num, behind.Num} {
				if err := appendLog(ctx, tx, num, 'm', after(time.Duration(random.IntN(300))*time.Second)); err != nil {
					return err
				}
			}
			if err := appendLog(ctx, tx, box.Num, letter, at); err != nil {
				return err
			}
		}
		_, _, err := tx.TrimEvents(ctx, after(-time.Minute), 1000)
		return err
	})
	all := k.events(box.Num, 0, 1000)
	for s := -5; s < 310; s++ {
		at := after(time.Duration(s) * time.Second)
		got := k.until(box.Num, at)
		if got != k.base(box.Num) && !slices.ContainsFunc(all, func(e mailbox.Event) bool { return e.Number == got }) {
			k.Errorf("%s until %d: there is no event %d", address, s, got)
		}
		for _, e := range all {
			if e.Number <= got && !e.At.Before(at.Add(disorder)) || e.Number > got && e.At.Before(at.Add(-disorder)) {
				k.Fatalf("%s until %d: event %d, but %d is of %v", address, s, got, e.Number, e.At.Sub(noon))
			}
		}
	}
}

func trims(k kit) {
	a, b := k.box("a@x.org"), k.box("b@x.org")
	var want []mailbox.Event
	for i, letter := range "mdemde" {
		at := after(time.Duration(i-3) * time.Second) // the fourth is of noon
		for _, num := range []mailbox.Num{a.Num, b.Num} {
			k.update(func(ctx context.Context, tx store.Tx) error { return appendLog(ctx, tx, num, letter, at) })
		}
		if letter == 'm' || !at.Before(noon) {
			want = append(want, k.events(a.Num, k.last(a.Num)-1, 1)...)
		}
	}
	other := len(k.events(b.Num, 0, 100))
	last := k.last(a.Num)
	k.is("Update", k.db.Update(k.Context(), func(tx store.Tx) error {
		if _, _, err := tx.TrimEvents(k.Context(), noon, 100); err != nil {
			return err
		}
		return errOwn
	}), errOwn)
	k.same("undone", len(k.events(a.Num, 0, 100)), 6)
	// What an update still holds that is being undone is left for the next time.
	for began := time.Now(); len(k.events(a.Num, 0, 100))+len(k.events(b.Num, 0, 100)) > 2*(other-2) &&
		time.Since(began) < 20*time.Second; {
		k.trimEvents(noon, 100)
	}
	for range 2 {
		if k.trimEvents(noon, 100) {
			k.Error("there are more")
		}
		k.same("left", k.events(a.Num, 0, 100), want)
		k.same("the other's left", len(k.events(b.Num, 0, 100)), other-2)
	}
	k.same("from one that is gone on", k.events(a.Num, want[0].Number+1, 100), want[1:])
	k.same("messages", k.subjects(a.Num, store.MessageFilter{}), []string{"m", "m"})
	next := k.event(mailbox.Event{Mailbox: a.Num, Kind: mailbox.MessageBounced, At: noon})
	k.same("the next number", next.Number, last+1)
	k.trimEvents(after(time.Hour), 100)
	k.deleteMail(*want[0].Mail) // its event is old, and goes with the next
	want[0].Mail = nil
	k.same("a message deleted later", k.events(a.Num, 0, 1), want[:1])
	k.trimEvents(after(time.Hour), 100)
	k.same("one message is left", k.events(a.Num, 0, 100), want[1:2])
}
