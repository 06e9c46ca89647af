package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// mayAddress checks that a mailbox may send now, and to these recipients with a key, in these conversations. It returns
// the mailbox as it is now.
func (s *Service) mayAddress(ctx context.Context, r store.Reader, num mailbox.Num, key mailbox.Key,
	to []addressee, in threads) (box mailbox.Mailbox, err error) {
	if key, err = s.keyNow(ctx, r, key); err != nil {
		return box, err
	}
	if err := mayWriteTo(key, to); err != nil {
		return box, err
	}
	box, err = r.Mailbox(ctx, num)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return box, errUnauthorized
	case err != nil:
		return box, err
	case box.Status == mailbox.Halted:
		return box, errPaused
	case box.Control().SendingPaused != nil && !in.stays:
		return box, sendingPaused(*box.Control().SendingPaused)
	}
	for _, rcpt := range to {
		if err := s.mayList(ctx, r, box, rcpt, in); err != nil {
			return box, err
		}
		found, err := r.Suppression(ctx, num, rcpt.canonical)
		if errors.Is(err, store.ErrNotFound) || err == nil && in.skips {
			continue
		}
		if err != nil {
			return box, err
		}
		if found.Reason == mailbox.SuppressedByRecipient {
			return box, &mailbox.Error{Kind: mailbox.Invalid, Code: "recipient_suppressed", Field: "to",
				Message: rcpt.Address.Address + " has unsubscribed from the mail of this mailbox (unsubscribe). Only with " +
					"the recipient's consent, take it off the suppression list: DELETE /v1/suppressions?address=."}
		}
		return box, &mailbox.Error{Kind: mailbox.Invalid, Code: "recipient_suppressed", Field: "to",
			Message: fmt.Sprintf("%s is on this mailbox's suppression list (%s); take it off with DELETE "+
				"/v1/suppressions?address= to send to it again.", rcpt.Address.Address, found.Reason)}
	}
	return box, nil
}

// keyNow is a key as it is now: it may have been revoked, or bound to less, since the request began.
func (s *Service) keyNow(ctx context.Context, r store.Reader, key mailbox.Key) (mailbox.Key, error) {
	if key.ID.IsZero() { // the operator
		return key, nil
	}
	now, err := r.KeyByDigest(ctx, key.Digest)
	if errors.Is(err, store.ErrNotFound) || err == nil && now.Expired(s.now()) {
		err = errUnauthorized
	}
	return now, err
}

// mayWriteTo checks that a key may write to these recipients.
func mayWriteTo(key mailbox.Key, to []addressee) error {
	allowed := key.Restriction().Recipients
	for _, rcpt := range to {
		if len(allowed) > 0 && !slices.ContainsFunc(allowed, func(p mailbox.Pattern) bool {
			return p.Matches(rcpt.canonical)
		}) {
			return &mailbox.Error{Kind: mailbox.Denied, Code: "recipient_denied", Field: "to",
				Message: fmt.Sprintf("This key cannot write to %s; GET /v1/me says to whom it can.",
					rcpt.Address.Address)}
		}
	}
	return nil
}

// sendsTally names the count of a day's sends.
const sendsTally = "sends"

// mayCount refuses a send on a day whose limit is reached, the mailbox's or the deployment's.
func (s *Service) mayCount(ctx context.Context, r store.Reader, o *outgoing) error {
	all, day := s.sendCap(), utcDay(o.due)
	if err := s.mayCountOwn(ctx, r, o); err != nil || all.limit == 0 {
		return err
	}
	room, total := -o.ahead.sendsOf(0, day), int64(0)
	for i := range all.parts() {
		part := (int(o.box.Num) + i) % all.parts()
		used := all.share(part)
		if !s.fullParts.has(all, day, part) {
			var err error
			if used, err = r.Tally(ctx, 0, all.part(part), day); err != nil {
				return err
			}
		}
		if used >= all.share(part) {
			s.fullParts.note(all, day, part, utcDay(s.now()))
		}
		if room += max(all.share(part)-used, 0); room > 0 {
			return nil
		}
		total += used
	}
	return s.allSent(day, total, all.limit)
}

// sendCap is what the deployment may send in a day.
func (s *Service) sendCap() partedLimit { return partedLimit{sendsTally, int64(s.live().SendCap)} }

// mayCountOwn refuses a send on a day whose limit its mailbox has reached.
func (s *Service) mayCountOwn(ctx context.Context, r store.Reader, o *outgoing) error {
	limit, day := s.allowance(o.box).DailySends, utcDay(o.due)
	if limit == 0 {
		return nil
	}
	used, err := r.Tally(ctx, o.box.Num, sendsTally, day)
	if err == nil && used+o.ahead.sendsOf(o.box.Num, day) >= limit {
		err = s.sendLimited(day, "daily_send_limit", "Daily send limit reached", used, limit)
	}
	return err
}

// allSent is the refusal of a send on a day on which the deployment may send no more.
func (s *Service) allSent(day, used, limit int64) error {
	return s.sendLimited(day, "global_send_limit", "This service's daily send limit is reached", used, limit)
}

func (s *Service) sendLimited(day int64, code, label string, used, limit int64) error {
	tomorrow := dayEnd(day)
	return &mailbox.Error{Kind: mailbox.Limited, Code: code, Message: fmt.Sprintf("%s (%d/%d)", label, used, limit),
		RetryAfter: max(tomorrow.Sub(s.now()), time.Second),
		Quota:      &mailbox.Quota{Limit: limit, Used: used, ResetsAt: tomorrow}}
}

func dayEnd(day int64) time.Time { return time.Unix((day+1)*86400, 0).UTC() }

// spendSend takes one of the sends of the day on which the message is due.
func (s *Service) spendSend(ctx context.Context, tx store.Tx, o *outgoing) error {
	if err := s.mayCountOwn(ctx, tx, o); err != nil {
		return err
	}
	day := utcDay(o.due)
	if all := s.sendCap(); all.limit > 0 {
		part, ok := s.fullParts.pick(all, day, int(o.box.Num))
		if !ok {
			return s.allSent(day, all.limit, all.limit)
		}
		used, err := tx.Tally(ctx, 0, all.part(part), day)
		if err == nil && used >= all.share(part) {
			s.fullParts.note(all, day, part, utcDay(s.now()))
			err = errPartFull
		}
		if err == nil {
			err = tx.Count(ctx, 0, all.part(part), day, dayEnd(day))
		}
		if err != nil {
			return err
		}
	}
	return tx.Count(ctx, o.box.Num, sendsTally, day, dayEnd(day))
}
