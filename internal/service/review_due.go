package service

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// heldWait is how long a delivery waits that has to be held where no more messages can be.
const heldWait = 10 * time.Minute

// unapproved keeps a delivery that is due from leaving where the policy of the mailbox has come to want a person's
// approval since the message was accepted, and holds what else can be held of the message. It does so in the
// transaction that would lease the delivery, so whoever sets the policy earlier is certain that nothing leaves without
// approval. done says that the delivery does not leave now, and held has the review that was made for it, if one was.
func (s *Service) unapproved(ctx context.Context, tx store.Tx, d mailbox.Delivery, box mailbox.Mailbox) (done bool,
	held *mailbox.Review, err error) {
	if box.Control().SendPolicy.Effective() == mailbox.SendOpen {
		return false, nil, nil
	}
	m, err := tx.Message(ctx, d.Mailbox, d.Message)
	if err != nil {
		return false, nil, err
	}
	review, err := tx.Review(ctx, m.Mailbox, m.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.holdDue(ctx, tx, d, box, m)
	case err != nil || review.Status == mailbox.ReviewApproved:
		return false, nil, err
	}
	// It was being sent when the rest of the message was held, and was put off: it becomes what the rest is.
	if review.Status == mailbox.ReviewHeld {
		return true, nil, s.settle(ctx, tx, onHold(d), nil)
	}
	d, _ = d.Learn(mailbox.Word{Status: mailbox.DeliveryStatus(review.Status)}, s.now())
	return true, nil, s.settle(ctx, tx, d, nil)
}

// holdDue holds a message of which a delivery is due, if it needs approval.
func (s *Service) holdDue(ctx context.Context, tx store.Tx, d mailbox.Delivery, box mailbox.Mailbox,
	m mailbox.Message) (bool, *mailbox.Review, error) {
	all, err := tx.Deliveries(ctx, m)
	if err != nil {
		return false, nil, err
	}
	var to []addressee
	var stop []int
	for i, other := range all {
		if other.N == d.N || s.recallable(other) {
			stop = append(stop, i)
			to = append(to, newAddressee(mailbox.Address{Address: other.Recipient}))
		}
	}
	reasons, err := s.holdReasons(ctx, tx, to, box, toReview(threads{known: true, ids: []mailbox.ID{m.Thread}}))
	if err != nil || len(reasons) == 0 {
		return false, nil, err
	}
	n, err := tx.CountHeld(ctx, box.Num)
	if err != nil {
		return false, nil, err
	}
	if n >= maxHeld {
		d.NextAt, d.Leased, d.Text = s.now().Add(heldWait), false, errTooManyHeld.Error()
		return true, nil, tx.UpdateDelivery(ctx, d)
	}
	for _, i := range stop {
		all[i] = onHold(all[i])
		if err := tx.UpdateDelivery(ctx, all[i]); err != nil {
			return false, nil, err
		}
	}
	m.Status = string(mailbox.StatusOf(all))
	if err := tx.UpdateStatus(ctx, m.Mailbox, m.Seq, m.Status); err != nil {
		return false, nil, err
	}
	review := s.newReview(box, m, reasons)
	review.Due = true
	if err := tx.InsertReview(ctx, review); err != nil {
		return false, nil, err
	}
	return true, &review, s.tell(ctx, tx, m, mailbox.MessageHeld, "")
}

// onHold is a delivery that waits for a decision. A worker that has it finds that its lease is gone before it tells the
// next server the message.
func onHold(d mailbox.Delivery) mailbox.Delivery {
	d.Unknown = d.Unknown || d.Begun // what a crash interrupted may have arrived
	d.Status, d.NextAt, d.Leased, d.Begun = mailbox.Held, time.Time{}, false, false
	return d
}

// newReview asks for a decision about a message.
func (s *Service) newReview(box mailbox.Mailbox, m mailbox.Message, reasons []string) mailbox.Review {
	wait := s.live().ReviewFor
	if wait == 0 {
		wait = reviewFor
	}
	now := s.now()
	return mailbox.Review{Mailbox: m.Mailbox, Message: m.ID, Version: 1, Status: mailbox.ReviewHeld, Reasons: reasons,
		CreatedAt: now, ExpiresAt: now.Add(wait), Unnoticed: len(s.reviewers(box)) > 0}
}

// tellHeld wakes those who wait for what happened, and tells the reviewers, when messages were held that were due.
func (s *Service) tellHeld(ctx context.Context, held []mailbox.Review) {
	for _, r := range held {
		s.reviewed.count(mailbox.ReviewHeld)
		s.wakeChanged(r.Mailbox)
		s.wake(wake.Queue, 0) // others may be due that there was no room for
		s.noticeSoon(ctx, r)
	}
}
