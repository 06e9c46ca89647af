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

// What a function reads in an update is still so when it writes, whoever else is at it: functions look, decide and act.
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
		c, err := tx.Counters(ctx, box)
		m := sample(box, fmt.Sprint(i))
		return spend(c.Inbound, err, func() error { return tx.InsertMessage(ctx, &m, store.Content{}) })
	}, errOwn), limit)
}

func verifyOnce(k kit) {
	const n = 6
	var ids []mailbox.ID
	for i := range n {
		d := mailbox.Domain{ID: mailbox.NewID(noon), Mailbox: k.box(fmt.Sprintf("a%d@x.org", i)).Num, Name: "y.org", CreatedAt: noon}
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
