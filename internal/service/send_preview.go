package service

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Preview is what a send would do.
type Preview struct {
	From, Subject string
	To, Cc, Bcc   []mailbox.Address
	Size          int64
	SendAt        time.Time // zero: now
	Reasons       []string  // why a person would have to approve it first; none: nobody
	Routes        []Route
}

// Route is the way that mail to a recipient takes.
type Route struct {
	Recipient string
	Way       Way
}

// preview says what a send would do.
func (s *Service) preview(o *outgoing, in *intake) *Preview {
	p := &Preview{From: o.from, Subject: o.subject, To: addressesOf(o.to), Cc: addressesOf(o.cc),
		Bcc: addressesOf(o.bcc), Size: in.parsed.Size}
	if o.due.After(s.now()) {
		p.SendAt = o.due
	}
	for _, rcpt := range o.recipients {
		way := s.opt.Way
		if s.staysInside(rcpt.domain) {
			way = wayInside
		}
		p.Routes = append(p.Routes, Route{Recipient: rcpt.Address.Address, Way: way})
	}
	return p
}

// mayPreview checks a dry run as the transaction of a send does.
func (s *Service) mayPreview(ctx context.Context, o *outgoing) error {
	return s.view(ctx, func(r store.Reader) error {
		related, err := s.conversations(ctx, r, o)
		if err != nil {
			return err
		}
		if _, err := s.mayKeep(ctx, r, o.box, o); err != nil {
			return err
		}
		in := toReview(threads{known: true, ids: related, skips: o.skips})
		box, err := s.mayAddress(ctx, r, o.box.Num, o.by, o.recipients, in)
		if err == nil {
			err = s.settleHold(ctx, r, o, box, in)
		}
		o.answer.Preview.Reasons = o.reasons
		if err != nil || o.ahead == nil {
			return err
		}
		if err := s.mayHoldMore(ctx, r, o); err != nil {
			return err
		}
		ahead := o.ahead.box(o.box.Num)
		ahead.pace, err = s.paceAfter(ctx, r, o, related, ahead.pace)
		return err
	})
}
