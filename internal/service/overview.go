package service

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Overview is how much mail all mailboxes have of the last hours or days, and which of them need somebody's eye.
type Overview struct {
	Each              time.Duration // an hour or a day
	Spans             []Day         // the oldest first
	Whole             bool          // all messages of this time were counted
	Mailboxes, Paused int
	SendingPaused     []string // mailboxes whose sending the brakes stopped, the newest first, some of them
	FailedWebhooks    []string // mailboxes that have a failed webhook, the newest first, some of them
	Undelivered       []string // mailboxes with mail of this time that was not delivered, the newest first, some
}

const (
	overviewHours, overviewDays = 7 * 24, 90
	overviewBoxes               = 100_000 // mailboxes that are looked at
	overviewNamed               = 50      // mailboxes that are named
	overviewStep                = 500
)

// OverviewQuery is how far back an overview goes: by hours, or else by days.
type OverviewQuery struct{ Hours, Days int }

// Overview counts over all mailboxes. It reads rows of lists alone, at most as many as are counted for one mailbox.
func (s *Service) Overview(ctx context.Context, _ Access, q OverviewQuery) (Overview, error) {
	return s.overviews.of(ctx, s.now, q, func() (Overview, bool, error) {
		out, err := s.overview(ctx, q)
		return out, true, err
	})
}

func (s *Service) overview(ctx context.Context, q OverviewQuery) (out Overview, err error) {
	each, spans, err := s.overviewSpans(q)
	if err != nil {
		return out, err
	}
	out = Overview{Each: each, Spans: spans, Whole: true}
	room := maxCounted
	for before := mailbox.Num(0); ; {
		var boxes []mailbox.Mailbox
		// Each page is read by itself: nothing is held up for as long as all take.
		err = s.view(ctx, func(r store.Reader) (err error) {
			boxes, err = r.Mailboxes(ctx, store.MailboxFilter{Before: before, Limit: overviewStep})
			if err == nil {
				room, err = s.overlook(ctx, r, boxes, &out, room)
			}
			return err
		})
		if err != nil || len(boxes) < overviewStep || out.Mailboxes >= overviewBoxes {
			out.Whole = out.Whole && room > 0 && len(boxes) < overviewStep
			return out, err
		}
		before = boxes[len(boxes)-1].Num
	}
}

// overviewSpans are the hours or days that are asked for, the oldest first.
func (s *Service) overviewSpans(q OverviewQuery) (each time.Duration, spans []Day, err error) {
	switch {
	case q.Hours > overviewHours:
		return 0, nil, mailbox.InvalidField("hours", "hours is a number from 1 to %d.", overviewHours)
	case q.Days > overviewDays:
		return 0, nil, mailbox.InvalidField("days", "days is a number from 1 to %d.", overviewDays)
	case q.Hours > 0 && q.Days > 0:
		return 0, nil, mailbox.InvalidField("days", "An overview is by hours or by days.")
	case q.Hours == 0 && q.Days == 0:
		q.Hours = 24
	}
	each, n := time.Hour, q.Hours
	if q.Days > 0 {
		each, n = 24*time.Hour, q.Days
	}
	last := s.now().UTC().Truncate(each)
	return each, spansOf(last.Add(-time.Duration(n-1)*each), last, each), nil
}

// overlook adds some mailboxes to an overview, in which so many messages may still be counted.
func (s *Service) overlook(ctx context.Context, r store.Reader, boxes []mailbox.Mailbox, out *Overview, room int) (int,
	error) {
	listed, err := held(ctx, r, boxes)
	if err != nil {
		return room, err
	}
	first := out.Spans[0].Day
	for _, b := range listed {
		if err := s.attention(ctx, r, b.Mailbox, out); err != nil {
			return room, err
		}
		if b.LastAt.Before(first) || room <= 0 {
			continue
		}
		_, until, err := r.EventsUntil(ctx, b.Num, first.Add(-disorder))
		if err != nil {
			return room, err
		}
		counts, err := r.CountSpans(ctx, b.Num, until, room, out.Each)
		if err != nil {
			return room, err
		}
		undelivered := false
		for _, c := range counts {
			room -= int(c.Messages)
			at := int(c.At.Sub(first) / out.Each)
			if c.At.Before(first) || at >= len(out.Spans) || s.isCopy(b.Mailbox, c.Direction) {
				continue
			}
			out.Spans[at].add(c)
			undelivered = undelivered || notDelivered(c)
		}
		if undelivered && len(out.Undelivered) < overviewNamed {
			out.Undelivered = append(out.Undelivered, b.Address)
		}
	}
	return room, nil
}

// isCopy tells whether what a mailbox received is a copy of what is counted in the view of all captured mail.
func (s *Service) isCopy(box mailbox.Mailbox, d mailbox.Direction) bool {
	return d == mailbox.Inbound && s.catchesAll() && !s.inView(box)
}

func notDelivered(c mailbox.SpanCount) bool {
	switch mailbox.DeliveryStatus(c.Status) {
	case mailbox.Bounced, mailbox.Failed, mailbox.Complained, mailbox.Suppressed:
		return c.Direction != mailbox.Inbound
	}
	return false
}

// attention notes what somebody should look at in a mailbox.
func (s *Service) attention(ctx context.Context, r store.Reader, box mailbox.Mailbox, out *Overview) error {
	out.Mailboxes++
	if box.Status == mailbox.Halted {
		out.Paused++
	}
	if box.Control().SendingPaused != nil && len(out.SendingPaused) < overviewNamed {
		out.SendingPaused = append(out.SendingPaused, box.Address)
	}
	if len(out.FailedWebhooks) == overviewNamed || !hooked(box) {
		return nil
	}
	all, err := s.allWebhooks(ctx, r, box)
	for _, w := range all {
		if w.Webhook.Failed {
			out.FailedWebhooks = append(out.FailedWebhooks, box.Address)
			break
		}
	}
	return err
}
