package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// What a function reads in an update is still so when it writes, no matter who else writes: functions look, decide and
// act.
var concurrencyTests = []test{
	{"a limit is reached exactly", limits},
	{"an address becomes one's alone", func(k kit) {
		made := k.race(12, func(ctx context.Context, tx store.Tx, _ int) error {
			_, err := tx.InsertMailbox(ctx, sampleBox("a@x.org", "b@x.org"))
			return err
		}, store.ErrTaken)
		k.same("made", made, 1)
		k.same("who look first", k.race(12, func(ctx context.Context, tx store.Tx, _ int) error {
			_, err := tx.MailboxAt(ctx, "c@x.org")
			if errors.Is(err, store.ErrNotFound) {
				_, err = tx.InsertMailbox(ctx, sampleBox("c@x.org"))
			}
			return err
		}), 12)
		k.same("mailboxes", len(k.addresses(store.MailboxFilter{})), 2)
	}},
	{"a key's mailbox is made once", func(k kit) {
		digest := random32()
		k.race(8, func(ctx context.Context, tx store.Tx, i int) error {
			b, err := tx.Bootstrap(ctx, digest)
			if errors.Is(err, store.ErrNotFound) {
				b.Digest = digest
				if b.Mailbox, err = tx.InsertMailbox(ctx, sampleBox(fmt.Sprintf("a%d@x.org", i))); err == nil {
					err = tx.InsertBootstrap(ctx, b)
				}
			}
			return err
		})
		k.same("mailboxes", len(k.addresses(store.MailboxFilter{})), 1)
	}},
	{"a domain is verified by one", verifyOnce},
	{"a delivery is leased once", leaseOnce},
	{"a hook is taken once", takeOnce},
	{"a mailbox is purged by two to its end", purgeByTwo},
	{"events are seen in order and without gaps", followEvents},
	{"mail of all mailboxes is worked through without gaps", followWork},
	{"mailboxes are taken in any order", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		const n = 20
		k.same("done", k.race(2*n, func(ctx context.Context, tx store.Tx, i int) error {
			for j := range 2 {
				num := []mailbox.Num{a, b}[(i+j)%2]
				m := sample(num, fmt.Sprint(i, " ", j))
				if err := tx.InsertMessage(ctx, &m, store.Content{}); err != nil {
					return err
				}
			}
			return nil
		}), 2*n)
		for _, num := range []mailbox.Num{a, b} {
			k.same("messages", k.counters(num).Inbound, int64(2*n))
		}
	}},
}

// race runs n updates at once and says how many succeeded. The others may fail with these errors.
func (k kit) race(n int, fn func(ctx context.Context, tx store.Tx, i int) error, but ...error) int {
	k.Helper()
	var done atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			err := k.db.Update(k.Context(), func(tx store.Tx) error { return fn(k.Context(), tx, i) })
			switch {
			case err == nil:
				done.Add(1)
			case len(but) == 0 || !errors.Is(err, but[0]):
				k.Errorf("update %d: %v", i, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return int(done.Load())
}

func limits(k kit) {
	const limit = 5
	box := k.box("a@x.org").Num
	spend := func(used int64, err error, spend func() error) error {
		if err == nil && used >= limit {
			err = errOwn
		}
		if err == nil {
			err = spend()
		}
		return err
	}
	for _, num := range []mailbox.Num{box, 0} {
		k.same(fmt.Sprint("tally of ", num), k.race(20, func(ctx context.Context, tx store.Tx, _ int) error {
			used, err := tx.Tally(ctx, num, "sends", 1)
			return spend(used, err, func() error { return tx.Count(ctx, num, "sends", 1, after(time.Hour)) })
		}, errOwn), limit)
	}
	k.same("quota", k.race(20, func(ctx context.Context, tx store.Tx, _ int) error {
		used, err := tx.Spent(ctx, 7, "")
		return spend(used, err, func() error { return tx.Spend(ctx, 7, "") })
	}, errOwn), limit)
	k.same("messages", k.race(20, func(ctx context.Context, tx store.Tx, i int) error {
		u, err := tx.Use(ctx, box)
		m := sample(box, fmt.Sprint(i))
		return spend(u.Messages, err, func() error { return tx.InsertMessage(ctx, &m, store.Content{}) })
	}, errOwn), limit)
}

func verifyOnce(k kit) {
	const n = 6
	var ids []mailbox.ID
	for i := range n {
		d := mailbox.Domain{ID: mailbox.NewID(noon), Mailbox: k.box(fmt.Sprintf("a%d@x.org", i)).Num, Name: "y.org",
			CreatedAt: noon}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertDomain(ctx, d) })
		ids = append(ids, d.ID)
	}
	k.same("verified", k.race(n, func(ctx context.Context, tx store.Tx, i int) error {
		d, err := tx.Domain(ctx, ids[i])
		if err != nil {
			return err
		}
		if _, err := tx.DomainNamed(ctx, d.Name); !errors.Is(err, store.ErrNotFound) {
			return errors.Join(errOwn, err)
		}
		d.VerifiedAt = noon
		return tx.UpdateDomain(ctx, d)
	}, errOwn), 1)
}

func leaseOnce(k kit) {
	var all []mailbox.Delivery
	for i := range 3 {
		m := k.sentMail(fmt.Sprintf("a%d@x.org", i))
		for n := range 5 {
			d := mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: n, Destination: "y.org",
				NextAt: noon, QueuedAt: noon}
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
					_, done, err = tx.Purge(k.Context(), box, 3)
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

// write runs updates while the test goes on, each writer a given number. The function waits for them.
func (k kit) write(writers, each int, fn func(ctx context.Context, tx store.Tx, i int) error) (wait func()) {
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := k.db.Update(k.Context(),
					func(tx store.Tx) error { return fn(k.Context(), tx, w*each+i) }); err != nil {
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
