package service

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

const (
	// retainStep is how many messages go in one transaction, and retainPage how many are looked at at a time.
	retainStep = 25
	retainPage = 200
	// retainAll is after how long all messages of a mailbox are looked at again, whose labels may have changed.
	retainAll = 24 * time.Hour
	// retainSoon is how long before the shortest time is over a message may have been looked at, by another clock.
	retainSoon = time.Minute
	// retainBusy is after how long a message is looked at again that could not go because it has not left.
	retainBusy = time.Hour
)

// retention is what is known of when messages are to be deleted, so that nobody looks before.
type retention struct {
	mu      sync.Mutex
	changes int64     // of mailboxes, when all of them were looked at last
	next    time.Time // when the first of them is due
	boxes   map[mailbox.Num]retained

	relabelling sync.Mutex
	relabelled  map[mailbox.Num]bool // mailboxes that have messages whose labels were changed since they were looked at

	messages, bytes atomic.Int64 // that were deleted
}

// relabel has the messages of mailboxes be looked at again.
func (r *retention) relabel(nums ...mailbox.Num) {
	r.relabelling.Lock()
	defer r.relabelling.Unlock()
	if r.relabelled == nil {
		r.relabelled = make(map[mailbox.Num]bool)
	}
	for _, num := range nums {
		r.relabelled[num] = true
	}
}

// takeRelabelled returns which mailboxes relabel named since the last time.
func (r *retention) takeRelabelled() map[mailbox.Num]bool {
	r.relabelling.Lock()
	defer r.relabelling.Unlock()
	nums := r.relabelled
	r.relabelled = nil
	return nums
}

// tellRelabelled has a message be looked at again, by any node, whose new labels keep it for a shorter time than those
// that it was looked at with. One that is younger than the shortest time is looked at in any case.
func (s *Service) tellRelabelled(box mailbox.Mailbox, m mailbox.Message, old []string) {
	rules := s.allowance(box).Retention
	shortest := rules.Shortest()
	if shortest == 0 || s.now().Before(m.ReceivedAt.Add(shortest-retainSoon)) {
		return
	}
	was := m
	was.Labels = old
	if ends, before := rules.Ends(m), rules.Ends(was); !ends.IsZero() && (before.IsZero() || ends.Before(before)) {
		s.wake(wake.Labels, box.Num)
	}
}

// retained is what is known of one mailbox.
type retained struct {
	rules mailbox.Retention
	seq   int64     // messages up to this one were looked at
	kept  time.Time // when the first of these is due; zero: none is
	all   time.Time // when all of them are looked at again
	next  time.Time // when there may be something to do
}

// Expunged counts the messages that were deleted because their mailboxes keep them no longer, and their bytes.
func (s *Service) Expunged() (messages, bytes int64) {
	return s.retention.messages.Load(), s.retention.bytes.Load()
}

// Retain deletes messages that their mailboxes keep no longer. While nothing is due, and nobody decides something else,
// it does nothing at all.
func (s *Service) Retain(ctx context.Context) error {
	r := &s.retention
	r.mu.Lock()
	defer r.mu.Unlock()
	changes, now := s.changes.Load(), s.now()
	relabelled := r.takeRelabelled()
	if r.boxes != nil && changes == r.changes && now.Before(r.next) && len(relabelled) == 0 {
		return nil
	}
	known, next := make(map[mailbox.Num]retained), now.Add(retainAll)
	err := s.eachRetaining(ctx, func(box mailbox.Mailbox, rules mailbox.Retention) error {
		at, ok := r.boxes[box.Num]
		if !ok || relabelled[box.Num] || !reflect.DeepEqual(at.rules, rules) {
			at = retained{rules: rules}
		}
		if !now.Before(at.next) {
			if err := s.retain(ctx, box, &at); err != nil {
				return err
			}
		}
		known[box.Num] = at
		if at.next.Before(next) {
			next = at.next
		}
		return nil
	})
	if err != nil {
		r.relabel(slices.Collect(maps.Keys(relabelled))...)
		return err
	}
	r.boxes, r.changes, r.next = known, changes, next
	return nil
}

// eachRetaining calls do for each mailbox that does not keep everything.
func (s *Service) eachRetaining(ctx context.Context, do func(mailbox.Mailbox, mailbox.Retention) error) error {
	return s.eachMailbox(ctx, s.opt.Limits.Retention.Shortest() > 0, func(box mailbox.Mailbox) error {
		if rules := s.allowance(box).Retention; rules.Shortest() > 0 {
			return do(box, rules)
		}
		return nil
	})
}

// eachMailbox calls do for each mailbox, or for each that somebody decided something about.
func (s *Service) eachMailbox(ctx context.Context, all bool, do func(mailbox.Mailbox) error) error {
	for last, more := mailbox.Num(0), true; more; {
		var list []mailbox.Mailbox
		err := s.view(ctx, func(r store.Reader) (err error) {
			if all {
				list, err = r.Mailboxes(ctx, store.MailboxFilter{Before: last, Limit: retainPage})
			} else {
				list, err = r.Controlled(ctx, last, retainPage)
			}
			return err
		})
		if err != nil {
			return err
		}
		more = len(list) == retainPage
		for _, box := range list {
			last = box.Num
			if err := do(box); err != nil {
				return err
			}
		}
	}
	return nil
}

// retain deletes what one mailbox keeps no longer, and notes when to look again.
func (s *Service) retain(ctx context.Context, box mailbox.Mailbox, at *retained) error {
	now, shortest := s.now(), at.rules.Shortest()
	if !now.Before(at.all) || !at.kept.IsZero() && !now.Before(at.kept) {
		at.seq, at.kept, at.all = 0, time.Time{}, now.Add(retainAll)
	}
	var end int64
	next := now.Add(shortest) // of a message that comes from here on
	err := s.view(ctx, func(r store.Reader) error {
		number, seq, err := r.EventsUntil(ctx, box.Num, now.Add(-shortest).Add(time.Millisecond))
		if err != nil {
			return err
		}
		end = seq
		events, err := r.Events(ctx, box.Num, number, 1)
		if len(events) > 0 {
			next = events[0].At.Add(shortest)
		}
		return err
	})
	if err == nil {
		err = s.retainUntil(ctx, box, at, end)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil // the mailbox is gone
	}
	at.seq, at.next = max(at.seq, end), next
	for _, t := range []time.Time{at.all, at.kept} {
		if !t.IsZero() && t.Before(at.next) {
			at.next = t
		}
	}
	return err
}

// retainUntil goes through the messages up to a Seq that were not looked at.
func (s *Service) retainUntil(ctx context.Context, box mailbox.Mailbox, at *retained, end int64) error {
	for before, more := end+1, end > at.seq; more; {
		var list []mailbox.Message
		err := s.view(ctx, func(r store.Reader) (err error) {
			list, err = r.Messages(ctx, box.Num, store.MessageFilter{After: at.seq, Before: before, Limit: retainPage})
			return err
		})
		if err != nil {
			return err
		}
		var due []mailbox.Message
		for _, m := range list {
			before = m.Seq
			switch ends := at.rules.Ends(m); {
			case ends.IsZero():
			case ends.After(s.now()):
				at.keep(ends)
			default:
				due = append(due, m)
			}
		}
		if more = len(list) == retainPage; len(due) > 0 {
			err := s.Turn(ctx, "retention", func(ctx context.Context, _ int64) error {
				return s.expunge(ctx, box, at, due)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// keep notes that a message is due at a time.
func (at *retained) keep(until time.Time) {
	if at.kept.IsZero() || until.Before(at.kept) {
		at.kept = until
	}
}

// expunge deletes messages, some in each transaction.
func (s *Service) expunge(ctx context.Context, box mailbox.Mailbox, at *retained, due []mailbox.Message) error {
	for len(due) > 0 {
		some := due[:min(len(due), retainStep)]
		due = due[len(some):]
		answers, err := s.answersOf(ctx, some)
		if err != nil {
			return err
		}
		var done expunged
		err = s.step(ctx, func(tx store.Tx) error {
			done = expunged{}
			for _, m := range some {
				if err := s.expungeOne(ctx, tx, box, at.rules, m.ID, answers[m.ID], &done); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if done.busy {
			at.keep(s.now().Add(retainBusy))
		}
		s.retention.messages.Add(done.messages)
		s.retention.bytes.Add(done.bytes)
		s.dropBlobs(ctx, done.blobs)
	}
	return nil
}

// expunged is what one transaction has deleted.
type expunged struct {
	messages, bytes int64
	blobs           []string
	busy            bool // some message has not left, and stays
}

// expungeOne deletes a message, if that is still right: another node may have deleted it, somebody may have labelled
// it, and mail that is held or has not left to all of its recipients stays.
func (s *Service) expungeOne(ctx context.Context, tx store.Tx, box mailbox.Mailbox, rules mailbox.Retention,
	id mailbox.ID, answers []string, done *expunged) error {
	m, err := tx.Message(ctx, box.Num, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if ends := rules.Ends(m); ends.IsZero() || ends.After(s.now()) {
		return nil
	}
	return s.expungeNow(ctx, tx, box, m, answers, done)
}

// expungeNow deletes a message, unless it has not left to all of its recipients.
func (s *Service) expungeNow(ctx context.Context, tx store.Tx, box mailbox.Mailbox, m mailbox.Message, answers []string,
	done *expunged) error {
	if m.Direction == mailbox.Outbound {
		list, err := tx.Deliveries(ctx, m)
		if err != nil {
			return err
		}
		if waits(list) {
			done.busy = true
			return nil
		}
	}
	c, err := tx.Content(ctx, m)
	if err == nil {
		err = tx.DeleteMessage(ctx, m, answers)
	}
	if err == nil {
		err = s.scrubHooks(ctx, tx, box, m)
	}
	if err != nil {
		return err
	}
	if c.Blob != "" {
		done.blobs = append(done.blobs, c.Blob)
	}
	done.messages, done.bytes = done.messages+1, done.bytes+m.Size
	return nil
}

// waits tells whether a message is still to be sent to somebody, or held until somebody decides.
func waits(list []mailbox.Delivery) bool {
	return slices.ContainsFunc(list, func(d mailbox.Delivery) bool {
		return d.InQueue() || d.Status == mailbox.Held
	})
}

// answersOf finds which messages each of these answers, by their Message-IDs.
func (s *Service) answersOf(ctx context.Context, list []mailbox.Message) (map[mailbox.ID][]string, error) {
	answers := make(map[mailbox.ID][]string, len(list))
	for _, m := range list {
		var c store.Content
		err := s.view(ctx, func(r store.Reader) (err error) {
			c, err = r.Content(ctx, m)
			return err
		})
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if d, _, err := rawmail.Unpack(c); err == nil { // else it is damaged, and goes all the same
			answers[m.ID] = answered(d)
		}
	}
	return answers, nil
}
