package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func (k kit) rename(num mailbox.Num, address string) error {
	k.Helper()
	return k.db.Update(k.Context(), func(tx store.Tx) error { return tx.RenameMailbox(k.Context(), num, address) })
}

func renames(k kit) {
	box, other := k.insertBox(fullBox("a@x.org", "b@x.org", "c@x.org")), k.box("o@x.org", "p@x.org")
	for _, c := range []struct {
		name    string
		address string
		aliases []string // afterwards
	}{
		{"its own address", "a@x.org", []string{"b@x.org", "c@x.org"}},
		{"a new one", "new@y.org", []string{"b@x.org", "c@x.org", "a@x.org"}},
		{"its own address again", "new@y.org", []string{"b@x.org", "c@x.org", "a@x.org"}},
		{"its first alias", "b@x.org", []string{"c@x.org", "a@x.org", "new@y.org"}},
		{"the address it had at first", "a@x.org", []string{"c@x.org", "new@y.org", "b@x.org"}},
		{"its last alias", "b@x.org", []string{"c@x.org", "new@y.org", "a@x.org"}},
	} {
		if err := k.rename(box.Num, c.address); err != nil {
			k.Errorf("%s: %v", c.name, err)
		}
		box.Address, box.Aliases = c.address, c.aliases
		k.same(c.name, k.find(box.Num), box)
		for _, address := range append([]string{c.address}, c.aliases...) {
			k.same(c.name+": at "+address, k.at(address), box)
		}
		k.same(c.name+": the other", k.at("p@x.org"), other)
	}
	k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{"o@x.org", "b@x.org"})
	k.remove(box.Num)
	for i, address := range []string{"a@x.org", "b@x.org", "c@x.org", "new@y.org"} {
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox, error) {
			return r.MailboxAt(ctx,
				address)
		})
		k.is(address, err, store.ErrNotFound)
		k.box(address, fmt.Sprintf("alias%d@x.org", i)) // all are free again
	}
}

func dropAlias(k kit) {
	box, other := k.box("a@x.org", "b@x.org", "c@x.org"), k.box("o@x.org", "p@x.org")
	k.update(func(ctx context.Context, tx store.Tx) error {
		for _, address := range []string{"a@x.org", "p@x.org", "free@x.org"} { // its own, another's, nobody's
			k.is(address, tx.DropAlias(ctx, box.Num, address), store.ErrNotFound)
		}
		k.is("no mailbox", tx.DropAlias(ctx, 99, "b@x.org"), store.ErrNotFound)
		return tx.DropAlias(ctx, box.Num, "b@x.org")
	})
	box.Aliases = []string{"c@x.org"}
	k.same("mailbox", k.find(box.Num), box)
	k.same("at the other alias", k.at("c@x.org"), box)
	k.same("other", k.at("p@x.org"), other)
	k.update(func(ctx context.Context, tx store.Tx) error { // and given to another at once
		if err := tx.DropAlias(ctx, box.Num, "c@x.org"); err != nil {
			return err
		}
		insertOrPanic(ctx, tx, "c@x.org")
		return nil
	})
	box.Aliases = nil
	k.same("without aliases", k.find(box.Num).Aliases, []string(nil))
	if k.at("c@x.org").Num == box.Num {
		k.Errorf("the alias is still the first mailbox's")
	}
	k.box("b@x.org") // it is free
}

func renameTaken(k kit) {
	box, other := k.box("a@x.org", "b@x.org"), k.box("o@x.org", "p@x.org")
	k.update(func(ctx context.Context, tx store.Tx) error {
		for _, address := range []string{"o@x.org", "p@x.org"} { // the caller may go on, and finds nothing of it
			k.is(address, tx.RenameMailbox(ctx, box.Num, address), store.ErrTaken)
		}
		k.is("none", tx.RenameMailbox(ctx, 99, "free@x.org"), store.ErrNotFound)
		return nil
	})
	k.same("mailbox", k.find(box.Num), box)
	k.same("other", k.at("o@x.org"), other)
	k.is("undone", k.db.Update(k.Context(), func(tx store.Tx) error {
		if err := tx.RenameMailbox(k.Context(), box.Num, "free@x.org"); err != nil {
			return err
		}
		return errOwn
	}), errOwn)
	k.same("mailbox", k.at("a@x.org"), box)
	k.remove(box.Num)
	k.is("removed", k.rename(box.Num, "free@x.org"), store.ErrNotFound)
	k.box("free@x.org")
	if err := k.rename(other.Num, "a@x.org"); err != nil { // nobody's any more
		k.Error(err)
	}
}

func renamedKeeps(k kit) {
	box := k.box("a@x.org")
	key, mails := k.key(box.Num), k.mails(box.Num, 3)
	k.join(&mails[1], mails[0].ID)
	e := k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageDelivered, Message: mails[2].ID, At: noon})
	counters := k.counters(box.Num)
	if err := k.rename(box.Num, "b@x.org"); err != nil {
		k.Fatal(err)
	}
	e.Mail = &mails[2]
	k.same("key", k.keyAt(key.Digest), key)
	k.same("counters", k.counters(box.Num), counters)
	k.same("events", k.events(box.Num, 0, 10), append(k.happened(mails...), e))
	k.same("threads", k.heads(box.Num), []string{"m3×1", "m2×2"})
	next := k.mail(sample(box.Num, "next"))
	k.same("a new message's place", next.Seq, mails[2].Seq+2)
	k.remove(box.Num)
	k.purge(box.Num, 2)
	isGone(k, box.Num, append(mails, next))
}

func expiredLists(k kit) {
	var other mailbox.Mailbox
	for i, end := range []time.Duration{3 * time.Hour, time.Hour, -time.Hour, 2 * time.Hour, time.Millisecond, 0} {
		box := fullBox(fmt.Sprintf("a%d@x.org", i), fmt.Sprintf("alias%d@x.org", i))
		box.ExpiresAt = after(end)
		k.insertBox(box)
		other = k.box(fmt.Sprintf("permanent%d@x.org", i))
	}
	expired := func(at time.Time, limit int) (out []string) {
		for _, m := range must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Mailbox,
			error) {
			return r.Expired(ctx, at, limit)
		}) {
			k.same("whole", m, k.find(m.Num))
			out = append(out, m.Address)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		at    time.Time
		limit int
		want  []string
	}{
		{"before any", after(-2 * time.Hour), 10, nil},
		{"its own instant included", noon, 10, []string{"a2@x.org", "a5@x.org"}},
		{"a millisecond before", after(-time.Millisecond), 10, []string{"a2@x.org"}},
		{"long after", after(1000 * time.Hour), 10, []string{"a2@x.org", "a5@x.org", "a4@x.org", "a1@x.org", "a3@x.org",
			"a0@x.org"}},
		{"the first ones", after(1000 * time.Hour), 3, []string{"a2@x.org", "a5@x.org", "a4@x.org"}},
	} {
		k.same(c.name, expired(c.at, c.limit), c.want)
	}
	stays, ends := k.at("a2@x.org"), other
	stays.ExpiresAt, stays.Scope, ends.ExpiresAt = time.Time{}, mailbox.Permanent, noon
	k.update(func(ctx context.Context, tx store.Tx) error {
		if err := tx.UpdateMailbox(ctx, stays); err != nil {
			return err
		}
		return tx.UpdateMailbox(ctx, ends)
	})
	k.same("changed", k.find(stays.Num), stays)
	k.remove(k.at("a5@x.org").Num)
	k.same("after changes", expired(after(time.Minute), 10), []string{ends.Address, "a4@x.org"})
}

var retiredTests = []test{
	{"is found by its address alone, with its last time", func(k kit) {
		k.retire("ada@x.org", noon)
		k.retire("bob@x.org", noon.Add(time.Second))
		k.retire("ada@x.org", noon.Add(time.Hour))
		k.wantRetired(map[string]time.Time{"ada@x.org": noon.Add(time.Hour), "bob@x.org": noon.Add(time.Second),
			"ada@y.org": {}, "Ada@x.org": {}, "": {}})
	}},
	{"is undone with its transaction, and outlives the mailbox", func(k kit) {
		box := k.box("ada@x.org")
		k.is("Update", k.db.Update(k.Context(), func(tx store.Tx) error {
			_ = tx.Retire(k.Context(), "ada@x.org", noon)
			return errOwn
		}), errOwn)
		k.wantRetired(map[string]time.Time{"ada@x.org": {}})
		k.retire("ada@x.org", noon)
		k.remove(box.Num)
		k.wantRetired(map[string]time.Time{"ada@x.org": noon})
	}},
	{"is trimmed by its time, in steps", func(k kit) {
		for i := range 5 {
			k.retire(fmt.Sprintf("a%d@x.org", i), noon.Add(time.Duration(i-3)*time.Millisecond))
		}
		for _, want := range []bool{true, false} {
			more := false
			k.update(func(ctx context.Context, tx store.Tx) (err error) {
				_, more, err = tx.TrimRetired(ctx, noon, 2)
				return err
			})
			if more != want {
				k.Errorf("more is %v, want %v", more, want)
			}
		}
		k.wantRetired(map[string]time.Time{"a0@x.org": {}, "a1@x.org": {}, "a2@x.org": {}, "a3@x.org": noon,
			"a4@x.org": noon.Add(time.Millisecond)})
	}},
}

func (k kit) retire(address string, at time.Time) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.Retire(ctx, address, at) })
}

// wantRetired compares when addresses were retired; the zero time is never.
func (k kit) wantRetired(want map[string]time.Time) {
	k.Helper()
	for address, at := range want {
		got, err := ask(k, func(ctx context.Context, r store.Reader) (time.Time, error) {
			return r.Retired(ctx,
				address)
		})
		if at.IsZero() != errors.Is(err, store.ErrNotFound) || !got.Equal(at) {
			k.Errorf("%q was retired at %v (%v), want %v", address, got, err, at)
		}
	}
}
