package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var sendTests = []test{
	{"tallies count by mailbox, kind and slot, and end", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		count := func(num mailbox.Num, what string, slot int64, until time.Time) {
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.Count(ctx, num, what, slot, until) })
		}
		tally := func(num mailbox.Num, what string, slot int64) int64 {
			return must(k, func(ctx context.Context, r store.Reader) (int64, error) {
				return r.Tally(ctx, num, what,
					slot)
			})
		}
		for range 3 {
			count(a, "sends", 1, noon)
		}
		count(a, "sends", 2, after(time.Hour))
		count(a, "peer", 1, after(time.Hour))
		count(b, "sends", 1, after(time.Hour))
		count(0, "sends", 1, after(time.Hour))
		k.same("tallies", []int64{tally(a, "sends", 1), tally(a, "sends", 2), tally(a, "peer", 1), tally(b, "sends", 1),
			tally(0, "sends", 1), tally(b, "peer", 1)},
			[]int64{3, 1, 1, 1, 1, 0})
		trimSends(k, noon, noon)
		k.same("after trimming", []int64{tally(a, "sends", 1), tally(a, "sends", 2)}, []int64{0, 1})
		k.remove(b)
		k.purge(b, 10)
		k.same("after its mailbox", []int64{tally(b, "sends", 1), tally(0, "sends", 1)}, []int64{0, 1})
	}},
	{"a send is found by its key, in its mailbox, for its time", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		find := func(num mailbox.Num, key [32]byte) (mailbox.Idempotent, error) {
			return ask(k, func(ctx context.Context, r store.Reader) (mailbox.Idempotent, error) {
				return r.Idempotent(ctx, num, key)
			})
		}
		i := mailbox.Idempotent{Mailbox: a, Key: random32(), Body: random32(), Message: mailbox.NewID(noon),
			Thread: mailbox.NewID(noon), MessageID: "1@x.org", At: noon}
		put := func(i mailbox.Idempotent) {
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertIdempotent(ctx, i) })
		}
		put(i)
		got, err := find(a, i.Key)
		k.is("found", err, nil)
		k.same("found", got, i)
		_, err = find(b, i.Key)
		k.is("in another mailbox", err, store.ErrNotFound)
		newer := i
		newer.Body, newer.At = random32(), after(time.Hour)
		put(newer)
		got, _ = find(a, i.Key)
		k.same("replaced", got, newer)
		trimSends(k, noon, after(time.Hour))
		_, err = find(a, i.Key)
		k.is("at its time", err, nil)
		trimSends(k, noon, after(time.Hour+time.Millisecond))
		_, err = find(a, i.Key)
		k.is("after its time", err, store.ErrNotFound)
	}},
	{"the pace of a mailbox is its own, and goes with it", paces},
	{"suppressions are a mailbox's own, newest first", suppressions},
	{"lists are a mailbox's own or the deployment's, newest first", lists},
	{"reviews are found by message, mailbox, status and time", reviews},
	{"a review goes with its message", reviewsGo},
	{"domains have one owner", domains},
}

func trimSends(k kit, tallies, keys time.Time) {
	k.Helper()
	for more, steps := true, 0; more; steps++ {
		if steps > 100 {
			k.Fatal("trimming never ends")
		}
		k.update(func(ctx context.Context, tx store.Tx) (err error) {
			_, more, err = tx.TrimSends(ctx, tallies, keys, 1)
			return err
		})
	}
}

func paces(k kit) {
	a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
	pace := func(num mailbox.Num) mailbox.Pace {
		return must(k, func(ctx context.Context, r store.Reader) (mailbox.Pace, error) { return r.Pace(ctx, num) })
	}
	var p mailbox.Pace
	for range 2 {
		p.Send(mailbox.Dispatch{To: []string{"x"}, Text: "y", New: 1}, noon)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.SetPace(ctx, a, p) })
	}
	k.same("stored", pace(a).Encode(), p.Encode())
	k.same("of another mailbox", pace(b), mailbox.Pace{})
	k.remove(a)
	k.purge(a, 10)
	k.same("after its mailbox", pace(a), mailbox.Pace{})
}

func suppressions(k kit) {
	a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
	put := func(num mailbox.Num, address, reason string) {
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.InsertSuppression(ctx, mailbox.Suppression{Mailbox: num, Address: address, Reason: reason,
				Detail: "d", Message: mailbox.ID{1}, At: noon})
		})
	}
	list := func(num mailbox.Num, f store.SuppressionFilter) (out []string, last int64) {
		for _, s := range must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Suppression, error) {
			return r.Suppressions(ctx, num, f)
		}) {
			out, last = append(out, s.Address), s.Number
		}
		return out, last
	}
	for i := range 5 {
		put(a, fmt.Sprintf("%d@y.org", i), "bounce")
	}
	put(a, "1@y.org", "complaint") // it is there
	put(b, "1@y.org", "complaint")
	all, _ := list(a, store.SuppressionFilter{Limit: 10})
	k.same("all", all, []string{"4@y.org", "3@y.org", "2@y.org", "1@y.org", "0@y.org"})
	page, last := list(a, store.SuppressionFilter{Limit: 2, Offset: 1})
	k.same("a page", page, []string{"3@y.org", "2@y.org"})
	page, _ = list(a, store.SuppressionFilter{Limit: 10, Before: last})
	k.same("the next", page, []string{"1@y.org", "0@y.org"})
	page, _ = list(a, store.SuppressionFilter{Limit: 1, After: last, Oldest: true})
	k.same("the one before", page, []string{"3@y.org"})
	put(a, "5@y.org", mailbox.SuppressedByHand)
	page, _ = list(a, store.SuppressionFilter{Limit: 10, Reason: mailbox.SuppressedByHand})
	k.same("of a reason", page, []string{"5@y.org"})
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteSuppression(ctx, a, "5@y.org") })
	k.same("count", must(k, func(ctx context.Context, r store.Reader) (int64, error) {
		return r.CountSuppressions(ctx,
			a)
	}), int64(5))
	find := func(address string) (mailbox.Suppression, error) {
		return ask(k, func(ctx context.Context, r store.Reader) (mailbox.Suppression, error) {
			return r.Suppression(ctx, a, address)
		})
	}
	s, err := find("1@y.org")
	k.is("found", err, nil)
	s.Number = 0
	k.same("the first reason stays", s, mailbox.Suppression{Mailbox: a, Address: "1@y.org", Reason: "bounce",
		Detail: "d", Message: mailbox.ID{1}, At: noon})
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteSuppression(ctx, a, "1@y.org") })
	_, err = find("1@y.org")
	k.is("deleted", err, store.ErrNotFound)
	k.is("deleted twice", k.db.Update(k.Context(), func(tx store.Tx) error {
		return tx.DeleteSuppression(k.Context(), a,
			"1@y.org")
	}), store.ErrNotFound)
	k.remove(a)
	k.purge(a, 2)
	all, _ = list(a, store.SuppressionFilter{Limit: 10})
	k.same("after its mailbox", all, []string(nil))
	all, _ = list(b, store.SuppressionFilter{Limit: 10})
	k.same("the other's", all, []string{"1@y.org"})
}

func domains(k kit) {
	a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
	d := mailbox.Domain{ID: mailbox.NewID(noon), Mailbox: a, Name: "y.org", Token: "t", Selector: "s",
		Keys: []byte{0, 1, 255}, CreatedAt: noon}
	insert := func(d mailbox.Domain) error {
		return k.db.Update(k.Context(), func(tx store.Tx) error { return tx.InsertDomain(k.Context(), d) })
	}
	k.is("insert", insert(d), nil)
	other := d
	other.ID, other.Mailbox = mailbox.NewID(after(time.Second)), b
	again := d
	again.ID = mailbox.NewID(after(time.Second))
	k.is("twice", insert(again), store.ErrTaken)
	pending := other
	k.is("another's that nobody verified", insert(pending), nil)
	_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Domain, error) {
		return r.DomainNamed(ctx,
			"y.org")
	})
	k.is("by name, not in use", err, store.ErrNotFound)
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteDomain(ctx, pending.ID) })
	other.Name = "z.org"
	k.is("another name", insert(other), nil)
	own := mailbox.Domain{ID: mailbox.NewID(after(2 * time.Second)), Name: "own.org", Keys: []byte{1}, CreatedAt: noon}
	k.is("the deployment's own", insert(own), nil)
	claim := own
	claim.ID, claim.Mailbox = mailbox.NewID(after(3*time.Second)), a
	k.is("a claim on it", insert(claim), store.ErrTaken)
	k.same("by name, own", must(k, func(ctx context.Context, r store.Reader) (mailbox.Domain, error) {
		return r.DomainNamed(ctx, "own.org")
	}), own)
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteDomain(ctx, own.ID) })
	d.MX, d.SPF, d.DKIM, d.DMARC, d.Owned, d.VerifiedAt = true, true, true, true, true, after(time.Hour)
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateDomain(ctx, d) })
	k.same("by id", must(k, func(ctx context.Context, r store.Reader) (mailbox.Domain, error) {
		return r.Domain(ctx,
			d.ID)
	}), d)
	taken := d
	taken.ID, taken.Mailbox = mailbox.NewID(after(4*time.Second)), b
	k.is("one in use", insert(taken), store.ErrTaken)
	k.same("by name", must(k, func(ctx context.Context, r store.Reader) (mailbox.Domain,
		error) {
		return r.DomainNamed(ctx, "y.org")
	}), d)
	d.Selector, d.Keys, d.DKIM = "u", []byte{7}, false
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.SetDomainKeys(ctx, d) })
	k.same("other keys", must(k, func(ctx context.Context, r store.Reader) (mailbox.Domain,
		error) {
		return r.Domain(ctx, d.ID)
	}), d)
	d.LapsedAt = after(2 * time.Hour)
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateDomain(ctx, d) })
	k.same("lapsed", must(k, func(ctx context.Context, r store.Reader) (mailbox.Domain, error) {
		return r.Domain(ctx,
			d.ID)
	}), d)
	_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Domain, error) {
		return r.DomainNamed(ctx,
			"y.org")
	})
	k.is("by name, lapsed", err, store.ErrNotFound)
	k.is("one that has lapsed", insert(taken), nil)
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteDomain(ctx, taken.ID) })
	list := func(num mailbox.Num) []mailbox.Domain {
		return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Domain, error) {
			return r.Domains(ctx,
				num)
		})
	}
	k.same("of one", list(a), []mailbox.Domain{d})
	k.same("of all", list(0), []mailbox.Domain{d, other})
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteDomain(ctx, d.ID) })
	_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Domain, error) { return r.Domain(ctx, d.ID) })
	k.is("deleted", err, store.ErrNotFound)
	k.remove(b)
	k.same("after its mailbox", len(list(0)), 0)
}
