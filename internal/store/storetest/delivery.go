package storetest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var deliveryTests = []test{
	{"is found whole, and changed whole", func(k kit) {
		m := k.sentMail("a@x.org")
		full := mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: 1, Recipient: "Ann@y.org",
			Destination: "y.org", Status: mailbox.Queued}
		k.delivery(full)
		k.same("as it was put", k.deliveries(m), []mailbox.Delivery{full})
		one := func(n int) (mailbox.Delivery, error) {
			return ask(k, func(ctx context.Context, r store.Reader) (mailbox.Delivery, error) {
				return r.Delivery(ctx, m.Mailbox, m.Seq, n)
			})
		}
		got, err := one(1)
		k.is("alone", err, nil)
		k.same("alone", got, full)
		_, err = one(2)
		k.is("another", err, store.ErrNotFound)
		full.Status, full.Attempts, full.Code, full.Text, full.Host, full.TLS = mailbox.Delayed, 3, 451, "later",
			"mx.y.org", "TLS1.3"
		full.Provider, full.QueuedAt, full.NextAt, full.Lease, full.Leased = "p1", noon, after(time.Minute), 7, true
		full.EnteredAt = after(-time.Minute)
		full.Begun, full.Unknown, full.Told, full.TriedAt = true, true, 3, after(time.Second)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateDelivery(ctx, full) })
		k.same("as it was changed", k.deliveries(m), []mailbox.Delivery{full})
		other := full
		other.N = 2
		k.is("one that is not there", k.db.Update(k.Context(),
			func(tx store.Tx) error { return tx.UpdateDelivery(k.Context(), other) }), store.ErrNotFound)
	}},
	{"comes in the order of recipients, of its message alone", func(k kit) {
		m, other := k.sentMail("a@x.org"), k.sentMail("b@x.org")
		for _, n := range []int{2, 1, 11, 3} {
			k.delivery(mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: n})
		}
		k.delivery(mailbox.Delivery{Mailbox: other.Mailbox, Message: other.ID, Seq: other.Seq, N: 4})
		var got []int
		for _, d := range k.deliveries(m) {
			got = append(got, d.N)
		}
		k.same("numbers", got, []int{1, 2, 3, 11})
	}},
	{"is due at its time", dueDeliveries},
	{"is in the queue until it is over", queuedDeliveries},
	{"is kept by who has its lease", func(k kit) {
		m := k.sentMail("a@x.org")
		for n, d := range []mailbox.Delivery{{Lease: 3, Leased: true}, {Lease: 4, Leased: true}, {Lease: 3}} {
			d.Mailbox, d.Message, d.Seq, d.N, d.NextAt = m.Mailbox, m.ID, m.Seq, n+1, noon
			k.delivery(d)
		}
		mine := mailbox.Delivery{Mailbox: m.Mailbox, Seq: m.Seq, Lease: 3}
		k.update(func(ctx context.Context, tx store.Tx) error {
			for n := range 4 { // one of them is not there
				mine.N = n + 1
				if err := tx.RenewDelivery(ctx, mine, after(time.Hour)); err != nil {
					return err
				}
			}
			return nil
		})
		var got []time.Time
		for _, d := range k.deliveries(m) {
			got = append(got, d.NextAt)
		}
		k.same("ends", got, []time.Time{after(time.Hour), noon, noon})
	}},
	{"is released with its process, and hastened with its mailbox", func(k kit) {
		m, other := k.sentMail("a@x.org"), k.sentMail("b@x.org")
		put := func(m mailbox.Message, n int, leased bool, next, queued time.Time) {
			k.delivery(mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: n, Leased: leased,
				NextAt: next, QueuedAt: queued})
		}
		put(m, 1, true, after(time.Hour), noon)
		put(m, 2, false, after(time.Hour), noon)
		put(m, 3, false, after(2*time.Hour), after(2*time.Hour)) // scheduled
		put(m, 4, false, time.Time{}, noon)                      // done
		put(other, 1, false, after(time.Hour), noon)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.ReleaseDeliveries(ctx, noon) })
		k.same("released", k.due(noon), []string{fmt.Sprint(m.Mailbox, "/1")})
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.HastenDeliveries(ctx, m.Mailbox, after(time.Minute), 10*time.Second)
		})
		k.same("time not waited", k.deliveries(m)[1].QueuedAt, after(10*time.Second))
		k.same("time of a scheduled one", k.deliveries(m)[2].QueuedAt, after(2*time.Hour))
		k.same("hastened", k.due(after(time.Minute)), []string{fmt.Sprint(m.Mailbox, "/1"),
			fmt.Sprint(m.Mailbox, "/2")})
	}},
	{"goes with its message and its mailbox", func(k kit) {
		m, other := k.sentMail("a@x.org"), k.sentMail("b@x.org")
		for _, m := range []mailbox.Message{m, other} {
			k.delivery(mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: 1, NextAt: noon,
				Provider: "p"})
		}
		k.deleteMail(m)
		k.same("after the message", k.due(noon), []string{fmt.Sprint(other.Mailbox, "/1")})
		k.remove(other.Mailbox)
		k.purge(other.Mailbox, 10)
		k.same("after the mailbox", k.due(noon), []string(nil))
	}},
	{"its message's status is set alone", func(k kit) {
		m, other := k.sentMail("a@x.org"), k.sentMail("b@x.org")
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.UpdateStatus(ctx, m.Mailbox, m.Seq, "delivered")
		})
		m.Status = "delivered"
		k.same("changed", k.message(m.Mailbox, m.ID), m)
		k.same("other", k.message(other.Mailbox, other.ID), other)
	}},
	{"is found by the provider's id", func(k kit) {
		m := k.sentMail("a@x.org")
		for n, p := range []string{"", "p1", "p2", "p1"} {
			k.delivery(mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: n + 1, Provider: p})
		}
		for p, want := range map[string]int{"p1": 2, "p2": 1, "p3": 0, "": 0} {
			got := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Delivery, error) {
				return r.DeliveryByProvider(ctx, p)
			})
			k.same("of "+p, len(got), want)
		}
	}},
	{"an event keeps what it says of a recipient", func(k kit) {
		m := k.sentMail("a@x.org")
		want := mailbox.Result{Recipient: "ann@y.org", Status: "bounced", Bounce: "hard", Reason: "two\nlines"}
		k.event(mailbox.Event{Mailbox: m.Mailbox, Kind: mailbox.MessageBounced, Message: m.ID, At: noon, Result: want})
		events := k.events(m.Mailbox, 0, 10)
		k.same("result", events[len(events)-1].Result, want)
		k.same("result of the message itself", events[0].Result, mailbox.Result{})
	}},
}

// sentMail stores a message that is sent from a mailbox of its own.
func (k kit) sentMail(address string) mailbox.Message {
	k.Helper()
	m := sample(k.box(address).Num, "sent")
	m.Direction, m.Status = mailbox.Outbound, "queued"
	return k.mail(m)
}

func (k kit) delivery(d mailbox.Delivery) {
	k.Helper()
	if d.Status == "" {
		d.Status = mailbox.Queued
	}
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertDelivery(ctx, d) })
}

func (k kit) deliveries(m mailbox.Message) []mailbox.Delivery {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Delivery, error) {
		return r.Deliveries(ctx,
			m)
	})
}

// due names the deliveries that are due, sorted.
func (k kit) due(at time.Time) (list []string) {
	k.Helper()
	for _, to := range must(k, func(ctx context.Context, r store.Reader) ([]store.Destination,
		error) {
		return r.Destinations(ctx)
	}) {
		for _, d := range k.dueFor(to.Name, at, 100) {
			list = append(list, fmt.Sprintf("%d/%d", d.Mailbox, d.N))
		}
	}
	slices.Sort(list)
	return list
}

func (k kit) dueFor(destination string, at time.Time, limit int) []mailbox.Delivery {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Delivery, error) {
		return r.DueDeliveries(ctx, destination, at, limit)
	})
}

func numbers(list []mailbox.Delivery) (ns []int) {
	for _, d := range list {
		ns = append(ns, d.N)
	}
	return ns
}

func dueDeliveries(k kit) {
	m := k.sentMail("a@x.org")
	for n, d := range []struct {
		to         string
		at, queued time.Time
		leased     bool
	}{
		{"y.org", after(time.Second), noon, false}, {"z.org", after(time.Minute), after(time.Hour), false},
		{"y.org", noon, after(-time.Hour), true},
		{"y.org", time.Time{}, after(-time.Hour), false}, {"q'u.org", after(-time.Hour), after(-2 * time.Hour), false},
		{"", after(time.Hour), noon, false},
		{"done.org", time.Time{}, noon, false},
	} {
		k.delivery(mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: n + 1, Destination: d.to,
			NextAt: d.at, QueuedAt: d.queued, Leased: d.leased})
	}
	k.same("destinations", must(k, func(ctx context.Context, r store.Reader) ([]store.Destination,
		error) {
		return r.Destinations(ctx)
	}),
		[]store.Destination{{Name: "", Next: after(time.Hour)}, {Name: "q'u.org", Next: after(-time.Hour)},
			{Name: "y.org", Next: noon}, {Name: "z.org", Next: after(time.Minute)}})
	for _, tt := range []struct {
		name, to string
		at       time.Time
		limit    int
		want     []int
	}{
		{"the longest due first", "y.org", after(time.Hour), 10, []int{3, 1}},
		{"until now, that included", "y.org", noon, 10, []int{3}},
		{"limited", "y.org", after(time.Hour), 1, []int{3}},
		{"not yet", "z.org", after(time.Minute - time.Millisecond), 10, nil},
		{"another", "q'u.org", noon, 10, []int{5}},
		{"no such", "done.org", after(time.Hour), 10, nil},
	} {
		k.same(tt.name, numbers(k.dueFor(tt.to, tt.at, tt.limit)), tt.want)
	}
	for limit, want := range map[int][]int{10: {5}, 1: {5}} {
		old := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Delivery, error) {
			return r.OldDeliveries(ctx, noon, limit)
		})
		k.same("old ones", numbers(old), want)
	}
}

func queuedDeliveries(k kit) {
	m, other := k.sentMail("a@x.org"), k.sentMail("b@x.org")
	for n, d := range []mailbox.Delivery{
		{Mailbox: other.Mailbox, Destination: "y.org", EnteredAt: after(time.Minute), NextAt: noon, Code: 421,
			Text: "old", TriedAt: noon},
		{Destination: "y.org", EnteredAt: after(time.Minute), NextAt: after(time.Hour), Code: 451, Text: "later",
			TriedAt: after(time.Second)},
		{Destination: "z.org", EnteredAt: noon, Status: mailbox.OnHold},
		{Destination: "y.org", EnteredAt: noon, Status: mailbox.Delivered},
		{Destination: "y.org", EnteredAt: noon, NextAt: after(time.Hour), Leased: true},
		{Destination: "y.org", EnteredAt: after(time.Hour), Status: mailbox.OnHold},
	} {
		of := m
		if d.Mailbox == other.Mailbox {
			of = other
		}
		d.Mailbox, d.Message, d.Seq, d.N = of.Mailbox, of.ID, of.Seq, n+1
		k.delivery(d)
	}
	queue := func(f store.QueueFilter) []mailbox.Delivery {
		f.Limit = max(f.Limit, 1)
		return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Delivery, error) { return r.Queue(ctx, f) })
	}
	all := queue(store.QueueFilter{Limit: 10})
	k.same("all, the first queued at the front", numbers(all), []int{3, 5, 2, 1, 6})
	for from := range all {
		got := queue(store.QueueFilter{After: store.PlaceInQueue(all[from]), Limit: 2})
		k.same("two after one", numbers(got), numbers(all[from+1:min(from+3, len(all))]))
	}
	k.same("for a destination", numbers(queue(store.QueueFilter{Destination: "z.org", Limit: 9})), []int{3})
	k.same("of a mailbox", numbers(queue(store.QueueFilter{Mailbox: other.Mailbox, Limit: 9})), []int{1})
	sums := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.QueueSum, error) {
		return r.QueueSums(ctx, 10)
	})
	k.same("sums", sums, []mailbox.QueueSum{
		{Destination: "y.org", Deliveries: 4, OnHold: 1, OldestAt: noon, Last: all[2]},
		{Destination: "z.org", Deliveries: 1, OnHold: 1, OldestAt: noon}})
}
