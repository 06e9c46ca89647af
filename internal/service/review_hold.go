package service

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// settleHold decides whether a person has to approve a message, by what its mailbox says now.
func (s *Service) settleHold(ctx context.Context, r store.Reader, o *outgoing, box mailbox.Mailbox,
	in threads) (err error) {
	if o.reasons, err = s.holdReasons(ctx, r, o.recipients, box, in); err != nil || o.edit != nil { // which stays held
		return err
	}
	if len(o.reasons) == 0 {
		s.settleDue(o) // of others when they are approved
	}
	switch {
	case len(o.reasons) > 0:
		o.status = mailbox.Held
	case o.due.After(s.now()):
		o.status = mailbox.Scheduled
	default:
		o.status = mailbox.Queued
	}
	return nil
}

// holdReasons says why a person has to approve a message; none: nobody has to.
func (s *Service) holdReasons(ctx context.Context, r store.Reader, to []addressee, box mailbox.Mailbox,
	in threads) (reasons []string, err error) {
	var why func(addressee) (string, error)
	switch box.Control().SendPolicy {
	case mailbox.ReviewAll:
		return []string{"Every message of this mailbox is reviewed."}, nil
	case mailbox.ReviewNew:
		why = func(rcpt addressee) (string, error) { return unheard(ctx, r, box, rcpt) }
	case mailbox.ReviewOutside:
		why = func(rcpt addressee) (string, error) { return s.outside(ctx, r, box, rcpt, in) }
	default:
		return nil, nil
	}
	for _, rcpt := range to {
		reason, err := why(rcpt)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			reasons = append(reasons, reason)
		}
	}
	return reasons, nil
}

// unheard says that no authentic mail from a recipient came to the mailbox, and that it was never approved; empty: one
// of them is so.
func unheard(ctx context.Context, r store.Reader, box mailbox.Mailbox, rcpt addressee) (string, error) {
	contact, err := r.Contact(ctx, box.Num, rcpt.canonical)
	if err != nil || contact.Correspondent {
		return "", err
	}
	return fmt.Sprintf("No authenticated mail from %s has come to this mailbox, and no message to it was approved "+
		"before.",
		rcpt.canonical), nil
}

// outside says that a recipient is not on the list send/allow of the mailbox or of the deployment; empty: it is, or may
// be answered. With a list that has no entries, everybody is outside.
func (s *Service) outside(ctx context.Context, r store.Reader, box mailbox.Mailbox, rcpt addressee,
	in threads) (string, error) {
	levels, err := s.levels(ctx, r, box, s.deploymentLists(), rcpt.canonical)
	if err != nil {
		return "", err
	}
	_, answers, err := wroteBefore(ctx, r, box.Num, in.ids, rcpt.canonical)
	if err != nil {
		return "", err
	}
	inUse := 0
	for i, level := range levels {
		if level.RefusesSend(answers) == mailbox.SendAllow {
			return listReason(mailbox.SendAllow, i == 1, rcpt.canonical) + ".", nil
		}
		if level.Lets(answers) {
			inUse++
		}
	}
	if inUse == 0 {
		return rcpt.canonical + " is not on the list send/allow of this mailbox, which has no entries.", nil
	}
	return "", nil
}

// spendOrHold counts a message against the limits of its day, or one that is held against the number of those.
func (s *Service) spendOrHold(ctx context.Context, tx store.Tx, o *outgoing) error {
	if o.status != mailbox.Held {
		return s.spendSend(ctx, tx, o)
	}
	return s.mayHoldMore(ctx, tx, o)
}

// mayHoldMore checks that a message that is to be held is not one too many.
func (s *Service) mayHoldMore(ctx context.Context, r store.Reader, o *outgoing) error {
	if o.status != mailbox.Held {
		return nil
	}
	held, err := r.CountHeld(ctx, o.box.Num)
	if err == nil && int(held)+o.ahead.box(o.box.Num).held >= maxHeld {
		err = errTooManyHeld
	}
	return err
}

// insertReview asks for a decision about a message, in the transaction that stores it.
func (s *Service) insertReview(ctx context.Context, tx store.Tx, o *outgoing, m mailbox.Message) error {
	review := s.newReview(o.box, m, o.reasons)
	review.About = o.about
	if o.edit != nil {
		review = o.edit.review
		review.Version++
		if len(o.reasons) > 0 { // else the policy is no longer what held it
			review.Reasons = o.reasons
		}
	}
	o.answer.Review = &review
	if err := tx.InsertReview(ctx, review); err != nil {
		return err
	}
	number, _, err := tx.LastEvent(ctx, m.Mailbox)
	if err != nil {
		return err
	}
	return s.hookSettled(ctx, tx, mailbox.Event{Mailbox: m.Mailbox, Number: number, Kind: mailbox.MessageHeld,
		Message: m.ID, At: m.ReceivedAt})
}

// closeReview ends the wait for a decision about a message that was called back.
func (s *Service) closeReview(ctx context.Context, tx store.Tx, in Access, m mailbox.Message) error {
	review, err := tx.Review(ctx, m.Mailbox, m.ID)
	if err != nil {
		return err
	}
	review.Status, review.By, review.DecidedAt = mailbox.ReviewCanceled, in.Caller.Actor(), s.now()
	return tx.UpdateReview(ctx, review)
}

// reviewCounts are how many messages were held since the start, and what was decided about them.
type reviewCounts struct{ held, approved, rejected, expired atomic.Int64 }

func (c *reviewCounts) of(status mailbox.ReviewStatus) *atomic.Int64 {
	switch status {
	case mailbox.ReviewApproved:
		return &c.approved
	case mailbox.ReviewRejected:
		return &c.rejected
	case mailbox.ReviewExpired:
		return &c.expired
	}
	return &c.held
}

func (c *reviewCounts) count(status mailbox.ReviewStatus) { c.of(status).Add(1) }

// ReviewsCounted is how many messages were held, approved or rejected since the start, or have expired.
func (s *Service) ReviewsCounted(status mailbox.ReviewStatus) int64 {
	return s.reviewed.of(status).Load()
}

// expireNow ends messages whose time is over before the chore comes for them, so that whoever looks sees them as they
// are. Where that cannot be stored, they look as they did. It says whether there were such.
func (s *Service) expireNow(ctx context.Context) bool {
	var late []mailbox.Review
	err := s.view(ctx, func(r store.Reader) (err error) {
		late, err = r.ExpiredReviews(ctx, s.now(), 1)
		return err
	})
	if err == nil && len(late) > 0 {
		err = s.ExpireReviews(ctx)
	}
	if err != nil {
		s.log.Warn("end messages that nobody decided about", "error", err)
	}
	return err == nil && len(late) > 0
}

func isHeld(m mailbox.Message) bool { return m.Status == string(mailbox.Held) }

// reviewStep is how many reviews end in one transaction.
const reviewStep = 100

// ExpireReviews ends messages about which nobody has decided in time.
func (s *Service) ExpireReviews(ctx context.Context) error {
	for last := (mailbox.ID{}); ; {
		var late []mailbox.Review
		err := s.view(ctx, func(r store.Reader) (err error) {
			late, err = r.ExpiredReviews(ctx, s.now(), reviewStep)
			return err
		})
		if err != nil || len(late) == 0 {
			return err
		}
		if late[0].Message == last {
			return errNoProgress
		}
		last = late[0].Message
		for _, r := range late { // of any mailboxes: each by itself, so that none waits for another
			if err := s.step(ctx, func(tx store.Tx) error { return s.expireReview(ctx, tx, r) }); err != nil {
				return err
			}
			s.reviewed.count(mailbox.ReviewExpired)
			s.wakeChanged(r.Mailbox)
		}
	}
}

// expireReview ends one of them, unless somebody has decided just now.
func (s *Service) expireReview(ctx context.Context, tx store.Tx, late mailbox.Review) error {
	const reason = "Nobody decided about this message in time."
	r, err := tx.Review(ctx, late.Mailbox, late.Message)
	if errors.Is(err, store.ErrNotFound) || err == nil && r.Status != mailbox.ReviewHeld {
		return nil
	}
	if err != nil {
		return err
	}
	m, err := tx.Message(ctx, r.Mailbox, r.Message)
	if err == nil {
		_, err = s.endHeld(ctx, tx, m, mailbox.Expired, reason)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) { // else its mailbox is being deleted
		return err
	}
	r.Status, r.Note, r.DecidedAt = mailbox.ReviewExpired, reason, s.now()
	return tx.UpdateReview(ctx, r)
}
