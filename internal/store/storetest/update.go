package storetest

import (
	"context"
	"fmt"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var updateTests = []test{
	{"an error undoes all of it", func(k kit) {
		k.is("Update", k.db.Update(k.Context(), func(tx store.Tx) error {
			insertOrPanic(k.Context(), tx, "a@x.org")
			insertOrPanic(k.Context(), tx, "b@x.org")
			return fmt.Errorf("wrapped: %w", errOwn)
		}), errOwn)
		k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{})
	}},
	{"a panic undoes all of it", func(k kit) {
		k.survive(func() error {
			return k.db.Update(k.Context(), func(tx store.Tx) error {
				insertOrPanic(k.Context(), tx, "a@x.org")
				panic("on purpose")
			})
		})
		k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{})
		k.box("b@x.org")
		k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{"b@x.org"})
	}},
	{"each of several at once fails alone", failAlone},
	{"reads its own writes", func(k kit) {
		k.update(func(ctx context.Context, tx store.Tx) error {
			num := insertOrPanic(ctx, tx, "a@x.org")
			m := sample(num, "one")
			if err := tx.InsertMessage(ctx, &m, store.Content{}); err != nil {
				return err
			}
			found, err := tx.Message(ctx, num, m.ID)
			k.same("message", found, m)
			return err
		})
	}},
	{"one at a time", oneAtATime},
	{"a caller who gave up is not begun", func(k kit) {
		gone, cancel := context.WithCancel(k.Context())
		cancel()
		for range 100 { // whatever way it is chosen which of two things is looked at first
			k.is("Update", k.db.Update(gone, func(store.Tx) error { k.Error("begun"); return nil }), context.Canceled)
		}
	}},
	{"what was begun is carried through", func(k kit) {
		ctx, cancel := context.WithCancel(k.Context())
		defer cancel()
		err := k.db.Update(ctx, func(tx store.Tx) error {
			insertOrPanic(ctx, tx, "a@x.org")
			cancel()
			insertOrPanic(ctx, tx, "b@x.org")
			return nil
		})
		if err != nil {
			k.Errorf("Update: %v", err)
		}
		k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{"b@x.org", "a@x.org"})
	}},
	{"Ping", func(k kit) {
		for range 3 {
			if err := k.db.Ping(k.Context()); err != nil {
				k.Error(err)
			}
		}
	}},
	{"nothing is answered after Close", func(k kit) {
		k.box("a@x.org")
		if err := k.db.Close(); err != nil {
			k.Fatal(err)
		}
		for range 20 {
			k.is("Update", k.db.Update(k.Context(), func(store.Tx) error { k.Error("begun"); return nil }),
				store.ErrClosed)
			k.is("View", k.db.View(k.Context(), func(store.Reader) error { k.Error("begun"); return nil }),
				store.ErrClosed)
			k.is("Ask", k.db.Ask(k.Context(), func(store.Reader) error { k.Error("begun"); return nil }),
				store.ErrClosed)
			k.is("Ping", k.db.Ping(k.Context()), store.ErrClosed)
		}
	}},
}

// insertOrPanic stores a mailbox inside an update; a panic there is the update's error.
func insertOrPanic(ctx context.Context, tx store.Tx, address string) mailbox.Num {
	num, err := tx.InsertMailbox(ctx, sampleBox(address))
	if err != nil {
		panic(err)
	}
	return num
}

// survive runs what must fail, with an error or with the panic of its own function.
func (k kit) survive(fn func() error) {
	k.Helper()
	defer func() { _ = recover() }()
	if fn() == nil {
		k.Error("no error after a panic")
	}
}

// failAlone runs updates of which some fail at the same time: each is there whole or not at all.
func failAlone(k kit) {
	const n = 60
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			update := func() error {
				return k.db.Update(k.Context(), func(tx store.Tx) error {
					insertOrPanic(k.Context(), tx, fmt.Sprintf("a%d@x.org", i))
					insertOrPanic(k.Context(), tx, fmt.Sprintf("b%d@x.org", i))
					switch i % 3 {
					case 1:
						return errOwn
					case 2:
						panic("on purpose")
					}
					return nil
				})
			}
			if i%3 == 0 {
				if err := update(); err != nil {
					k.Errorf("update %d: %v", i, err)
				}
				return
			}
			k.survive(update)
		})
	}
	wg.Wait()
	for i := range n {
		for _, letter := range "ab" {
			address := fmt.Sprintf("%c%d@x.org", letter, i)
			_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox,
				error) {
				return r.MailboxAt(ctx, address)
			})
			if i%3 == 0 && err != nil {
				k.Errorf("%s: %v", address, err)
			}
			if i%3 != 0 {
				k.is(address, err, store.ErrNotFound)
			}
		}
	}
}

// oneAtATime lets many updates read a number and store it one higher: none may be lost.
func oneAtATime(k kit) {
	const n = 50
	box := k.box("a@x.org")
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			err := k.db.Update(k.Context(), func(tx store.Tx) error {
				m, err := tx.Mailbox(k.Context(), box.Num)
				if err != nil {
					return err
				}
				m.Webhook.ConsecutiveFailures++
				return tx.UpdateMailbox(k.Context(), m)
			})
			if err != nil {
				k.Error(err)
			}
		})
	}
	wg.Wait()
	if got := k.find(box.Num).Webhook.ConsecutiveFailures; got != n {
		k.Errorf("counted to %d, want %d", got, n)
	}
}
