package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/report"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// The queue, as package outbound works through it: LeaseDeliveries, for each the message with OutgoingMessage,
// BeginDelivery before the next server is told it, FinishDelivery with what became of it.

// Job is a delivery that is to be tried now.
type Job struct {
	mailbox.Delivery
	Inside bool   // it is for a mailbox of ours: DeliverInside
	Return string // envelope sender
	From   string // the mailbox's address
}

// LeaseQuery is what a worker can take.
type LeaseQuery struct {
	// Room is how many deliveries to a destination there is room for; inside says that it is one of ours.
	Room func(destination string, inside bool) int
	// Take takes a place for a delivery, if there is one.
	Take  func(d mailbox.Delivery, inside bool) bool
	Limit int
}

// Listen returns a channel on which it is heard that there may be something to deliver, until done is called.
func (s *Service) Listen() (heard <-chan struct{}, done func()) {
	ear := s.queue.Listen(0, 1<<30)
	return ear.C, ear.Close
}

// Outlet takes deliveries that were just accepted, without a detour by the queue.
type Outlet interface {
	Reserve(d mailbox.Delivery) bool
	Give(job Job)
	Release(d mailbox.Delivery)
	// Hurry has destinations tried now that were left alone because they did not answer.
	Hurry(destinations []string)
}

// Attach gives the service an outlet, before it is used.
func (s *Service) Attach(o Outlet) { s.outlet = o }

// reserve takes places for the recipients of a message that is due now. Those of a long list go by the queue.
func (s *Service) reserve(o *outgoing) []bool {
	taken := make([]bool, len(o.recipients))
	if s.outlet == nil || o.status != mailbox.Queued || len(o.recipients) > reserveMost || o.skips {
		return taken
	}
	for i, rcpt := range o.recipients {
		if !s.staysInside(rcpt.domain) {
			taken[i] = s.outlet.Reserve(mailbox.Delivery{Mailbox: o.box.Num, Destination: rcpt.domain})
		}
	}
	return taken
}

// reserveMost is how many recipients a message may have to be handed over at once.
const reserveMost = 5

// release gives back the places of a message that was not accepted.
func (s *Service) release(o *outgoing) {
	for i, rcpt := range o.recipients {
		if o.taken[i] {
			s.outlet.Release(mailbox.Delivery{Mailbox: o.box.Num, Destination: rcpt.domain})
		}
	}
}

// pausedWait is how long a delivery of a paused mailbox waits before it is looked at again; resuming makes it due at
// once.
const pausedWait = 10 * time.Minute

// LeaseDeliveries takes deliveries that are due, and says when the next one is that is not due yet; zero: there is
// none. What is not finished when its lease ends is due again.
func (s *Service) LeaseDeliveries(ctx context.Context, q LeaseQuery) (jobs []Job, next time.Time, err error) {
	now := s.now()
	var due []mailbox.Delivery
	err = s.view(ctx, func(r store.Reader) (err error) {
		due, next, err = s.due(ctx, r, q, now)
		return err
	})
	if err != nil || len(due) == 0 {
		return nil, next, err
	}
	sortByMailbox(due)
	var held []mailbox.Review
	left := false
	err = s.update(ctx, func(tx store.Tx) error {
		jobs, held, left = nil, nil, false
		for _, d := range due {
			job, review, err := s.lease(ctx, tx, d, now)
			if errors.Is(err, store.ErrNotFound) {
				continue // it is being deleted with its mailbox
			}
			if err != nil {
				return err
			}
			if job != nil {
				jobs = append(jobs, *job)
				left = left || d.Status == mailbox.Scheduled
			}
			if review != nil {
				held = append(held, *review)
			}
		}
		return nil
	})
	if err == nil {
		s.tellHeld(ctx, held)
	}
	if err == nil && left {
		s.wake(wake.Hooks, 0)
	}
	return jobs, next, err
}

// due lists deliveries that are due and that there is room for. Destinations are looked at one by one, those that have
// waited longest first, so that one for which there is no room costs nothing, however much waits for it.
func (s *Service) due(ctx context.Context, r store.Reader, q LeaseQuery, now time.Time) (due []mailbox.Delivery,
	next time.Time, err error) {
	all, err := r.Destinations(ctx)
	if err != nil {
		return nil, next, err
	}
	slices.SortFunc(all, func(a, b store.Destination) int { return a.Next.Compare(b.Next) })
	for _, to := range all {
		if to.Next.After(now) {
			return due, to.Next, nil
		}
		inside := s.staysInside(to.Name)
		room := min(q.Room(to.Name, inside), q.Limit-len(due))
		if room <= 0 {
			continue
		}
		list, err := r.DueDeliveries(ctx, to.Name, now, room)
		if err != nil {
			return nil, next, err
		}
		for _, d := range list {
			if q.Take(d, inside) {
				due = append(due, d)
			}
		}
	}
	return due, next, nil
}

// lease takes one delivery, as it is now; nil: there is nothing to do. held is the review of a message that has to be
// approved first.
func (s *Service) lease(ctx context.Context, tx store.Tx, d mailbox.Delivery, now time.Time) (job *Job,
	held *mailbox.Review, err error) {
	d, err = tx.Delivery(ctx, d.Mailbox, d.Seq, d.N)
	if errors.Is(err, store.ErrNotFound) || err == nil && (d.NextAt.IsZero() || d.NextAt.After(now)) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	box, err := tx.Mailbox(ctx, d.Mailbox)
	switch {
	case errors.Is(err, store.ErrNotFound): // the mailbox is being deleted
		d.NextAt = time.Time{}
		return nil, nil, tx.UpdateDelivery(ctx, d)
	case err != nil:
		return nil, nil, err
	case halted(box), d.Unreadable:
		// the node that had it has lost it, and resuming hastens what nobody has
		d.NextAt, d.Leased = now.Add(pausedWait), false
		return nil, nil, tx.UpdateDelivery(ctx, d)
	}
	for _, stops := range []func(context.Context, store.Tx, mailbox.Delivery, mailbox.Mailbox) (bool, error){
		s.unwanted, s.unlisted, s.unowned} {
		if done, err := stops(ctx, tx, d, box); done || err != nil {
			return nil, nil, err
		}
	}
	if done, held, err := s.unapproved(ctx, tx, d, box); done || err != nil {
		return nil, held, err
	}
	d = d.Take(now.Add(s.opt.Lease))
	if d.Status == mailbox.Scheduled {
		d.Status = mailbox.Queued
		if err = s.settle(ctx, tx, d, nil); err == nil {
			err = s.hookLeft(ctx, tx, d)
		}
	} else {
		err = tx.UpdateDelivery(ctx, d)
	}
	if err != nil {
		return nil, nil, err
	}
	_, domain := split(d.Recipient)
	return &Job{Delivery: d, Inside: s.staysInside(domain), Return: s.returnPath(d, box.Address),
		From: box.Address}, nil, nil
}

// named returns the delivery that an id names, as it is now.
func named(ctx context.Context, r store.Reader, id mailbox.ID) (mailbox.Delivery, error) {
	message, n := id.Whole()
	m, err := r.Message(ctx, 0, message)
	if err != nil {
		return mailbox.Delivery{}, err
	}
	return r.Delivery(ctx, m.Mailbox, m.Seq, n)
}

// unwanted ends a delivery to an address that was put on the suppression list since it was accepted.
func (s *Service) unwanted(ctx context.Context, tx store.Tx, d mailbox.Delivery, _ mailbox.Mailbox) (bool, error) {
	_, err := tx.Suppression(ctx, d.Mailbox, canonical(d.Recipient))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	const why = "The address was put on the suppression list before this could be sent."
	next, event := d.Learn(mailbox.Word{Status: mailbox.Failed, Bounce: "soft", Reason: why}, s.now())
	next.Text = why
	s.traceDelivery(ctx, next, "suppression", "")
	return true, s.settle(ctx, tx, next, event)
}

// unowned ends a delivery from a domain that another owner has verified since it was accepted: it would be signed with
// that owner's keys.
func (s *Service) unowned(ctx context.Context, tx store.Tx, d mailbox.Delivery, box mailbox.Mailbox) (bool, error) {
	if !s.displaced(box, box.Address) {
		return false, nil
	}
	const why = "The domain of the sender was verified by another owner before this could be sent."
	next, event := d.Learn(mailbox.Word{Status: mailbox.Failed, Bounce: "soft", Reason: why}, s.now())
	next.Text = why
	s.traceDelivery(ctx, next, "domain", "")
	return true, s.settle(ctx, tx, next, event)
}

const (
	// giveUpAfter is how much longer than the retry time a delivery may wait for a destination that is never reached.
	giveUpAfter = 4 * time.Hour
	giveUpStep  = 100
)

// GiveUp ends deliveries that have waited for too long without being tried: their destination does not answer, and so
// much waits for it that it was never their turn. A service that was just started gives them a chance first.
func (s *Service) GiveUp(ctx context.Context) error {
	now := s.now()
	if now.Sub(s.began) < giveUpAfter {
		return nil
	}
	before := now.Add(-s.opt.RetryTime - giveUpAfter)
	for last := (mailbox.Delivery{}); ; {
		var old []mailbox.Delivery
		err := s.step(ctx, func(tx store.Tx) (err error) {
			if old, err = tx.OldDeliveries(ctx, before, giveUpStep); err != nil {
				return err
			}
			for _, d := range old {
				if box, err := tx.Mailbox(ctx, d.Mailbox); d.Unreadable || err == nil && halted(box) {
					d.QueuedAt = d.QueuedAt.Add(time.Hour) // it waits, and is looked at again
					if err := tx.UpdateDelivery(ctx, d); err != nil {
						return err
					}
					continue
				}
				next, event := d.Learn(mailbox.Word{Status: mailbox.Bounced, Bounce: "soft",
					Reason: "Given up after " + s.opt.RetryTime.String() + ": the recipient's mail servers could not " +
						"be reached."}, now)
				next.NextAt = time.Time{}
				if err := s.settle(ctx, tx, next, event); err != nil {
					return err
				}
				s.traceDelivery(ctx, next, "time", "")
			}
			return nil
		})
		for _, d := range old {
			s.wake(wake.Mail, d.Mailbox)
		}
		if err != nil || len(old) < giveUpStep {
			return err
		}
		if old[0].ID() == last.ID() && old[0].QueuedAt.Equal(last.QueuedAt) {
			return fmt.Errorf("delivery %s was given up and still waits", last.ID())
		}
		last = old[0]
	}
}

// backlogMost is how far a backlog is counted.
const backlogMost = 10_000

// Backlog tells what waits to leave, over all mailboxes: of each kind, ten thousand are counted at most.
func (s *Service) Backlog(ctx context.Context) (b mailbox.Backlog, err error) {
	err = s.ask(ctx, func(r store.Reader) (err error) {
		b, err = r.Backlog(ctx, backlogMost)
		return err
	})
	return b, err
}

// errLease says that a delivery is no longer this worker's: it took too long, or the message was deleted.
var errLease = mailbox.Errorf(mailbox.Conflict, "lease_lost", "This delivery is no longer ours.")

// held returns a leased delivery as it is now, if the lease is still the caller's.
func (s *Service) held(ctx context.Context, tx store.Tx, d mailbox.Delivery) (mailbox.Delivery, error) {
	now, err := tx.Delivery(ctx, d.Mailbox, d.Seq, d.N)
	if errors.Is(err, store.ErrNotFound) || err == nil && (now.Lease != d.Lease || !now.Leased) {
		return now, errLease
	}
	return now, err
}

// BeginDelivery notes, durably, that the next server is now told the message. Until FinishDelivery nobody knows whether
// it took it: found like this after a crash, the delivery is tried once more and marked. It renews the lease. Where
// the mailbox was paused since the delivery was leased, the lease is taken back.
func (s *Service) BeginDelivery(ctx context.Context, d mailbox.Delivery) error {
	var paused bool
	err := s.update(ctx, func(tx store.Tx) error {
		now, err := s.held(ctx, tx, d)
		if err != nil {
			return err
		}
		box, err := tx.Mailbox(ctx, d.Mailbox)
		if err != nil {
			return err
		}
		if paused = halted(box); paused {
			now.NextAt, now.Leased = s.now().Add(pausedWait), false
		} else {
			now.Begun, now.NextAt = true, s.now().Add(s.opt.Lease)
		}
		return tx.UpdateDelivery(ctx, now)
	})
	if err == nil && paused {
		return errLease
	}
	return err
}

// RenewDeliveries keeps the leases of deliveries that are being worked on. Those that were lost are not ours to keep.
func (s *Service) RenewDeliveries(ctx context.Context, ds []mailbox.Delivery) error {
	sortByMailbox(ds)
	return s.update(ctx, func(tx store.Tx) error {
		until := s.now().Add(s.opt.Lease)
		for _, d := range ds {
			if err := tx.RenewDelivery(ctx, d, until); err != nil {
				return err
			}
		}
		return nil
	})
}

// sortByMailbox puts deliveries into the order in which every transaction takes mailboxes: two that met in opposite
// orders would wait for each other.
func sortByMailbox(ds []mailbox.Delivery) {
	slices.SortStableFunc(ds, func(a, b mailbox.Delivery) int { return cmp.Compare(a.Mailbox, b.Mailbox) })
}

const (
	outageWait = time.Second
	// outageLong is for what may last, and does not keep us from noting that a delivery waits.
	outageLong = 30 * time.Second
)

// Outage tells whether an error is that of what we stand on ourselves, which is no attempt of a delivery and says
// nothing about it, and how long it is left alone then. Nothing can be noted before the database is back: that is when
// the time begins.
func Outage(err error) (wait time.Duration, yes bool) {
	switch kind := mailbox.KindOf(err); {
	case kind == mailbox.DiskFull, kind == mailbox.KeyLost,
		kind == mailbox.Unavailable && errors.Is(err, blob.ErrUnavailable):
		return outageLong, true
	case kind == mailbox.Unavailable:
		return outageWait, true
	}
	return 0, false
}

// FinishDelivery notes what became of a leased delivery. A lease that was lost changes nothing.
func (s *Service) FinishDelivery(ctx context.Context, d mailbox.Delivery, a mailbox.Attempt) error {
	told := false
	a.NoUser = a.Outcome == mailbox.Refused && report.NoUser(d.Recipient, a.Code, a.Enhanced, a.Text)
	var next mailbox.Delivery
	err := s.update(ctx, func(tx store.Tx) error {
		now, err := s.held(ctx, tx, d)
		if err != nil {
			return err
		}
		if a.Outcome != mailbox.Put {
			if err := s.recordAttempt(ctx, tx, now); err != nil {
				return err
			}
		}
		schedule := mailbox.Schedule{Keep: s.opt.RetryTime, Luck: rand.Float64()}
		var event *mailbox.Event
		next, event = now.After(a, schedule, s.now())
		told = event != nil || delayed(now, next)
		if err := s.settleNext(ctx, tx, now, next, event); err != nil {
			return err
		}
		if next.Status != mailbox.Bounced {
			return nil
		}
		if err := s.noteBounce(ctx, tx, d.Mailbox); err != nil || !a.Hard() {
			return err
		}
		return s.suppress(ctx, tx, next, "bounce", a.Text)
	})
	if errors.Is(err, errLease) || errors.Is(err, store.ErrNotFound) { // or the mailbox was deleted meanwhile
		return nil
	}
	if told {
		s.wakeChanged(d.Mailbox)
	}
	if err == nil && a.Outcome != mailbox.Put {
		s.traceDelivery(ctx, next, "attempt", a.Addr)
	}
	return err
}

// delayed tells whether a delivery has just become one that is tried again.
func delayed(was, is mailbox.Delivery) bool {
	return was.Status != mailbox.Delayed && is.Status == mailbox.Delayed
}

// settleNext is settle for a delivery that somebody outside has said something about.
func (s *Service) settleNext(ctx context.Context, tx store.Tx, was, is mailbox.Delivery, event *mailbox.Event) error {
	if err := s.settle(ctx, tx, is, event); err != nil || !delayed(was, is) {
		return err
	}
	return s.hookPassed(ctx, tx, is, mailbox.Event{Kind: mailbox.MessageDelayed,
		Result: mailbox.Result{Recipient: is.Recipient, Status: string(is.Status), Reason: is.Text}})
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
		if err := s.recordSettled(ctx, tx, d, *event); err != nil {
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
	return tx.InsertSuppression(ctx, mailbox.Suppression{Mailbox: d.Mailbox, Address: canonical(d.Recipient),
		Reason: reason,
		Detail: mailbox.Clip(detail, 500), Message: d.Message, At: s.now()})
}
