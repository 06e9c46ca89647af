package postgres

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// twoNodes opens one database twice.
func twoNodes(t *testing.T) (a, b *DB) {
	t.Helper()
	url := pgtest.URL(t)
	return openStore(t, url, Options{}), openStore(t, url, Options{})
}

// waits waits until a given number of transactions wait for a lock.
func waits(t *testing.T, db *DB, n int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		got := 0
		err := db.pool.QueryRow(context.Background(),
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&got)
		if err != nil {
			t.Fatal(err)
		}
		if got == n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d wait, want %d", got, n)
		}
	}
}

// begin runs an update that stops where fn calls its parameter, until the first function it gives is called; the second
// waits for its end.
func begin(t *testing.T, db *DB, fn func(tx store.Tx, stop func()) error) (goOn func(), wait func()) {
	t.Helper()
	stopped, resume, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- db.Update(context.Background(), func(tx store.Tx) error {
			return fn(tx, func() { close(stopped); <-resume })
		})
	}()
	<-stopped
	return func() { close(resume) }, func() {
		t.Helper()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// An update of a mailbox that another node has locked waits, and sees what that node has done.
func TestMailboxIsLocked(t *testing.T) {
	a, b := twoNodes(t)
	num := insertBox(t, a, "a@x.org")
	key := mailbox.Key{ID: mailbox.NewID(time.Now()), Mailbox: num, Scope: mailbox.Permanent, CreatedAt: time.Now()}
	sent := mailbox.Message{ID: mailbox.NewID(time.Now()), Mailbox: num, Direction: mailbox.Outbound}
	var target mailbox.HookTarget
	ctx := t.Context()
	mustUpdate(t, a, func(tx store.Tx) (err error) {
		if err = tx.InsertKey(ctx, key); err == nil {
			err = tx.InsertMessage(ctx, &sent, store.Content{})
		}
		if err == nil {
			err = tx.InsertDelivery(ctx, mailbox.Delivery{Mailbox: num, Seq: sent.Seq, Message: sent.ID, Provider: "p"})
		}
		if err == nil {
			target, err = tx.HookTarget(ctx, num, "https://x/1")
		}
		return err
	})
	for _, c := range []struct {
		name string
		ask  func(tx store.Tx) error
	}{
		{"Mailbox", func(tx store.Tx) error { _, err := tx.Mailbox(ctx, num); return err }},
		{"MailboxAt", func(tx store.Tx) error { _, err := tx.MailboxAt(ctx, "a@x.org"); return err }},
		{"Key", func(tx store.Tx) error { _, err := tx.Key(ctx, key.ID); return err }},
		{"KeyByDigest", func(tx store.Tx) error { _, err := tx.KeyByDigest(ctx, key.Digest); return err }},
		{"Bearer", func(tx store.Tx) error { _, err := tx.Bearer(ctx, key.Digest); return err }},
		{"Message", func(tx store.Tx) error { _, err := tx.Message(ctx, 0, sent.ID); return err }},
		{"DeliveryByProvider", func(tx store.Tx) error { _, err := tx.DeliveryByProvider(ctx, "p"); return err }},
		{"DueHooks", func(tx store.Tx) error { _, err := tx.DueHooks(ctx, target.Number, time.Now(), 1); return err }},
		{"InsertContact", func(tx store.Tx) error { return tx.InsertContact(ctx, num, "b@x.org", true) }},
		{"Count", func(tx store.Tx) error { return tx.Count(ctx, num, "x", 1, time.Now()) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before mailbox.Counters
			goOn, wait := begin(t, a, func(tx store.Tx, stop func()) error {
				m := mailbox.Message{ID: mailbox.NewID(time.Now()), Mailbox: num}
				if err := tx.InsertMessage(ctx, &m, store.Content{}); err != nil {
					return err
				}
				stop()
				return nil
			})
			done := make(chan error, 1)
			go func() {
				done <- b.Update(ctx, func(tx store.Tx) (err error) {
					if err = c.ask(tx); err == nil {
						before, err = tx.Counters(ctx, num)
					}
					return err
				})
			}()
			waits(t, a, 1)
			goOn()
			wait()
			if err := <-done; err != nil {
				t.Error(err)
			}
			mustUpdate(t, a, func(tx store.Tx) error {
				after, err := tx.Counters(ctx, num)
				if after != before {
					t.Errorf("it saw %+v, and there is %+v", before, after)
				}
				return err
			})
		})
	}
}

// Two updates that have what the other wants both succeed, and neither waits for the server to notice.
func TestOppositeOrders(t *testing.T) {
	a, b := twoNodes(t)
	nums := []mailbox.Num{insertBox(t, a, "a@x.org"), insertBox(t, a, "b@x.org")}
	ctx := t.Context()
	insert := func(tx store.Tx, num mailbox.Num) error {
		m := mailbox.Message{ID: mailbox.NewID(time.Now()), Mailbox: num}
		if err := tx.InsertMessage(ctx, &m, store.Content{}); err != nil {
			return err
		}
		_, err := tx.Counters(ctx, num) // it is locked now, and not only in the queue
		return err
	}
	runs := 0
	first, last := nums[0], nums[1]
	goOn, wait := begin(t, a, func(tx store.Tx, stop func()) error {
		if err := insert(tx, first); err != nil {
			return err
		}
		stop()
		return insert(tx, last)
	})
	back, waitBack := begin(t, b, func(tx store.Tx, stop func()) error {
		if err := insert(tx, last); err != nil {
			return err
		}
		if runs++; runs == 1 {
			stop()
		}
		return insert(tx, first)
	})
	goOn()
	waits(t, a, 1)
	back()
	wait()
	waitBack()
	if runs != 2 {
		t.Errorf("the one out of order ran %d times", runs)
	}
	mustUpdate(t, a, func(tx store.Tx) error {
		for _, num := range nums {
			if c, err := tx.Counters(ctx, num); err != nil || c.Inbound != 2 {
				return fmt.Errorf("%+v, %w", c, err)
			}
		}
		return nil
	})
}

// A node that falls silent in the middle of an update has its mailbox taken from it, so that others can go on. If it
// speaks again it starts over.
func TestSilentNode(t *testing.T) {
	url := pgtest.URL(t)
	b := openStore(t, url, Options{})
	a := openStore(t, url+"&idle_in_transaction_session_timeout=1s", Options{})
	num := insertBox(t, a, "a@x.org")
	runs := 0
	goOn, wait := begin(t, a, func(tx store.Tx, stop func()) error {
		m, c := benchMail(1, num)
		if err := receiveMail(tx, m, c); err != nil {
			return err
		}
		if runs++; runs == 1 {
			if _, err := tx.Counters(t.Context(), num); err != nil {
				return err
			}
			stop()
		}
		_, err := tx.Counters(t.Context(), num)
		return err
	})
	mustUpdate(t, b, func(tx store.Tx) error {
		m, c := benchMail(2, num)
		return receiveMail(tx, m, c)
	})
	goOn()
	wait()
	mustUpdate(t, b, func(tx store.Tx) error {
		if c, err := tx.Counters(t.Context(), num); err != nil || c.Inbound != 2 || runs != 2 {
			return fmt.Errorf("%+v after %d runs, %w", c, runs, err)
		}
		return nil
	})
}

// Of targets that are due, those of a mailbox that another node has are left to it.
func TestBusyTargetsAreLeft(t *testing.T) {
	a, b := twoNodes(t)
	ctx, now := t.Context(), time.UnixMilli(5000).UTC()
	var nums []mailbox.Num
	for i := range 3 {
		num := insertBox(t, a, fmt.Sprintf("a%d@x.org", i))
		mustUpdate(t, a, func(tx store.Tx) error {
			target, err := tx.HookTarget(ctx, num, "https://x/1")
			if err != nil {
				return err
			}
			return tx.InsertHook(ctx, &mailbox.Hook{ID: mailbox.NewID(now), Mailbox: num, Target: target.Number,
				State:  mailbox.HookPending,
				NextAt: now.Add(time.Duration(i) * time.Millisecond)})
		})
		nums = append(nums, num)
	}
	goOn, wait := begin(t, a, func(tx store.Tx, stop func()) error {
		m := mailbox.Message{ID: mailbox.NewID(now), Mailbox: nums[1]}
		if err := tx.InsertMessage(ctx, &m, store.Content{}); err != nil {
			return err
		}
		_, err := tx.Counters(ctx, nums[1])
		stop()
		return err
	})
	mustUpdate(t, b, func(tx store.Tx) error {
		targets, err := tx.DueTargets(ctx, now.Add(time.Hour), nil, 10)
		if len(targets) != 2 || targets[0].Mailbox != nums[0] || targets[1].Mailbox != nums[2] {
			t.Errorf("targets %+v", targets)
		}
		return err
	})
	goOn()
	wait()
}
