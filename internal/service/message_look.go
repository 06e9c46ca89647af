package service

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const (
	// lookMost is how many messages or mailboxes a list that a filter narrows looks at; it goes on from there with its
	// cursor, so that a page has a bound whatever there is. (docs/decisions/0078)
	lookMost = 20_000
	// lookFirst is how many of them it looks at by number, before it asks where to stop.
	lookFirst = 250
)

// begin has a list read no mail that came before or after the times that are asked for: it begins and ends where the
// log of its mailbox reaches them.
func begin(ctx context.Context, r store.Reader, num mailbox.Num, f *store.MessageFilter) error {
	if !f.Since.IsZero() {
		_, seq, err := r.EventsUntil(ctx, num, f.Since.Add(-disorder))
		if err != nil {
			return err
		}
		f.After = max(f.After, seq)
	}
	if f.Until.IsZero() {
		return nil
	}
	_, seq, err := r.EventsUntil(ctx, num, f.Until.Add(disorder))
	if f.Before == 0 || f.Before > seq+1 {
		f.Before = seq + 1
	}
	return err
}

// lookFor lists messages, the newest first. Where they are fewer than the filter's limit, next is the place before
// which the list goes on, or 0 at its end.
func (s *Service) lookFor(ctx context.Context, r store.Reader, num mailbox.Num,
	f store.MessageFilter) (rows []mailbox.Message, next int64, err error) {
	if f.Label == "" && f.Seen == nil && f.Direction != mailbox.Inbound {
		rows, err = r.Messages(ctx, num, f) // each of them fits, but for some of the minute in which the times are
		return rows, 0, err
	}
	limit, fromNewest := f.Limit, f.Before == 0
	if f.Thread.IsZero() {
		if rows, err = lookNear(ctx, r, num, &f); err != nil || len(rows) == limit || f.Before == f.After+1 {
			return rows, 0, err
		}
	}
	edge := store.MessageFilter{After: f.After, Before: f.Before, Thread: f.Thread, Offset: s.lookMost - lookFirst,
		Limit: 1}
	if f.Direction == mailbox.Outbound {
		edge.Direction = f.Direction // there is an index of what was sent
	}
	beyond, err := r.Messages(ctx, num, edge)
	if err != nil {
		return nil, 0, err
	}
	if len(beyond) == 1 {
		f.After = beyond[0].Seq
		next = f.After + 1
	}
	f.Limit = limit - len(rows)
	more, err := r.Messages(ctx, num, f)
	rows = append(rows, more...)
	if len(rows) == limit {
		next = 0
	}
	if next != 0 && fromNewest && unseen(f) {
		c, err := r.Counters(ctx, num)
		if err != nil || int64(len(rows)) == c.Unseen {
			return rows, 0, err
		}
	}
	return rows, next, err
}

// lookNear looks at what the next numbers are, which most pages need no more than, and leaves the rest to the filter.
func lookNear(ctx context.Context, r store.Reader, num mailbox.Num, f *store.MessageFilter) ([]mailbox.Message, error) {
	if f.Before == 0 {
		_, newest, err := r.LastEvent(ctx, num)
		if err != nil {
			return nil, err
		}
		f.Before = newest + 1
	}
	near := *f
	near.After = max(f.After, f.Before-1-lookFirst)
	f.Before = near.After + 1
	return r.Messages(ctx, num, near)
}

// lookForBoxes lists mailboxes in the same way.
func (s *Service) lookForBoxes(ctx context.Context, r store.Reader, f store.MailboxFilter) (boxes []mailbox.Mailbox,
	next mailbox.Num, err error) {
	if (f.Query != "" || f.Status != "") && f.Offset == 0 {
		beyond, err := r.Mailboxes(ctx, store.MailboxFilter{Before: f.Before, Offset: s.lookMost, Limit: 1})
		if err != nil {
			return nil, 0, err
		}
		if len(beyond) == 1 {
			f.After = beyond[0].Num
			next = f.After + 1
		}
	}
	if boxes, err = r.Mailboxes(ctx, f); len(boxes) == f.Limit {
		next = 0
	}
	return boxes, next, err
}

// unseen tells whether a list is of messages that nobody has seen, which the mailbox counts.
func unseen(f store.MessageFilter) bool { return f.Seen != nil && !*f.Seen }

// asking is how a list is read: where what it finds is compared with a count, both are of the same moment.
func (s *Service) asking(f store.MessageFilter) func(context.Context, func(store.Reader) error) error {
	if unseen(f) {
		return s.view
	}
	return s.ask
}
