package service

import (
	"context"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Day is what a mailbox has of a day, as it is now: a message that was deleted is not counted any more.
type Day struct {
	Day            time.Time // its beginning, in UTC
	Received, Sent int64
	Bytes          int64            // of both
	Outcomes       map[string]int64 // of those sent: how many are in which state
}

const (
	maxDays = 90
	// maxCounted is how many messages are counted, from the newest on: their rows are read one by one, a million in
	// about a second.
	maxCounted = 250_000
)

// daily counts the last days of a mailbox, the oldest first. whole says that every message of them was counted; where
// there are too many, the days that were not reached are left out.
func (s *Service) daily(ctx context.Context, r store.Reader, num mailbox.Num, days int) (list []Day, whole bool,
	err error) {
	today := s.now().UTC().Truncate(24 * time.Hour)
	first := today.AddDate(0, 0, 1-days)
	_, until, err := r.EventsUntil(ctx, num, first.Add(-disorder))
	if err != nil {
		return nil, false, err
	}
	counts, err := r.CountSpans(ctx, num, until, maxCounted, 24*time.Hour)
	if err != nil {
		return nil, false, err
	}
	list, whole = spreadDays(counts, first, today, maxCounted)
	return list, whole, nil
}

// spreadDays makes a list of days of what was counted, of at most a given number of messages.
func spreadDays(counts []mailbox.SpanCount, first, today time.Time, most int64) (list []Day, whole bool) {
	list = spansOf(first, today, 24*time.Hour)
	counted, oldest := int64(0), today
	for _, c := range counts {
		counted += c.Messages
		if c.At.Before(oldest) {
			oldest = c.At
		}
		at, known := slices.BinarySearchFunc(list, c.At, func(d Day, t time.Time) int { return d.Day.Compare(t) })
		if known {
			list[at].add(c)
		}
	}
	if counted < most {
		return list, true
	}
	// The count ended somewhere in the oldest day.
	return slices.DeleteFunc(list, func(d Day) bool { return !d.Day.After(oldest) && d.Day.Before(today) }), false
}

// spansOf are empty spans of time from the first to the last.
func spansOf(first, last time.Time, each time.Duration) (list []Day) {
	for at := first; !at.After(last); at = at.Add(each) {
		list = append(list, Day{Day: at})
	}
	return list
}

func (d *Day) add(c mailbox.SpanCount) {
	d.Bytes += c.Bytes
	if c.Direction == mailbox.Inbound {
		d.Received += c.Messages
		return
	}
	switch mailbox.DeliveryStatus(c.Status) {
	case mailbox.Held, mailbox.Rejected, mailbox.Expired, mailbox.Canceled: // it was not sent
	default:
		d.Sent += c.Messages
	}
	if d.Outcomes == nil {
		d.Outcomes = make(map[string]int64)
	}
	d.Outcomes[c.Status] += c.Messages
}

// Activity lists what happened last over all mailboxes, newest first. It tells nothing of what messages say, so that to
// watch is not to read them.
func (s *Service) Activity(ctx context.Context, _ Access, limit int) (list []mailbox.Happening, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		list, err = r.Happenings(ctx, limit)
		return err
	})
	slices.SortStableFunc(list, func(a, b mailbox.Happening) int { return b.At.Compare(a.At) })
	return list[:min(len(list), limit)], err
}
