package service

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Cancellation is what became of a message that was called back.
type Cancellation struct {
	ID       mailbox.ID
	Status   string   // of the message now
	Canceled []string // recipients who do not get it
	Sent     []string // recipients for whom it was too late
}

var errSent = mailbox.Errorf(mailbox.Conflict, "already_sent", "It is too late for that: this message has been sent, "+
	"is being sent now, or was called back.")

// Cancel keeps a message that waits to be sent from its recipients, or from one of them. Canceling what is canceled
// already answers the same.
func (s *Service) Cancel(ctx context.Context, in Access, id mailbox.ID, recipient string) (Cancellation, error) {
	recipient = canonical(strings.TrimSpace(recipient))
	var out Cancellation
	var changed mailbox.Num
	err := s.update(ctx, func(tx store.Tx) error {
		changed, out = 0, Cancellation{ID: id}
		m, box, err := s.find(ctx, tx, in, id)
		if err != nil {
			return err
		}
		if m.Direction != mailbox.Outbound {
			return mailbox.InvalidField("id", "This message came in; only one that is sent can be canceled.")
		}
		all, err := tx.Deliveries(ctx, m)
		if err != nil {
			return err
		}
		kept, err := s.cancelSome(ctx, tx, all, recipient, in.Caller.Actor(), &out)
		if err != nil {
			return err
		}
		out.Status = string(mailbox.StatusOf(all))
		if m.Status == string(mailbox.Held) && out.Status != m.Status {
			if err := s.closeReview(ctx, tx, in, m); err != nil {
				return err
			}
		}
		if err := tx.UpdateStatus(ctx, m.Mailbox, m.Seq, out.Status); err != nil {
			return err
		}
		if len(kept) > 0 {
			changed = m.Mailbox
		}
		m.Status = out.Status
		if err := s.tellCanceled(ctx, tx, m, all, kept); err != nil {
			return err
		}
		return s.noteChange(ctx, tx, in, box)
	})
	if err == nil {
		s.wakeChanged(changed)
	}
	if errors.Is(err, store.ErrNotFound) {
		err = errNoMessage
	}
	return out, err
}

// tellCanceled tells that a message was called back: once where nobody gets it, else for each of those from whom it was
// kept just now.
func (s *Service) tellCanceled(ctx context.Context, tx store.Tx, m mailbox.Message, all []mailbox.Delivery,
	kept []string) error {
	if len(kept) == len(all) {
		kept = []string{m.To}
	}
	for _, m.To = range kept {
		if err := s.tell(ctx, tx, m, mailbox.MessageCanceled, ""); err != nil {
			return err
		}
	}
	return nil
}

// cancelSome cancels those of a message's deliveries that are for a recipient, or all where none is named, as far as
// they can be. The list then has them as they are stored. kept are those for whom there was something to cancel.
func (s *Service) cancelSome(ctx context.Context, tx store.Tx, all []mailbox.Delivery, recipient, actor string,
	out *Cancellation) (kept []string, err error) {
	for i, d := range all {
		if recipient != "" && canonical(d.Recipient) != recipient {
			continue
		}
		if s.recallable(d) {
			kept = append(kept, d.Recipient)
			all[i], _ = d.Learn(mailbox.Word{Status: mailbox.Canceled}, s.now())
			err := tx.UpdateDelivery(ctx, all[i])
			if err == nil {
				err = s.recordDelivery(ctx, tx, d, mailbox.HistoryEntry{Kind: mailbox.HistoryCanceled, Actor: actor})
			}
			if err != nil {
				return nil, err
			}
		}
		if all[i].Status == mailbox.Canceled {
			out.Canceled = append(out.Canceled, d.Recipient)
		} else {
			out.Sent = append(out.Sent, d.Recipient)
		}
	}
	switch {
	case len(out.Canceled) > 0:
		return kept, nil
	case len(out.Sent) > 0:
		return nil, errSent
	}
	return nil, mailbox.InvalidField("recipient", "This message has no such recipient.")
}

// recallable tells whether a delivery can be stopped. A worker that speaks SMTP notes that it begins before it tells
// the next server the message, and finds then that the lease is gone; a provider, or a mailbox of ours, may have the
// message as soon as a worker has the lease.
func (s *Service) recallable(d mailbox.Delivery) bool {
	_, domain := split(d.Recipient)
	return d.Recallable() && !(d.Leased && (s.opt.Way == WayProvider || s.staysInside(domain)))
}

// moveSend has a message that waits to be sent wait until another time. It counts for the day on which it is sent.
func (s *Service) moveSend(ctx context.Context, tx store.Tx, in Access, m mailbox.Message,
	at time.Time) (mailbox.Message, error) {
	due, err := s.dueTime(at)
	if err != nil {
		return m, err
	}
	box, err := s.boxOf(ctx, tx, in, m.Mailbox)
	if err != nil {
		return m, err
	}
	from, err := s.undoneFrom(ctx, tx, m)
	if err != nil {
		return m, err
	}
	if undo := from.Add(box.Control().Undo()); !from.IsZero() && due.Before(undo) {
		due = undo
	}
	all, err := tx.Deliveries(ctx, m)
	if err != nil {
		return m, err
	}
	var was time.Time
	for i, d := range all {
		waits := d.Status == mailbox.Held || !d.Leased && d.Attempts == 0 && d.QueuedAt.After(s.now())
		if !waits || !d.Recallable() {
			continue
		}
		to := newAddressee(mailbox.Address{Address: d.Recipient})
		if err := mayWriteTo(in.Caller.Key, []addressee{to}); err != nil {
			return m, err
		}
		was = d.QueuedAt
		if d.QueuedAt = due; d.Status != mailbox.Held && d.Status != mailbox.OnHold {
			d.NextAt, d.Status = due, mailbox.Scheduled
		}
		if err := tx.UpdateDelivery(ctx, d); err != nil {
			return m, err
		}
		all[i] = d
	}
	if was.IsZero() {
		return m, errSent
	}
	err = s.record(ctx, tx, m, mailbox.HistoryEntry{Kind: mailbox.HistoryMoved, Actor: in.Caller.Actor(),
		HistoryFacts: mailbox.HistoryFacts{SendAt: due}})
	if err != nil {
		return m, err
	}
	if m.Status = string(mailbox.StatusOf(all)); m.Status == string(mailbox.Held) {
		if err := raiseVersion(ctx, tx, m); err != nil {
			return m, err
		}
	}
	if err := tx.UpdateStatus(ctx, m.Mailbox, m.Seq, m.Status); err != nil || m.Status == string(mailbox.Held) ||
		utcDay(was) == utcDay(due) {
		return m, err
	}
	return m, s.spendSend(ctx, tx, &outgoing{box: box, due: due})
}

// undoneFrom is since when a message can be called back: from when it was accepted, or approved. Zero: it is held.
func (s *Service) undoneFrom(ctx context.Context, r store.Reader, m mailbox.Message) (time.Time, error) {
	review, err := r.Review(ctx, m.Mailbox, m.ID)
	if errors.Is(err, store.ErrNotFound) {
		return m.ReceivedAt, nil
	}
	return review.DecidedAt, err
}

// raiseVersion notes that a message which is held is not what a reviewer may have read.
func raiseVersion(ctx context.Context, tx store.Tx, m mailbox.Message) error {
	review, err := tx.Review(ctx, m.Mailbox, m.ID)
	if err != nil {
		return err
	}
	review.Version++
	return tx.UpdateReview(ctx, review)
}
