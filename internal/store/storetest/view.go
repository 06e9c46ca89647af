package storetest

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var viewTests = []test{
	{"sees one state from beginning to end", func(k kit) {
		box := k.box("a@x.org")
		k.mails(box.Num, 2)
		k.view(func(ctx context.Context, r store.Reader) error {
			before, err := r.Counters(ctx, box.Num)
			if err != nil {
				return err
			}
			k.mail(sample(box.Num, "later")) // committed while the View is under way
			k.box("b@x.org")
			list, err := r.Messages(ctx, box.Num, store.MessageFilter{Limit: 10})
			if err != nil {
				return err
			}
			k.same("messages", subjects(list), []string{"m2", "m1"})
			after, err := r.Counters(ctx, box.Num)
			k.same("counters", after, before)
			_, missing := r.MailboxAt(ctx, "b@x.org")
			k.is("a later mailbox", missing, store.ErrNotFound)
			return err
		})
		k.same("afterwards", k.subjects(box.Num, store.MessageFilter{}), []string{"later", "m2", "m1"})
	}},
	{"Ask sees what was committed between two questions", func(k kit) {
		box := k.box("a@x.org")
		err := k.db.Ask(k.Context(), func(r store.Reader) error {
			for want := range 3 {
				if want > 0 {
					k.mail(sample(box.Num, "later"))
				}
				list, err := r.Messages(k.Context(), box.Num, store.MessageFilter{Limit: 10})
				if err != nil {
					return err
				}
				if len(list) != want {
					k.Errorf("%d messages, want %d", len(list), want)
				}
			}
			return nil
		})
		k.is("Ask", err, nil)
	}},
	{"does not see an update under way", func(k kit) {
		k.update(func(ctx context.Context, tx store.Tx) error {
			insertOrPanic(ctx, tx, "a@x.org")
			k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{})
			return nil
		})
		k.same("afterwards", k.addresses(store.MailboxFilter{}), []string{"a@x.org"})
	}},
	{"gives its function's error", func(k kit) {
		k.is("View", k.db.View(k.Context(), func(store.Reader) error { return errOwn }), errOwn)
		k.is("Ask", k.db.Ask(k.Context(), func(store.Reader) error { return errOwn }), errOwn)
	}},
	{"a caller who gave up is not begun", func(k kit) {
		gone, cancel := context.WithCancel(k.Context())
		cancel()
		for range 100 {
			k.is("View", k.db.View(gone, func(store.Reader) error { k.Error("begun"); return nil }), context.Canceled)
		}
		k.box("a@x.org")
	}},
	{"a caller who gives up inside spoils nothing", func(k kit) {
		box := k.box("a@x.org")
		for range 30 { // more often than any pool is large
			ctx, cancel := context.WithCancel(k.Context())
			_ = k.db.View(ctx, func(r store.Reader) error {
				cancel()
				_, err := r.Mailbox(ctx, box.Num)
				return err
			})
			k.find(box.Num)
		}
	}},
	{"a panic inside spoils nothing", func(k kit) {
		box := k.box("a@x.org")
		for range 30 {
			k.survive(func() error {
				return k.db.View(k.Context(), func(store.Reader) error { panic("on purpose") })
			})
		}
		k.find(box.Num)
		k.mail(sample(box.Num, "one"))
	}},
	{"many at once", func(k kit) {
		box := k.box("a@x.org")
		const n = 40
		done := make(chan error, n)
		for range n {
			go func() {
				done <- k.db.View(k.Context(), func(r store.Reader) error {
					_, err := r.Mailbox(k.Context(), box.Num)
					return err
				})
			}()
		}
		for range n {
			if err := <-done; err != nil {
				k.Error(err)
			}
		}
	}},
}

// find reads a mailbox that must be there.
func (k kit) find(num mailbox.Num) mailbox.Mailbox {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox, error) { return r.Mailbox(ctx, num) })
}
