package storetest

import (
	"context"
	"fmt"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var removalTests = []test{
	{"takes mailbox, addresses and keys at once", removeAtOnce},
	{"a number is never used again", func(k kit) {
		seen := map[mailbox.Num]bool{}
		for range 5 { // also not that of the newest one, which is the first that a careless store would give out
			box := k.box("a@x.org")
			if seen[box.Num] {
				k.Errorf("number %d came twice", box.Num)
			}
			seen[box.Num] = true
			k.remove(box.Num)
			k.purge(box.Num, 10)
		}
	}},
	{"numbers are skipped", func(k kit) {
		skip := func(num mailbox.Num, fail error) (given mailbox.Num) {
			err := k.db.Update(k.Context(), func(tx store.Tx) (err error) {
				if given, err = tx.SkipMailboxes(k.Context(), num); err == nil {
					err = fail
				}
				return err
			})
			k.is("skip", err, fail)
			return given
		}
		last := skip(0, nil) // 0 in a new store
		k.same("undone", skip(last+5000, errOwn), last)
		k.same("some", skip(last+7, nil), last)
		k.same("the next", k.box("a@x.org").Num, last+8)
		k.same("those that were given out", skip(last+8, nil), last+8)
		k.same("many", skip(last+5000, nil), last+8)
		k.same("the next after that", k.box("b@x.org").Num, last+5001)
		k.same("and another", k.box("c@x.org").Num, last+5002)
	}},
	{"a recreated address sees nothing old", recreated},
	{"purges in steps", purgeSteps},
	{"purges one mailbox alone", purgeAlone},
	{"an undone removal removes nothing", func(k kit) {
		box := k.box("a@x.org")
		m := k.mail(sample(box.Num, "one"))
		k.is("Update", k.db.Update(k.Context(), func(tx store.Tx) error {
			if err := tx.RemoveMailbox(k.Context(), box.Num); err != nil {
				return err
			}
			if _, _, err := tx.Purge(k.Context(), box.Num, 10); err != nil {
				return err
			}
			return errOwn
		}), errOwn)
		k.same("mailbox", k.at("a@x.org"), box)
		k.same("message", k.message(box.Num, m.ID), m)
		k.same("purging", k.purging(), []mailbox.Num{})
	}},
}

func (k kit) remove(num mailbox.Num) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.RemoveMailbox(ctx, num) })
}

// purge purges a mailbox in steps of a size, and says how many it took.
func (k kit) purge(num mailbox.Num, limit int) (steps int) {
	k.Helper()
	for done := false; !done; steps++ {
		if steps > 10_000 {
			k.Fatal("purging never ends")
		}
		k.update(func(ctx context.Context, tx store.Tx) (err error) {
			_, done, err = tx.Purge(ctx, num, limit)
			return err
		})
	}
	return steps
}

func (k kit) purging() []mailbox.Num {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Num, error) { return r.Purging(ctx) })
}

func removeAtOnce(k kit) {
	box, other := k.box("a@x.org", "alias@x.org"), k.box("o@x.org")
	key, otherKey := k.key(box.Num), k.key(other.Num)
	claim, otherClaim, newClaim := k.claim(box.Num), k.claim(other.Num), k.claim(0)
	bootstrap, otherBootstrap := k.bootstrap(box.Num), k.bootstrap(other.Num)
	k.mails(box.Num, 3)
	k.remove(box.Num)

	for _, address := range []string{"a@x.org", "alias@x.org"} {
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox, error) {
			return r.MailboxAt(ctx,
				address)
		})
		k.is(address, err, store.ErrNotFound)
	}
	_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox, error) {
		return r.Mailbox(ctx,
			box.Num)
	})
	k.is("mailbox", err, store.ErrNotFound)
	_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Counters, error) {
		return r.Counters(ctx,
			box.Num)
	})
	k.is("counters", err, store.ErrNotFound)
	_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Key, error) {
		return r.KeyByDigest(ctx,
			key.Digest)
	})
	k.is("key", err, store.ErrNotFound)
	for _, digest := range [][32]byte{claim.Session, claim.Link} {
		_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Claim, error) {
			return r.Claim(ctx,
				digest)
		})
		k.is("claim", err, store.ErrNotFound)
	}
	_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Bootstrap, error) {
		return r.Bootstrap(ctx, bootstrap.Digest)
	})
	k.is("bootstrap", err, store.ErrNotFound)
	_, err = ask(k, func(ctx context.Context, r store.Reader) ([]mailbox.Event, error) {
		return r.Events(ctx, box.Num, 0, 10)
	})
	k.is("events", err, store.ErrNotFound)
	k.same("purging", k.purging(), []mailbox.Num{box.Num})
	k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{"o@x.org"})

	m := sample(box.Num, "too late")
	k.is("InsertMessage", k.db.Update(k.Context(), func(tx store.Tx) error {
		return tx.InsertMessage(k.Context(), &m, store.Content{})
	}), store.ErrNotFound)
	k.is("AppendEvent", k.db.Update(k.Context(), func(tx store.Tx) error {
		return tx.AppendEvent(k.Context(), &mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageReceived, At: noon})
	}), store.ErrNotFound)
	k.same("the other's key", k.keys(other.Num), []mailbox.Key{otherKey})
	k.same("the other's claim", k.claimAt(otherClaim.Session), otherClaim)
	k.same("nobody's claim", k.claimAt(newClaim.Link), newClaim)
	k.same("the other's bootstrap", k.bootstrapAt(otherBootstrap.Digest), otherBootstrap)
}

// furnish stores messages in a mailbox with everything that can hang on one.
func furnish(k kit, num mailbox.Num, n int) []mailbox.Message {
	k.Helper()
	var list []mailbox.Message
	k.update(func(ctx context.Context, tx store.Tx) error {
		for i := range n {
			m := sample(num, fmt.Sprintf("m%d", i+1))
			m.Labels = []string{fmt.Sprintf("own%d", i)}
			if err := tx.InsertMessage(ctx, &m, store.Content{Packed: []byte("x"), Blob: blobKey(m)}); err != nil {
				return err
			}
			if err := tx.Answers(ctx, m, []string{fmt.Sprintf("parent%d@x", i), fmt.Sprintf("grandparent%d@x",
				i)}); err != nil {
				return err
			}
			if i%3 == 2 { // three to a thread, one of them by a merger
				if err := tx.Join(ctx, &list[i-1], list[i-2].ID); err != nil {
					return err
				}
				if err := tx.Merge(ctx, num, m.ID, list[i-2].ID); err != nil {
					return err
				}
			}
			if err := tx.AppendEvent(ctx, &mailbox.Event{Mailbox: num, Kind: mailbox.MessageReceived, Message: m.ID,
				At: noon}); err != nil {
				return err
			}
			list = append(list, m)
		}
		return nil
	})
	return list
}

func blobKey(m mailbox.Message) string { return fmt.Sprintf("%d/%s", m.Mailbox, m.ID) }

// isGone checks that nothing answers for a mailbox's old messages.
func isGone(k kit, num mailbox.Num, old []mailbox.Message) {
	k.Helper()
	k.same("messages", k.subjects(num, store.MessageFilter{}), []string{})
	k.same("threads", k.threads(num, store.ThreadFilter{Limit: 100}), []mailbox.Thread{})
	k.same("labels", k.labels(num), []string{})
	for i, m := range old {
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
			return r.Message(ctx, 0,
				m.ID)
		})
		k.is("message", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (store.Content, error) { return r.Content(ctx, m) })
		k.is("content", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
			return r.Duplicate(ctx, num, m.MessageID, m.Digest)
		})
		k.is("duplicate", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.ID, error) {
			id, _, err := r.ThreadID(ctx, 0, m.ID)
			return id, err
		})
		k.is("thread", err, store.ErrNotFound)
		k.same("related", k.related(num, m.MessageID, fmt.Sprintf("parent%d@x", i)), []mailbox.ID{})
		used := must(k, func(ctx context.Context, r store.Reader) ([]string, error) {
			return r.BlobsInUse(ctx, []string{blobKey(m)})
		})
		if len(used) > 0 {
			k.Errorf("blob %s is in use", blobKey(m))
		}
	}
}

func purgeSteps(k kit) {
	const n = 25
	for _, limit := range []int{1, 7, n, n + 1, 1000} {
		box := k.box(fmt.Sprintf("a%d@x.org", limit))
		old := furnish(k, box.Num, n)
		k.remove(box.Num)
		var done bool
		k.update(func(ctx context.Context, tx store.Tx) (err error) {
			_, done, err = tx.Purge(ctx, box.Num, limit)
			return err
		})
		if limit < n && done {
			k.Errorf("limit %d: done after one step", limit)
		}
		if left := len(k.subjects(box.Num, store.MessageFilter{})); limit < n && left != n-limit {
			k.Errorf("limit %d: %d of %d left after one step", limit, left, n)
		}
		if !done {
			k.same("purging", k.purging(), []mailbox.Num{box.Num})
		}
		k.purge(box.Num, limit)
		k.same("purging", k.purging(), []mailbox.Num{})
		isGone(k, box.Num, old)
	}
}

func purgeAlone(k kit) {
	before, box, after := k.box("before@x.org"), k.box("a@x.org"), k.box("after@x.org")
	others := [][]mailbox.Message{furnish(k, before.Num, 6), furnish(k, after.Num, 6)}
	furnish(k, box.Num, 6)
	counters := func(num mailbox.Num) mailbox.Counters {
		return must(k, func(ctx context.Context, r store.Reader) (mailbox.Counters, error) {
			return r.Counters(ctx,
				num)
		})
	}
	was := []mailbox.Counters{counters(before.Num), counters(after.Num)}
	k.remove(box.Num)
	k.purge(box.Num, 4)
	for i, num := range []mailbox.Num{before.Num, after.Num} {
		k.same("counters", counters(num), was[i])
		k.same("messages", k.subjects(num, store.MessageFilter{}), []string{"m6", "m5", "m4", "m3", "m2", "m1"})
		k.same("threads", len(k.threads(num, store.ThreadFilter{Limit: 10})), 2)
		k.same("labels", len(k.labels(num)), 6)
		k.same("events", len(k.events(num, 0, 20)), 12)
		for _, m := range others[i] {
			c := must(k, func(ctx context.Context, r store.Reader) (store.Content, error) { return r.Content(ctx, m) })
			k.same("content", c, store.Content{Packed: []byte("x"), Blob: blobKey(m)})
			id := must(k, func(ctx context.Context, r store.Reader) (mailbox.ID, error) {
				id, _, err := r.ThreadID(ctx, 0, k.message(num, m.ID).Thread)
				return id, err
			})
			k.same("thread", id, k.message(num, m.ID).Thread)
		}
	}
}

func recreated(k kit) {
	box := k.box("a@x.org")
	old := furnish(k, box.Num, 6)
	newest := k.last(box.Num)
	k.remove(box.Num)
	again := sampleBox("a@x.org") // while the mail of the old one is still there, and at the same moment
	again = k.insertBox(again)
	if base := k.base(again.Num); base < newest {
		k.Errorf("events begin after %d, and the old mailbox had %d", base, newest)
	}

	k.same("messages", k.subjects(again.Num, store.MessageFilter{}), []string{})
	k.same("threads", k.threads(again.Num, store.ThreadFilter{Limit: 10}), []mailbox.Thread{})
	k.same("labels", k.labels(again.Num), []string{})
	k.same("events", k.events(again.Num, 0, 10), []mailbox.Event{})
	k.same("keys", k.keys(again.Num), []mailbox.Key{})
	k.same("last event", k.last(again.Num), k.base(again.Num))
	k.same("related", k.related(again.Num, old[0].MessageID, "parent0@x"), []mailbox.ID{})
	_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
		return r.Duplicate(ctx, again.Num, old[0].MessageID, old[0].Digest)
	})
	k.is("duplicate", err, store.ErrNotFound)
	_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
		return r.Message(ctx, again.Num, old[0].ID)
	})
	k.is("message", err, store.ErrNotFound)

	k.mail(sample(again.Num, "new"))
	k.purge(box.Num, 2)
	isGone(k, box.Num, old)
	k.same("messages", k.subjects(again.Num, store.MessageFilter{}), []string{"new"})
}
