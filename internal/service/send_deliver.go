package service

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// insertDeliveries notes for each recipient that it is to get the message. What stays inside is leased to ourselves, to
// be done as soon as the message is durable.
func (s *Service) insertDeliveries(ctx context.Context, tx store.Tx, o *outgoing, m mailbox.Message) error {
	now := s.now()
	for i, rcpt := range o.recipients {
		d := mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: i + 1,
			Recipient: rcpt.Address.Address, Destination: rcpt.domain, Status: o.status, EnteredAt: now,
			QueuedAt: o.due, NextAt: o.due}
		left, err := s.leftOut(ctx, tx, o, rcpt)
		if err != nil {
			return err
		}
		switch {
		case left:
			d.Status, d.NextAt, d.Text = mailbox.Suppressed, time.Time{}, "The address is on the suppression list."
		case o.edit.canceled(rcpt):
			d.Status, d.NextAt = mailbox.Canceled, time.Time{}
		case m.Held:
			d.NextAt = time.Time{}
		case o.taken[i] || o.status == mailbox.Queued && s.staysInside(rcpt.domain):
			d = d.Take(now.Add(s.opt.Lease))
		default:
			o.queued = true
		}
		o.deliveries = append(o.deliveries, d)
		if err := tx.InsertDelivery(ctx, d); err != nil {
			return err
		}
		if m.Held || left {
			continue // nobody knows the recipient before the message is approved
		}
		if err := tx.InsertContact(ctx, m.Mailbox, rcpt.canonical, false); err != nil {
			return err
		}
	}
	return nil
}

// leftOut tells whether a recipient gets nothing of a message that leaves out those on the suppression list.
func (s *Service) leftOut(ctx context.Context, r store.Reader, o *outgoing, rcpt addressee) (bool, error) {
	if !o.skips || o.status == mailbox.Held { // when it is approved, the list is asked again
		return false, nil
	}
	_, err := r.Suppression(ctx, o.box.Num, rcpt.canonical)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// settleLeftOut gives a message that nobody gets the status that says so.
func (s *Service) settleLeftOut(ctx context.Context, tx store.Tx, o *outgoing, m *mailbox.Message) error {
	status := mailbox.StatusOf(o.deliveries)
	if status != mailbox.Suppressed {
		return nil
	}
	m.Status, o.answer.Status = string(status), status
	return tx.UpdateStatus(ctx, m.Mailbox, m.Seq, m.Status)
}

// deliverNow delivers what stays inside, and wakes the queue for the rest. A caller who hangs up does not stop it.
func (s *Service) deliverNow(ctx context.Context, o *outgoing) {
	ctx = context.WithoutCancel(ctx)
	if o.queued {
		s.wake(wake.Queue, 0)
	}
	for i, d := range o.deliveries {
		if o.taken[i] {
			from := o.box.Address
			s.outlet.Give(Job{Delivery: d, Return: s.returnPath(d, from), From: from})
		}
	}
	for i, d := range o.deliveries {
		if !d.Leased || o.taken[i] {
			continue
		}
		a := s.deliverInside(ctx, d)
		if err := s.FinishDelivery(ctx, d, a); err != nil {
			s.log.Warn("note a delivery inside", "error", err) // the queue tries it again when its lease ends
		}
	}
}
