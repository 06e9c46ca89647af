package service

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// The queue, as package outbound works through it: LeaseDeliveries, for each the message with OutgoingMessage, BeginDelivery
// before the next server is told it, FinishDelivery with what became of it.

// Job is a delivery that is to be tried now.
type Job struct {
	mailbox.Delivery
	Inside bool   // it is for a mailbox of ours: DeliverInside
	Return string // envelope sender
	From   string // the mailbox's address
}

// LeaseQuery is what a worker can take.
type LeaseQuery struct {
	Except []string                    // destinations for which there is no room
	Take   func(mailbox.Delivery) bool // takes a place for a delivery, if there is one
	Limit  int
}

// Listen gives a channel on which it is heard that there may be something to deliver, until done is called.
func (s *Service) Listen() (heard <-chan struct{}, done func()) {
	ear := s.queue.Listen(0, 1<<30)
	return ear.C, ear.Close
}

// pausedWait is how long a delivery of a paused mailbox waits before it is looked at again; resuming makes it due at once.
const pausedWait = 10 * time.Minute

// LeaseDeliveries takes deliveries that are due. What is not finished when its lease ends is due again.
func (s *Service) LeaseDeliveries(ctx context.Context, q LeaseQuery) (jobs []Job, err error) {
	now := s.now()
	var due []mailbox.Delivery
	err = s.view(ctx, func(r store.Reader) (err error) {
		due, err = r.DueDeliveries(ctx, now, q.Except, q.Limit)
		return err
	})
	if err != nil || len(due) == 0 {
		return nil, err
	}
	due = slices.DeleteFunc(due, func(d mailbox.Delivery) bool { return !q.Take(d) })
	if len(due) == 0 {
		return nil, nil
	}
	err = s.update(ctx, func(tx store.Tx) error {
		jobs = nil
		for _, d := range due {
			job, err := s.lease(ctx, tx, d, now)
			if err != nil {
				return err
			}
			if job != nil {
				jobs = append(jobs, *job)
			}
		}
		return nil
	})
	return jobs, err
}

// lease takes one delivery, as it is now; nil: there is nothing to do.
func (s *Service) lease(ctx context.Context, tx store.Tx, d mailbox.Delivery, now time.Time) (*Job, error) {
	d, err := tx.Delivery(ctx, d.Mailbox, d.Seq, d.N)
	if errors.Is(err, store.ErrNotFound) || err == nil && (d.NextAt.IsZero() || d.NextAt.After(now)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	box, err := tx.Mailbox(ctx, d.Mailbox)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil // being deleted
	}
	if err != nil {
		return nil, err
	}
	if box.Status == mailbox.Halted {
		d.NextAt = now.Add(pausedWait)
		return nil, tx.UpdateDelivery(ctx, d)
	}
	d, any := d.Take(now.Add(leaseTime))
	if !any {
		return nil, s.settle(ctx, tx, d, nil)
	}
	if err := tx.UpdateDelivery(ctx, d); err != nil {
		return nil, err
	}
	_, domain := split(d.Recipient)
	return &Job{Delivery: d, Inside: s.serves(domain), Return: s.returnPath(d, box.Address), From: box.Address}, nil
}

// named gives the delivery that an id names, as it is now.
func named(ctx context.Context, r store.Reader, id mailbox.ID) (mailbox.Delivery, error) {
	message, n := id.Whole()
	m, err := r.Message(ctx, 0, message)
	if err != nil {
		return mailbox.Delivery{}, err
	}
	return r.Delivery(ctx, m.Mailbox, m.Seq, n)
}

// NextDelivery is when the next delivery is due, for destinations other than these; zero: none is.
func (s *Service) NextDelivery(ctx context.Context, except []string) (at time.Time, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		at, err = r.NextDelivery(ctx, except)
		return err
	})
	return at, err
}

// DeliveriesWaiting counts what is still to be delivered.
func (s *Service) DeliveriesWaiting(ctx context.Context) (n int64, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		n, err = r.Waiting(ctx)
		return err
	})
	return n, err
}

// errLease says that a delivery is no longer this worker's: it took too long, or the message was deleted.
var errLease = mailbox.Errorf(mailbox.Conflict, "lease_lost", "This delivery is no longer ours.")

// held gives a leased delivery as it is now, if the lease is still the caller's.
func (s *Service) held(ctx context.Context, tx store.Tx, d mailbox.Delivery) (mailbox.Delivery, error) {
	now, err := tx.Delivery(ctx, d.Mailbox, d.Seq, d.N)
	if errors.Is(err, store.ErrNotFound) || err == nil && (now.Lease != d.Lease || !now.Leased) {
		return now, errLease
	}
	return now, err
}

// BeginDelivery notes, durably, that the next server is now told the message. Until FinishDelivery nobody knows whether it
// took it: found like this after a crash, the delivery is tried once more and marked. It renews the lease.
func (s *Service) BeginDelivery(ctx context.Context, d mailbox.Delivery) error {
	return s.update(ctx, func(tx store.Tx) error {
		now, err := s.held(ctx, tx, d)
		if err != nil {
			return err
		}
		now.Begun, now.NextAt = true, s.now().Add(leaseTime)
		return tx.UpdateDelivery(ctx, now)
	})
}

// RenewDelivery keeps the lease of a delivery that takes long.
func (s *Service) RenewDelivery(ctx context.Context, d mailbox.Delivery) error {
	return s.update(ctx, func(tx store.Tx) error {
		now, err := s.held(ctx, tx, d)
		if err != nil {
			return err
		}
		now.NextAt = s.now().Add(leaseTime)
		return tx.UpdateDelivery(ctx, now)
	})
}

// FinishDelivery notes what became of a leased delivery. A lease that was lost changes nothing.
func (s *Service) FinishDelivery(ctx context.Context, d mailbox.Delivery, a mailbox.Attempt) error {
	told := false
	err := s.update(ctx, func(tx store.Tx) error {
		now, err := s.held(ctx, tx, d)
		if err != nil {
			return err
		}
		schedule := mailbox.Schedule{Keep: s.opt.RetryTime, Luck: rand.Float64()}
		told = false
		for _, one := range s.together(ctx, tx, now) {
			next, event := one.After(a, schedule, s.now())
			told = told || event != nil
			if one.N != now.N && !next.Status.Decided() {
				next.NextAt = time.Time{} // it goes on with the first
			}
			if err := s.settle(ctx, tx, next, event); err != nil {
				return err
			}
			if next.Status == mailbox.Bounced && a.Hard() {
				if err := s.suppress(ctx, tx, next, "bounce", a.Text); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if errors.Is(err, errLease) {
		return nil
	}
	if told {
		s.tell(d.Mailbox)
	}
	return err
}

// together lists the deliveries that an attempt was for: one, or with a provider, who is given a message once for all its
// recipients, the first with all that go along with it.
func (s *Service) together(ctx context.Context, tx store.Tx, first mailbox.Delivery) []mailbox.Delivery {
	group := []mailbox.Delivery{first}
	if s.opt.Way != WayProvider {
		return group
	}
	list, err := tx.Deliveries(ctx, mailbox.Message{Mailbox: first.Mailbox, Seq: first.Seq})
	if err != nil {
		return group
	}
	for _, d := range list {
		if d.N != first.N && d.Status == mailbox.Queued && d.NextAt.IsZero() {
			group = append(group, d)
		}
	}
	return group
}

// settle stores a delivery with its event, and the status that its message has now.
func (s *Service) settle(ctx context.Context, tx store.Tx, d mailbox.Delivery, event *mailbox.Event) error {
	if err := tx.UpdateDelivery(ctx, d); err != nil {
		return err
	}
	if event != nil {
		if err := tx.AppendEvent(ctx, event); err != nil {
			return err
		}
		if err := s.hookSettled(ctx, tx, *event); err != nil {
			return err
		}
	}
	list, err := tx.Deliveries(ctx, mailbox.Message{Mailbox: d.Mailbox, Seq: d.Seq})
	if err != nil {
		return err
	}
	return tx.UpdateStatus(ctx, d.Mailbox, d.Seq, string(mailbox.StatusOf(list)))
}

// suppress puts the recipient of a delivery on the mailbox's list of those that it does not send to.
func (s *Service) suppress(ctx context.Context, tx store.Tx, d mailbox.Delivery, reason, detail string) error {
	return tx.InsertSuppression(ctx, mailbox.Suppression{Mailbox: d.Mailbox, Address: canonical(d.Recipient), Reason: reason,
		Detail: mailbox.Clip(detail, 500), Message: d.Message, At: s.now()})
}
