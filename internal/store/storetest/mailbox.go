package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var mailboxTests = []test{
	{"is found whole", func(k kit) {
		full := fullBox("a@x.org", "b@x.org", "c@y.org")
		full.Num = k.insertBox(full).Num
		if full.Num <= 0 {
			k.Errorf("number %d", full.Num)
		}
		k.same("by number", k.find(full.Num), full)
		for _, address := range []string{"a@x.org", "b@x.org", "c@y.org"} {
			k.same("at "+address, k.at(address), full)
		}
	}},
	{"bare is found whole", func(k kit) {
		bare := k.insertBox(mailbox.Mailbox{Address: "a@x.org", Scope: mailbox.Provisional, Status: mailbox.Active,
			CreatedAt: noon})
		k.same("mailbox", k.find(bare.Num), bare)
		c := must(k, func(ctx context.Context, r store.Reader) (mailbox.Counters, error) {
			return r.Counters(ctx,
				bare.Num)
		})
		k.same("counters", c, mailbox.Counters{})
	}},
	{"are noted as having a key", func(k kit) {
		first, second := k.box("a@x.org"), k.box("b@x.org")
		nobody := second.Num + 1000
		noted := func(num mailbox.Num) bool {
			k.Helper()
			is := must(k, func(ctx context.Context, r store.Reader) (bool, error) { return r.KeyNoted(ctx, num) })
			list := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Num, error) {
				return r.KeysNotNoted(ctx, num-1, 1)
			})
			k.same("listed", slices.Contains(list, num), !is && num != nobody)
			return is
		}
		already := noted(second.Num) // where mail is encrypted
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.NoteKey(ctx, first.Num) })
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.NoteKey(ctx, nobody) })
		k.same("one", noted(first.Num), true)
		k.same("another", noted(second.Num), already)
		k.same("one that is not there", noted(nobody), false)
		k.same("the mailbox", k.find(first.Num), first)
	}},
	{"are counted by domain", func(k kit) {
		for _, address := range []string{"a@y.org", "a@x.org", "b@x.org", "a@xn--bcher-kva.test", "b@y.org",
			"c@x.org"} {
			k.box(address)
		}
		k.remove(k.at("b@y.org").Num)
		k.insertBox(fullBox("c@y.org"))
		k.key(k.at("a@x.org").Num)
		k.mail(sample(k.at("b@x.org").Num, "hello"))
		got := must(k, func(ctx context.Context, r store.Reader) ([]store.DomainCount,
			error) {
			return r.MailboxDomains(ctx)
		})
		k.same("domains", got, []store.DomainCount{
			{Domain: "x.org", Mailboxes: 3, Used: 2, First: k.at("a@x.org").Num},
			{Domain: "xn--bcher-kva.test", Mailboxes: 1, First: k.at("a@xn--bcher-kva.test").Num},
			{Domain: "y.org", Mailboxes: 1, First: k.at("a@y.org").Num},
			{Domain: "y.org", Owner: 1 << 40, Mailboxes: 1, First: k.at("c@y.org").Num}})
	}},
	{"is found by its maker's name for it, and by a key", profileTest},
	{"use is known at once, and what holds most is found", useTest},
	{"those about which something was decided are found", func(k kit) {
		k.box("a@x.org")
		var want []mailbox.Mailbox
		for _, address := range []string{"b@x.org", "c@x.org", "d@x.org"} {
			m := sampleBox(address)
			m.SetControl(mailbox.Control{UndoSeconds: 5})
			m.Num = k.insertBox(m).Num
			want = append(want, m)
		}
		list := func(after mailbox.Num, limit int) []mailbox.Mailbox {
			return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Mailbox, error) {
				return r.Controlled(ctx, after, limit)
			})
		}
		k.same("all", list(0, 10), want)
		k.same("after the first, one", list(want[0].Num, 1), want[1:2])
	}},
	{"times are kept to the millisecond in UTC", func(k kit) {
		m := sampleBox("a@x.org")
		zone := time.FixedZone("", 2*60*60)
		m.CreatedAt = time.Date(2026, 3, 14, 14, 0, 0, 123_999_999, zone)
		found := k.find(k.insertBox(m).Num)
		k.same("created", found.CreatedAt, noon)
		if found.CreatedAt.Location() != time.UTC {
			k.Errorf("location %v", found.CreatedAt.Location())
		}
	}},
	{"unknown ones are not found", func(k kit) {
		k.box("a@x.org")
		for _, address := range []string{"", "a", "a@x.or", "A@x.org", "a@x.org ", "%@x.org", "_@x.org"} {
			_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox,
				error) {
				return r.MailboxAt(ctx, address)
			})
			k.is(fmt.Sprintf("%q", address), err, store.ErrNotFound)
		}
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox, error) {
			return r.Mailbox(ctx,
				99)
		})
		k.is("number", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Counters, error) {
			return r.Counters(ctx,
				99)
		})
		k.is("counters", err, store.ErrNotFound)
	}},
	{"an address is somebody's once", addressTaken},
	{"a refused one leaves nothing in its transaction", func(k kit) {
		k.box("a@x.org")
		k.update(func(ctx context.Context, tx store.Tx) error {
			for _, m := range []mailbox.Mailbox{sampleBox("a@x.org"), sampleBox("new@x.org", "a@x.org"),
				sampleBox("b@x.org", "b@x.org")} {
				_, err := tx.InsertMailbox(ctx, m)
				k.is("InsertMailbox", err, store.ErrTaken)
			}
			insertOrPanic(ctx, tx, "new@x.org")
			return nil
		})
		k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{"new@x.org", "a@x.org"})
	}},
	{"is changed", func(k kit) {
		box, other := k.box("a@x.org", "b@x.org"), k.box("o@x.org")
		want := fullBox("a@x.org", "b@x.org")
		want.Num, want.CreatedAt, want.DomainOwner = box.Num, box.CreatedAt, box.DomainOwner
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMailbox(ctx, want) })
		k.same("changed", k.find(box.Num), want)
		k.same("other", k.find(other.Num), other)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMailbox(ctx, box) })
		k.same("changed back", k.find(box.Num), box)
	}},
	{"a change does not move it", func(k kit) {
		box := k.box("a@x.org")
		moved := box
		moved.Address = "moved@x.org"
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMailbox(ctx, moved) })
		k.same("mailbox", k.at("a@x.org"), box)
	}},
	{"is renamed", renames},
	{"is renamed to nobody else's address", renameTaken},
	{"an alias is dropped", dropAlias},
	{"a renamed one keeps all it has", renamedKeeps},
	{"lists", mailboxLists},
	{"lists those whose time is over", expiredLists},
}

// fullBox is a mailbox with a value in every field but its number.
func fullBox(address string, aliases ...string) mailbox.Mailbox {
	return mailbox.Mailbox{
		Address: address, Aliases: aliases, Scope: mailbox.Provisional, CreatedAt: noon,
		ExpiresAt: noon.Add(72 * time.Hour),
		Status:    mailbox.Halted, PausedBy: mailbox.ByOperator, PauseReason: "it's too loud",
		PausedAt: noon.Add(time.Minute),
		Webhook: mailbox.Webhook{URL: "https://example.org/hook?a=%20&b='", Failed: true, ConsecutiveFailures: 7,
			LastAttemptAt: noon.Add(time.Second), LastError: "timeout"},
		DomainOwner: 1 << 40,
		About: &mailbox.Profile{DisplayName: "Zoë", Metadata: map[string]any{"tier": "gold", "seats": 2.5, "on": true},
			Maker: 7},
	}
}

// profileTest looks mailboxes up by their maker's name for them, and lists those that a key opens.
func profileTest(k kit) {
	named := func(address string, maker mailbox.Num, id string) mailbox.Mailbox {
		m := sampleBox(address)
		m.SetProfile(mailbox.Profile{ClientID: id, Maker: maker})
		return k.insertBox(m)
	}
	of := func(client string) (mailbox.Mailbox, error) {
		return ask(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox, error) {
			return r.MailboxOf(ctx, client)
		})
	}
	k.box("none@x.org")
	a, b := named("a@x.org", 1, "support"), named("b@x.org", 2, "support")
	for _, want := range []mailbox.Mailbox{a, b} {
		found, err := of(want.Profile().Client())
		k.is("MailboxOf", err, nil)
		k.same("by its maker's name", found, want)
	}
	for _, client := range []string{"", "support", "3 support", "1 suppor"} {
		_, err := of(client)
		k.is(client, err, store.ErrNotFound)
	}
	key := k.key(a.Num)
	k.same("a key's own", k.addresses(store.MailboxFilter{Key: key.ID}), []string{"a@x.org"})
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertKeyBox(ctx, key.ID, b.Num) })
	k.same("a key's", k.addresses(store.MailboxFilter{Key: key.ID}), []string{"b@x.org", "a@x.org"})
	k.same("oldest first", k.addresses(store.MailboxFilter{Key: key.ID, Oldest: true}), []string{"a@x.org", "b@x.org"})
	k.same("after one", k.addresses(store.MailboxFilter{After: a.Num, Oldest: true}), []string{"b@x.org"})
	k.remove(a.Num)
	_, err := of(a.Profile().Client())
	k.is("of a removed one", err, store.ErrNotFound)
}

func (k kit) at(address string) mailbox.Mailbox {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Mailbox, error) {
		return r.MailboxAt(ctx,
			address)
	})
}

// addresses lists mailboxes.
func (k kit) addresses(f store.MailboxFilter) []string {
	k.Helper()
	if f.Limit == 0 {
		f.Limit = 100
	}
	list := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Mailbox, error) { return r.Mailboxes(ctx, f) })
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = m.Address
	}
	return out
}

func addressTaken(k kit) {
	k.box("a@x.org", "b@x.org")
	for _, c := range []struct {
		name string
		box  mailbox.Mailbox
	}{
		{"address is an address", sampleBox("a@x.org")},
		{"address is an alias", sampleBox("b@x.org")},
		{"alias is an address", sampleBox("c@x.org", "a@x.org")},
		{"alias is an alias", sampleBox("c@x.org", "d@x.org", "b@x.org")},
	} {
		err := k.db.Update(k.Context(), func(tx store.Tx) error {
			_, err := tx.InsertMailbox(k.Context(), c.box)
			return err
		})
		k.is(c.name, err, store.ErrTaken)
		if errors.Is(err, store.ErrStorage) {
			k.Errorf("%s: is the disk's fault", c.name)
		}
	}
	k.same("mailboxes", k.addresses(store.MailboxFilter{}), []string{"a@x.org"})
	k.box("c@x.org", "d@x.org") // nothing was left of it
}

func mailboxLists(k kit) {
	nums := map[string]mailbox.Num{}
	for _, a := range []string{"a1@x.org", "a2@y.org", "b1@x.org", "b_2@y.org", "b%3@x.org"} {
		box := sampleBox(a, "alias-"+a)
		if a[0] == 'b' {
			box.Status = mailbox.Halted
		}
		nums[a] = k.insertBox(box).Num
	}
	for _, c := range []struct {
		name string
		f    store.MailboxFilter
		want []string
	}{
		{"all, newest first", store.MailboxFilter{}, []string{"b%3@x.org", "b_2@y.org", "b1@x.org", "a2@y.org",
			"a1@x.org"}},
		{"active", store.MailboxFilter{Status: mailbox.Active}, []string{"a2@y.org", "a1@x.org"}},
		{"paused", store.MailboxFilter{Status: mailbox.Halted}, []string{"b%3@x.org", "b_2@y.org", "b1@x.org"}},
		{"part of the address", store.MailboxFilter{Query: "@x"}, []string{"b%3@x.org", "b1@x.org", "a1@x.org"}},
		{"a percent is a percent", store.MailboxFilter{Query: "%"}, []string{"b%3@x.org"}},
		{"an underscore is one", store.MailboxFilter{Query: "_"}, []string{"b_2@y.org"}},
		{"a quote is a quote", store.MailboxFilter{Query: "'"}, []string{}},
		{"an alias is not looked at", store.MailboxFilter{Query: "alias"}, []string{}},
		{"combined", store.MailboxFilter{Status: mailbox.Halted, Query: "y.org"}, []string{"b_2@y.org"}},
		{"limit", store.MailboxFilter{Limit: 2}, []string{"b%3@x.org", "b_2@y.org"}},
		{"offset", store.MailboxFilter{Limit: 2, Offset: 3}, []string{"a2@y.org", "a1@x.org"}},
		{"offset past the end", store.MailboxFilter{Offset: 5}, []string{}},
		{"before", store.MailboxFilter{Before: nums["b1@x.org"]}, []string{"a2@y.org", "a1@x.org"}},
		{"before, combined", store.MailboxFilter{Before: nums["b%3@x.org"], Status: mailbox.Halted, Limit: 1},
			[]string{"b_2@y.org"}},
		{"before the oldest", store.MailboxFilter{Before: nums["a1@x.org"]}, []string{}},
	} {
		k.same(c.name, k.addresses(c.f), c.want)
	}
}

// useTest follows what a mailbox holds through all that changes it, inside of one update and from outside.
func useTest(k kit) {
	box, other := k.box("a@x.org").Num, k.box("b@x.org").Num
	look := func(r store.Reader, what string, want mailbox.Use) error {
		got, err := r.Use(k.Context(), box)
		k.same(what, got, want)
		return err
	}
	m, next := sample(box, "one"), sample(box, "two")
	m.Size, next.Size = 100, 10
	k.update(func(ctx context.Context, tx store.Tx) error {
		steps := []func() error{
			func() error { return look(tx, "at first", mailbox.Use{}) },
			func() error { return tx.InsertMessage(ctx, &m, store.Content{}) },
			func() error { return look(tx, "with a message", mailbox.Use{Bytes: 100, Messages: 1}) },
			func() error {
				return tx.AppendEvent(ctx, &mailbox.Event{Mailbox: box, Kind: mailbox.MailboxQuota, At: noon})
			},
			func() error { return tx.InsertMessage(ctx, &next, store.Content{}) },
			func() error { return look(tx, "with two", mailbox.Use{Bytes: 110, Messages: 2}) },
			func() error { return tx.DeleteMessage(ctx, m, nil) },
			func() error { return look(tx, "with one of them", mailbox.Use{Bytes: 10, Messages: 1}) },
			func() error { return tx.InsertDraft(ctx, &store.Draft{Mailbox: box, ID: mailbox.NewID(noon), Size: 5}) },
			func() error { return look(tx, "with a draft", mailbox.Use{Bytes: 15, Messages: 1}) },
		}
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	k.same("the second message's place", next.Seq, m.Seq+2)
	k.view(func(ctx context.Context, r store.Reader) error {
		return look(r, "afterwards", mailbox.Use{Bytes: 15, Messages: 1})
	})
	above := func(u mailbox.Use, after mailbox.Num) []mailbox.Num {
		return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Num, error) {
			return r.Above(ctx, u, after, 10)
		})
	}
	k.same("15 bytes or 2 messages", above(mailbox.Use{Bytes: 15, Messages: 2}, 0), []mailbox.Num{box})
	k.same("16 bytes or 1 message", above(mailbox.Use{Bytes: 16, Messages: 1}, 0), []mailbox.Num{box})
	k.same("16 bytes or 2 messages", len(above(mailbox.Use{Bytes: 16, Messages: 2}, 0)), 0)
	k.same("nothing", above(mailbox.Use{}, box), []mailbox.Num{other})
}
