package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// A message that a person has to approve is stored as any other that is sent, with deliveries that the queue never
// sees, and a review that says what was decided. Each decision is one transaction with all that follows from it, so
// that of several who decide at the same time, wherever they are, one does.

const (
	maxHeld       = 1000 // messages of a mailbox that wait for a decision
	reviewFor     = 72 * time.Hour
	maxReviewNote = 2000 // bytes
	maxApproved   = 100  // messages that one request approves
)

var (
	errNoReview    = mailbox.Errorf(mailbox.NotFound, "not_found", "Review not found")
	errTooManyHeld = mailbox.Errorf(mailbox.Conflict, "too_many_held", "%d messages of this mailbox wait for a "+
		"decision; more can be sent when some of them are decided on.", maxHeld)
)

func errDecided(as mailbox.ReviewStatus) error {
	return mailbox.Errorf(mailbox.Conflict, "already_decided", "This message is %s already; that cannot be changed "+
		"any more.", as)
}

func errReviewChanged(version int64) error {
	return &mailbox.Error{Kind: mailbox.Conflict, Code: "review_changed", Version: version, Message: fmt.Sprintf(
		"The message was edited or moved meanwhile: it has version %d now. Read it again before you decide.", version)}
}

// ReviewRef names a message that waits for a decision, as it is in one of its versions; 0: in whichever it has.
type ReviewRef struct {
	ID      mailbox.ID
	Version int64
}

// FullReview is a review with the list form of its message, and the mailbox's address.
type FullReview struct {
	mailbox.Review
	Mail    mailbox.Message
	Address string
	SendAt  time.Time // zero: when it is approved
}

// ReviewPage is what a person sees who has to decide: the message as its recipients would get it, and the one that it
// answers or sends on, if that is here.
type ReviewPage struct {
	FullReview
	Email   FullMessage
	Answers *FullMessage
}

// ReviewQuery narrows a list of reviews.
type ReviewQuery struct {
	Status mailbox.ReviewStatus // empty: any
	Page   Page
}

// Reviews lists the reviews of the mailbox, newest first, or those of all for an operator who names none.
func (s *Service) Reviews(ctx context.Context, in Access, q ReviewQuery) (List[FullReview], error) {
	if q.Status != "" && !q.Status.Known() {
		return List[FullReview]{}, mailbox.InvalidField("status", "status is held, approved, rejected, expired or "+
			"canceled.")
	}
	before, err := decodeCursor(cursorReview, q.Page.Cursor)
	if err != nil {
		return List[FullReview]{}, err
	}
	s.expireNow(ctx)
	var all []FullReview
	err = s.view(ctx, func(r store.Reader) error {
		rows, err := r.Reviews(ctx, store.ReviewFilter{Mailbox: in.within(), Status: q.Status, Before: before,
			Offset: q.Page.Offset, Limit: q.Page.Limit + 1})
		if err == nil {
			all, err = s.withMail(ctx, r, in, rows)
		}
		return err
	})
	return list(all, q.Page.Limit, cursorReview, func(r FullReview) int64 { return r.Number }), err
}

// withMail adds their messages to reviews, and the addresses of the mailboxes.
func (s *Service) withMail(ctx context.Context, r store.Reader, in Access, rows []mailbox.Review) ([]FullReview,
	error) {
	boxes := map[mailbox.Num]string{in.Box.Num: in.Box.Address}
	all := make([]FullReview, 0, len(rows))
	for _, row := range rows {
		m, err := r.Message(ctx, row.Mailbox, row.Message)
		address, known := boxes[row.Mailbox]
		if err == nil && !known {
			var box mailbox.Mailbox
			box, err = r.Mailbox(ctx, row.Mailbox)
			address, boxes[row.Mailbox] = box.Address, box.Address
		}
		if errors.Is(err, store.ErrNotFound) {
			continue // it is being deleted with its mailbox
		}
		if err != nil {
			return nil, err
		}
		at, err := sendAt(ctx, r, m)
		if err != nil {
			return nil, err
		}
		all = append(all, FullReview{row, m, address, at})
	}
	return all, nil
}

// sendAt is when a message that waits is to be sent; zero: as soon as it can be.
func sendAt(ctx context.Context, r store.Reader, m mailbox.Message) (time.Time, error) {
	all, err := r.Deliveries(ctx, m)
	return m.SendAt(all), err
}

// Review shows a message to a person who has to decide, with why it was held and what it answers.
func (s *Service) Review(ctx context.Context, in Access, id mailbox.ID) (page ReviewPage, err error) {
	s.expireNow(ctx)
	var about mailbox.ID
	err = s.view(ctx, func(r store.Reader) error {
		m, box, err := s.find(ctx, r, in, id)
		if err != nil {
			return err
		}
		if page.Review, err = r.Review(ctx, m.Mailbox, id); err != nil {
			return err
		}
		if box.Num != in.Box.Num {
			s.ledger.note(s.audited(in, box.Address, ""))
		}
		page.Mail, page.Address = m, box.Address
		in.Box, in.Mailbox = box, box.Address
		if page.SendAt, err = sendAt(ctx, r, m); err != nil {
			return err
		}
		about, err = answeredBy(ctx, r, m, page.Review)
		return err
	})
	if err == nil {
		page.Email, err = s.Message(ctx, in, id, MessageOptions{})
	}
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, errNoMessage) {
		return page, errNoReview
	}
	if err != nil || about.IsZero() {
		return page, err
	}
	answers, err := s.Message(ctx, in, about, MessageOptions{})
	if errors.Is(err, errNoMessage) {
		return page, nil // it was deleted
	}
	page.Answers = &answers
	return page, err
}

// answeredBy finds the message that one which is held answers or sends on: the one that was named, or the newest of
// the conversation that came in. Zero: there is none.
func answeredBy(ctx context.Context, r store.Reader, m mailbox.Message, review mailbox.Review) (mailbox.ID, error) {
	if !review.About.IsZero() {
		return review.About, nil
	}
	came, err := r.Messages(ctx, m.Mailbox, store.MessageFilter{Thread: m.Thread, Direction: mailbox.Inbound,
		Before: m.Seq, Limit: 1})
	if err != nil || len(came) == 0 {
		return mailbox.ID{}, err
	}
	return came[0].ID, nil
}

// Approve has a message sent that was held. Whoever comes second gets the result of the first. At a limit it stays
// held.
func (s *Service) Approve(ctx context.Context, in Access, ref ReviewRef) (FullReview, error) {
	return s.decide(ctx, in, ref, mailbox.ReviewApproved, "", s.sendHeld)
}

// Rejection is why a message is not to be sent. The mailbox can read it.
type Rejection struct {
	ReviewRef
	Reason string
}

// Reject ends a message that was held: it is not sent.
func (s *Service) Reject(ctx context.Context, in Access, n Rejection) (FullReview, error) {
	reason := strings.TrimSpace(n.Reason)
	if len(reason) > maxReviewNote {
		return FullReview{}, mailbox.InvalidField("reason", "The reason is too long: at most %d bytes.", maxReviewNote)
	}
	return s.decide(ctx, in, n.ReviewRef, mailbox.ReviewRejected, reason, func(ctx context.Context, tx store.Tx,
		_ Access, r FullReview) (mailbox.DeliveryStatus, error) {
		return s.endHeld(ctx, tx, r.Mail, mailbox.Rejected, reason)
	})
}

// Approval is what became of one of several messages that were to be approved.
type Approval struct {
	ID     mailbox.ID
	Review FullReview
	Err    error // nil: it is approved
}

// ApproveAll approves several messages, each for itself: one that cannot be approved does not keep back the others.
func (s *Service) ApproveAll(ctx context.Context, in Access, ids []mailbox.ID) ([]Approval, error) {
	if len(ids) == 0 || len(ids) > maxApproved {
		return nil, mailbox.InvalidField("ids", "Give 1 to %d ids.", maxApproved)
	}
	all := make([]Approval, len(ids))
	for i, id := range ids {
		all[i].ID = id
		all[i].Review, all[i].Err = s.Approve(ctx, in, ReviewRef{ID: id})
		var known *mailbox.Error
		if err := all[i].Err; err != nil && !errors.As(err, &known) {
			return nil, err
		}
	}
	return all, nil
}

// openReview finds a message that waits for a decision, with its review. An error of already_decided comes with them.
func (s *Service) openReview(ctx context.Context, r store.Reader, in Access, ref ReviewRef) (FullReview, Access,
	error) {
	m, box, err := s.find(ctx, r, in, ref.ID)
	if err != nil {
		return FullReview{}, in, err
	}
	in.Box, in.Mailbox = box, box.Address
	review, err := r.Review(ctx, m.Mailbox, ref.ID)
	full := FullReview{Review: review, Mail: m, Address: box.Address}
	if err == nil {
		full.SendAt, err = sendAt(ctx, r, m)
	}
	switch {
	case err != nil:
	case review.Status != mailbox.ReviewHeld:
		err = errDecided(review.Status)
	case !s.now().Before(review.ExpiresAt): // the chore has not come yet
		err = errDecided(mailbox.ReviewExpired)
	case ref.Version != 0 && ref.Version != review.Version:
		err = errReviewChanged(review.Version)
	}
	return full, in, err
}

// decide notes a decision about a message in one transaction with what follows from it.
func (s *Service) decide(ctx context.Context, in Access, ref ReviewRef, as mailbox.ReviewStatus, note string,
	do func(context.Context, store.Tx, Access, FullReview) (mailbox.DeliveryStatus, error)) (full FullReview,
	err error) {
	decided := false
	err = s.update(ctx, func(tx store.Tx) error {
		decided = false
		var at Access
		var err error
		if full, at, err = s.openReview(ctx, tx, in, ref); full.Status == as {
			return nil
		}
		if err != nil {
			return err
		}
		full.Status, full.Note, full.By, full.DecidedAt = as, note, in.Caller.Actor(), s.now()
		status, err := do(ctx, tx, at, full)
		if err != nil {
			return err
		}
		decided, full.Mail.Status = true, string(status)
		if err := tx.AppendAudit(ctx, s.audited(in, full.Address, ref.ID.String())); err != nil {
			return err
		}
		return tx.UpdateReview(ctx, full.Review)
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoReview
	}
	if err != nil {
		return FullReview{}, err
	}
	if decided {
		s.reviewed.count(as)
		s.wakeChanged(full.Mailbox)
		s.wake(wake.Queue, 0)
	}
	return full, nil
}

// sendHeld gives the deliveries of a held message to the queue, if it may be sent now. It counts against the limits of
// the day on which it is sent.
func (s *Service) sendHeld(ctx context.Context, tx store.Tx, in Access, r FullReview) (mailbox.DeliveryStatus,
	error) {
	m := r.Mail
	all, err := tx.Deliveries(ctx, m)
	if err != nil {
		return "", err
	}
	if err := s.mayRelease(ctx, tx, in, m, all); err != nil {
		return "", err
	}
	now := s.now()
	due := now.Add(in.Box.Control().Undo())
	for i, d := range all {
		if d.Status != mailbox.Held {
			continue
		}
		d.Status = mailbox.Queued
		if d.QueuedAt.After(due) {
			due = d.QueuedAt
		}
		if due.After(now) {
			d.Status = mailbox.Scheduled
		}
		d.EnteredAt, d.QueuedAt, d.NextAt = now, due, due
		if err := tx.UpdateDelivery(ctx, d); err != nil {
			return "", err
		}
		if err := tx.InsertContact(ctx, m.Mailbox, canonical(d.Recipient), true); err != nil {
			return "", err
		}
		all[i] = d
	}
	if err := s.spendHeld(ctx, tx, in.Box, r.Review, due); err != nil {
		return "", err
	}
	status := mailbox.StatusOf(all)
	if err := tx.UpdateStatus(ctx, m.Mailbox, m.Seq, string(status)); err != nil {
		return "", err
	}
	m.Status = string(status)
	if err := s.tell(ctx, tx, m, mailbox.MessageApproved, ""); err != nil || r.Due {
		return status, err
	}
	return status, s.tell(ctx, tx, m, mailbox.MessageSent, "")
}

// mayRelease checks once more what was checked when a message was accepted: it may have waited for days.
func (s *Service) mayRelease(ctx context.Context, r store.Reader, in Access, m mailbox.Message,
	all []mailbox.Delivery) error {
	if s.opt.Way == WayOff {
		return errNoSending
	}
	if err := s.maySend(in.Box, m.From.Address); err != nil {
		return err
	}
	var to []addressee
	for _, d := range all {
		if d.Status == mailbox.Held {
			to = append(to, newAddressee(mailbox.Address{Address: d.Recipient}))
		}
	}
	// What the deployment's list does not name is for the operator to approve.
	_, err := s.mayAddress(ctx, r, m.Mailbox, in.Caller.Key, to, threads{known: true, ids: []mailbox.ID{m.Thread},
		reviewed: [2]bool{true, in.Caller.Scope == mailbox.Operator}})
	return err
}

// spendHeld counts a message that was approved. One that was held only when it was due has counted for that day.
func (s *Service) spendHeld(ctx context.Context, tx store.Tx, box mailbox.Mailbox, r mailbox.Review,
	due time.Time) error {
	if r.Due && utcDay(r.CreatedAt) == utcDay(due) {
		return nil
	}
	return s.spendSend(ctx, tx, &outgoing{box: box, due: due})
}

// endHeld ends what is held of a message without sending it. It returns the status that the message has then.
func (s *Service) endHeld(ctx context.Context, tx store.Tx, m mailbox.Message, as mailbox.DeliveryStatus,
	reason string) (mailbox.DeliveryStatus, error) {
	all, err := tx.Deliveries(ctx, m)
	if err != nil {
		return "", err
	}
	for i, d := range all {
		if d.Status != mailbox.Held {
			continue
		}
		all[i], _ = d.Learn(mailbox.Word{Status: as}, s.now())
		if err := tx.UpdateDelivery(ctx, all[i]); err != nil {
			return "", err
		}
	}
	status := as // also where the other recipients were canceled
	if slices.ContainsFunc(all, beyondRecall) {
		status = mailbox.StatusOf(all)
	}
	m.Status = string(status)
	if err := tx.UpdateStatus(ctx, m.Mailbox, m.Seq, m.Status); err != nil {
		return "", err
	}
	m.Status = string(as) // the event is about those who do not get it
	return status, s.tell(ctx, tx, m, mailbox.MessageRejected, reason)
}

// beyondRecall tells whether somebody may have the message or still gets it: it was being sent when it was held.
func beyondRecall(d mailbox.Delivery) bool {
	return d.Left() || !d.Status.Decided() && d.Status != mailbox.Held
}

// tell appends an event about a message, for the stream and for webhooks.
func (s *Service) tell(ctx context.Context, tx store.Tx, m mailbox.Message, kind mailbox.EventKind,
	reason string) error {
	e := mailbox.Event{Mailbox: m.Mailbox, Kind: kind, Message: m.ID, At: s.now(),
		Result: mailbox.Result{Status: m.Status, Recipient: m.To, Reason: reason}}
	if err := tx.AppendEvent(ctx, &e); err != nil {
		return err
	}
	return s.hookSettled(ctx, tx, e)
}
