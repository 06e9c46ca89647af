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
				k.event(mailbox.Event{Mailbox: num, Kind: mailbox.MessageBounced, At: after(time.Duration(i) * time.Second)})
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
		more, err = tx.TrimEvents(ctx, before, limit)
		return err
	})
	return more
}

// untilTimes asks for times in logs that are written as one letter an event: m for a message, d for one that was deleted,
// e for another event, - for one that was trimmed. A second lies between any two.
func untilTimes(k kit) {
	for i, log := range []string{"", "m", "e", "d", "-", "mm", "me", "em", "mem", "---m", "m---", "e---e", "--d--", "mmmmmmmm", "eeeeeee",
		"m-e-d-m", "medmedmed", "-m--e---d----m-----e", "mmmmmmmmmmmmmmmm-", "e" + "----------------------------------" + "m"} {
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
				k.same(fmt.Sprintf("%q until just before %d", log, s), k.until(box.Num, at.Add(-time.Millisecond)), want)
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
		_, err := tx.TrimEvents(ctx, noon, len(log)+1)
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

// untilModel writes a log with gaps between those of two neighbours and asks for times in it. Its times are out of order by
// at most so much, and so are the answers: they are exact where there is no disorder.
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
		_, err := tx.TrimEvents(ctx, after(-time.Minute), 1000)
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
		if _, err := tx.TrimEvents(k.Context(), noon, 100); err != nil {
			return err
		}
		return errOwn
	}), errOwn)
	k.same("undone", len(k.events(a.Num, 0, 100)), 6)
	// What an update still holds that is being undone is left for the next time.
	for began := time.Now(); len(k.events(a.Num, 0, 100))+len(k.events(b.Num, 0, 100)) > 2*(other-2) && time.Since(began) < 20*time.Second; {
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
