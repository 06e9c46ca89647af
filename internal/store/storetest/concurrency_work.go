package storetest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func leaseOnce(k kit) {
	var all []mailbox.Delivery
	for i := range 3 {
		m := k.sentMail(fmt.Sprintf("a%d@x.org", i))
		for n := range 5 {
			d := mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: n, Destination: "y.org", NextAt: noon, QueuedAt: noon}
			k.delivery(d)
			all = append(all, d)
		}
	}
	leases := func(most int64) {
		for _, d := range k.dueFor("y.org", after(24*time.Hour), 100) {
			if d.Lease < 1 || d.Lease > most {
				k.Errorf("delivery %d of %d was leased %d times", d.N, d.Mailbox, d.Lease)
			}
		}
	}
	k.race(6, func(ctx context.Context, tx store.Tx, i int) error {
		for j := range all {
			d := all[(j+5*i)%len(all)] // each in another order of mailboxes
			d, err := tx.Delivery(ctx, d.Mailbox, d.Seq, d.N)
			if err == nil && !d.NextAt.After(noon) {
				err = tx.UpdateDelivery(ctx, d.Take(after(time.Hour)))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	leases(1)
	k.race(6, func(ctx context.Context, tx store.Tx, _ int) error {
		due, err := tx.DueDeliveries(ctx, "y.org", after(time.Hour), 4)
		for _, d := range due {
			if err == nil {
				err = tx.UpdateDelivery(ctx, d.Take(after(3*time.Hour)))
			}
		}
		return err
	})
	leases(2)
}

func takeOnce(k kit) {
	const boxes, each = 4, 5
	for i := range boxes {
		t := k.target(k.box(fmt.Sprintf("a%d@x.org", i)).Num, "https://x/1")
		for range each {
			k.hook(t)
		}
	}
	leases := make(map[mailbox.ID]int64)
	for range boxes * each { // those who come at the same time may pass over each other's
		k.race(4, func(ctx context.Context, tx store.Tx, _ int) error {
			targets, err := tx.DueTargets(ctx, noon, nil, 10)
			for _, t := range targets {
				if err == nil {
					err = takeHooks(ctx, tx, t)
				}
			}
			return err
		})
		if len(k.dueTargets(noon)) == 0 {
			break
		}
	}
	for i := range boxes {
		box := k.at(fmt.Sprintf("a%d@x.org", i))
		for _, h := range must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Hook, error) {
			return r.Hooks(ctx, box.Num, store.HookFilter{Limit: 100})
		}) {
			leases[h.ID] = h.Lease
		}
	}
	k.same("hooks", len(leases), boxes*each)
	for id, n := range leases {
		if n != 1 {
			k.Errorf("hook %v was taken %d times", id, n)
		}
	}
}

// takeHooks leases two hooks of a target.
func takeHooks(ctx context.Context, tx store.Tx, t mailbox.HookTarget) error {
	due, err := tx.DueHooks(ctx, t.Number, noon, 2)
	for _, h := range due {
		if err == nil {
			err = tx.UpdateHook(ctx, h.Take(after(time.Hour)))
		}
	}
	if err != nil {
		return err
	}
	return tx.SettleTargets(ctx, t.Number)
}

func purgeByTwo(k kit) {
	box := k.box("a@x.org").Num
	old := furnish(k, box, 12)
	k.remove(box)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for done := false; !done; {
				err := k.db.Update(k.Context(), func(tx store.Tx) (err error) {
					done, err = tx.Purge(k.Context(), box, 3)
					return err
				})
				if err != nil {
					k.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	isGone(k, box, old)
}

// followEvents reads a log while it is written.
func followEvents(k kit) {
	box := k.box("a@x.org").Num
	const writers, each = 4, 15
	wait := k.write(writers, each, func(ctx context.Context, tx store.Tx, i int) error {
		if i%2 == 0 {
			return tx.AppendEvent(ctx, &mailbox.Event{Mailbox: box, Kind: mailbox.MessageDelivered, At: noon})
		}
		m := sample(box, fmt.Sprint(i))
		return tx.InsertMessage(ctx, &m, store.Content{})
	})
	defer wait()
	next := k.base(box) + 1
	end := next + writers*each
	k.soon("events", func() bool {
		for _, e := range k.events(box, next-1, 7) {
			if e.Number != next {
				k.Fatalf("event %d after %d", e.Number, next-1)
			}
			next++
		}
		return next == end
	})
}

// followWork works through messages while they are stored, by updates that take longer and shorter.
func followWork(k kit) {
	const writers, each = 4, 15
	var boxes []mailbox.Num
	for i := range 3 {
		boxes = append(boxes, k.box(fmt.Sprintf("a%d@x.org", i)).Num)
	}
	wait := k.write(writers, each, func(ctx context.Context, tx store.Tx, i int) error {
		for j := range 1 + i%3 {
			m := sample(boxes[(i+j)%3], fmt.Sprint(i, " ", j))
			if err := tx.InsertMessage(ctx, &m, store.Content{}); err != nil {
				return err
			}
			if _, err := tx.Counters(ctx, m.Mailbox); err != nil {
				return err
			}
		}
		return nil
	})
	defer wait()
	want := 0
	for i := range writers * each {
		want += 1 + i%3
	}
	seen, after := make(map[string]bool), int64(0)
	k.soon("messages to index", func() bool {
		for _, w := range k.toIndex(after, 7) {
			if w.Place <= after {
				k.Errorf("place %d after %d", w.Place, after)
			}
			seen[fmt.Sprint(w.Mailbox, " ", w.Seq)], after = true, w.Place
		}
		return len(seen) == want
	})
}

// write runs updates beside the test, each writer so many. The function waits for them.
func (k kit) write(writers, each int, fn func(ctx context.Context, tx store.Tx, i int) error) (wait func()) {
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := k.db.Update(k.Context(), func(tx store.Tx) error { return fn(k.Context(), tx, w*each+i) }); err != nil {
					k.Error(err)
					return
				}
			}
		})
	}
	return wg.Wait
}

// soon asks until it is so. What was committed may be listed a little later where the contract says so.
func (k kit) soon(what string, so func() bool) {
	k.Helper()
	for deadline := time.Now().Add(time.Minute); !so() && !k.Failed(); {
		if time.Now().After(deadline) {
			k.Fatalf("%s: not complete", what)
		}
	}
}
