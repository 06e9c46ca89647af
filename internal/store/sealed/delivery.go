package sealed

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// Of a delivery the recipient is sealed once, and what the other server said with each attempt. All mailboxes' mail to
// one destination is one queue, so its hash is the same for all of them, and so is that of a provider's id, which
// providers tell without a mailbox. Those two are keyed by the deployment.
const (
	deliveryKind = "delivery"
	answerKind   = "answer"
)

func deliveryRecord(kind string, d mailbox.Delivery) seal.Record {
	return seal.BySeq(kind, d.Mailbox, d.Seq, int64(d.N))
}

// forAll is the hash of a text that is looked up over all mailboxes.
func (r *reader) forAll(text string) string {
	if text == "" || isHash(text) {
		return text
	}
	return hashMark + r.ring.HashForAll(text)
}

// sealAnswer returns the delivery with what changes as it is stored.
func (t *tx) sealAnswer(ctx context.Context, d mailbox.Delivery) (mailbox.Delivery, error) {
	if d.Text == "" && d.Host == "" && d.Provider == "" {
		return d, nil
	}
	sealed, err := t.sealTexts(ctx, deliveryRecord(answerKind, d), d.Text, d.Host, d.Provider)
	d.Text, d.Host, d.Provider = "", sealed, t.forAll(d.Provider)
	return d, err
}

func (t *tx) InsertDelivery(ctx context.Context, d mailbox.Delivery) (err error) {
	if t.sealing(d.Mailbox) {
		rec, to := deliveryRecord(deliveryKind, d), d.Destination
		if d.Recipient, err = t.sealTexts(ctx, rec, d.Recipient, to); err != nil {
			return err
		}
		d.Destination = t.forAll(to)
		if d, err = t.sealAnswer(ctx, d); err != nil {
			return err
		}
	}
	return t.writer.InsertDelivery(ctx, d)
}

// UpdateDelivery stores what was said without its words where the key was destroyed: the mailbox is being deleted, and
// its deliveries have to leave the queue. Words that could not be read stay as they are.
func (t *tx) UpdateDelivery(ctx context.Context, d mailbox.Delivery) (err error) {
	if d.Unreadable {
		stored, err := t.Reader.Delivery(ctx, d.Mailbox, d.Seq, d.N)
		if err != nil {
			return err
		}
		d.Text, d.Host, d.Provider = stored.Text, stored.Host, stored.Provider
		return t.writer.UpdateDelivery(ctx, d)
	}
	if t.sealing(d.Mailbox) {
		if d, err = t.sealAnswer(ctx, d); errors.Is(err, store.ErrNotFound) {
			d.Host, d.Provider, err = "", "", nil
		}
	}
	if err != nil {
		return err
	}
	return t.writer.UpdateDelivery(ctx, d)
}

// openDelivery opens a delivery. One queue has those of all mailboxes: where the key of one is lost, the others go on.
func (r *reader) openDelivery(ctx context.Context, d *mailbox.Delivery) error {
	err := r.openTexts(ctx, deliveryRecord(deliveryKind, *d), d.Recipient, &d.Recipient, &d.Destination)
	if err == nil {
		err = r.openTexts(ctx, deliveryRecord(answerKind, *d), d.Host, &d.Text, &d.Host, &d.Provider)
	}
	if errors.Is(err, seal.ErrLost) {
		d.Recipient, d.Destination, d.Text, d.Host, d.Provider, d.Unreadable = "", "", "", "", "", true
		err = nil
	}
	return err
}

func (r *reader) Deliveries(ctx context.Context, m mailbox.Message) ([]mailbox.Delivery, error) {
	return all(ctx, r.openDelivery)(r.Reader.Deliveries(ctx, m))
}

func (r *reader) Delivery(ctx context.Context, num mailbox.Num, seq int64, n int) (mailbox.Delivery, error) {
	return one(ctx, r.openDelivery)(r.Reader.Delivery(ctx, num, seq, n))
}

func (r *reader) OldDeliveries(ctx context.Context, before time.Time, limit int) ([]mailbox.Delivery, error) {
	return all(ctx, r.openDelivery)(r.Reader.OldDeliveries(ctx, before, limit))
}

// both asks for deliveries that are stored under a hash, and for those from before there was encryption.
func (r *reader) both(ctx context.Context, name string, ask func(name string) ([]mailbox.Delivery, error)) (
	[]mailbox.Delivery, error) {
	list, err := ask(r.forAll(name))
	if err == nil && r.forAll(name) != name {
		var old []mailbox.Delivery
		old, err = ask(name)
		list = append(list, old...)
	}
	return all(ctx, r.openDelivery)(list, err)
}

func (r *reader) DeliveryByProvider(ctx context.Context, provider string) ([]mailbox.Delivery, error) {
	return r.both(ctx, provider, func(name string) ([]mailbox.Delivery, error) {
		return r.Reader.DeliveryByProvider(ctx, name)
	})
}

func (r *reader) DueDeliveries(ctx context.Context, to string, at time.Time, limit int) ([]mailbox.Delivery, error) {
	list, err := r.both(ctx, to, func(name string) ([]mailbox.Delivery, error) {
		return r.Reader.DueDeliveries(ctx, name, at, limit)
	})
	for i := range list {
		if list[i].Unreadable {
			list[i].Destination = to
		}
	}
	slices.SortStableFunc(list, func(a, b mailbox.Delivery) int { return a.NextAt.Compare(b.NextAt) })
	return list[:min(len(list), limit)], err
}

func (r *reader) Queue(ctx context.Context, f store.QueueFilter) ([]mailbox.Delivery, error) {
	list, err := r.both(ctx, f.Destination, func(name string) ([]mailbox.Delivery, error) {
		f := f
		f.Destination = name
		return r.Reader.Queue(ctx, f)
	})
	return rows.FrontOfQueue(list, f.Limit), err
}

// names are the destinations that hashes stand for, as far as they were asked for.
type names struct {
	mu    sync.Mutex
	known map[string]string
}

const mostNames = 20_000

func (n *names) find(hash string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.known[hash]
}

func (n *names) note(hash, name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known == nil || len(n.known) >= mostNames {
		n.known = map[string]string{}
	}
	n.known[hash] = name
}

// some deliveries are looked at to find out where they go: those of mailboxes whose key is gone do not say.
const someDeliveries = 20

// destination is what a destination is called that is stored as a hash. Where only mailboxes whose key is gone have
// mail for it, it stays the hash, by which their deliveries are found.
func (r *reader) destination(ctx context.Context, hash string) (string, error) {
	if !isHash(hash) {
		return hash, nil
	}
	if name := r.names.find(hash); name != "" {
		return name, nil
	}
	list, err := r.Reader.DueDeliveries(ctx, hash, time.UnixMilli(1<<53), someDeliveries)
	if err == nil && len(list) == 0 { // all that there is is kept by an operator
		list, err = r.Reader.Queue(ctx, store.QueueFilter{Destination: hash, Limit: someDeliveries})
	}
	list, err = all(ctx, r.openDelivery)(list, err)
	for _, d := range list {
		if err == nil && d.Destination != "" {
			r.names.note(hash, d.Destination)
			return d.Destination, nil
		}
	}
	return hash, err
}

// Destinations are in the order of their names, whether they are stored as hashes or not.
func (r *reader) Destinations(ctx context.Context) ([]store.Destination, error) {
	list, err := r.Reader.Destinations(ctx)
	for i := range list {
		if err == nil {
			list[i].Name, err = r.destination(ctx, list[i].Name)
		}
	}
	slices.SortFunc(list, func(a, b store.Destination) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), a.Next.Compare(b.Next))
	})
	return slices.CompactFunc(list, func(a, b store.Destination) bool { return a.Name == b.Name }), err
}

func (r *reader) QueueSums(ctx context.Context, limit int) (sums []mailbox.QueueSum, err error) {
	list, err := r.Reader.QueueSums(ctx, limit)
	at := map[string]int{}
	for _, s := range list {
		if err == nil {
			s.Destination, err = r.destination(ctx, s.Destination)
		}
		if err == nil {
			err = r.openDelivery(ctx, &s.Last)
		}
		i, twice := at[s.Destination]
		if !twice {
			at[s.Destination], sums = len(sums), append(sums, s)
			continue
		}
		sum := &sums[i]
		sum.Deliveries, sum.OnHold = sum.Deliveries+s.Deliveries, sum.OnHold+s.OnHold
		if s.OldestAt.Before(sum.OldestAt) {
			sum.OldestAt = s.OldestAt
		}
		if s.Last.TriedAt.After(sum.Last.TriedAt) {
			sum.Last = s.Last
		}
	}
	slices.SortFunc(sums, func(a, b mailbox.QueueSum) int {
		return cmp.Or(cmp.Compare(b.Deliveries, a.Deliveries), cmp.Compare(a.Destination, b.Destination))
	})
	return sums, err
}
