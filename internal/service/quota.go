package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// allowance is how much a mailbox may hold and do.
func (s *Service) allowance(box mailbox.Mailbox) mailbox.Allowance {
	return s.opt.Limits.Allowance(box)
}

// mayHold checks that a mailbox has room for a message of this size, and returns what it holds. Asked in the
// transaction that inserts the message, two messages can never both get the last place.
func (s *Service) mayHold(ctx context.Context, r store.Reader, box mailbox.Mailbox, size int64) (mailbox.Use, error) {
	used, err := r.Use(ctx, box.Num)
	if err == nil && !s.allowance(box).Fits(used, size) {
		err = mailbox.Errorf(mailbox.QuotaFull, "mailbox_full", "This mailbox is full.")
	}
	return used, err
}

// mayKeep checks that a mailbox has room for a message that is sent from it, and returns what it holds beside it. What
// a draft takes becomes free when it is sent.
func (s *Service) mayKeep(ctx context.Context, r store.Reader, box mailbox.Mailbox, o *outgoing) (mailbox.Use, error) {
	used, err := r.Use(ctx, box.Num)
	if err != nil {
		return used, err
	}
	beside := used
	if !o.draft.ID.IsZero() {
		row, err := openDraft(ctx, r, box.Num, o.draft)
		if err != nil {
			return used, err
		}
		beside.Bytes -= row.Size
	}
	with, ahead := beside, o.ahead.box(box.Num).use
	with.Bytes, with.Messages = with.Bytes+ahead.Bytes, with.Messages+ahead.Messages
	if a := s.allowance(box); !a.Fits(with, o.message.Size) {
		return used, noRoom(a, used)
	}
	return beside, nil
}

// keepDraft checks that a mailbox has room for a draft that takes so many bytes more, and tells its owner that most of
// it is used then. Drafts are no messages.
func (s *Service) keepDraft(ctx context.Context, tx store.Tx, num mailbox.Num, more int64) (told bool, err error) {
	if more <= 0 {
		return false, nil
	}
	box, used, err := useOf(ctx, tx, num)
	if err != nil {
		return false, err
	}
	a := s.allowance(box)
	room := a
	if room.Messages = 0; !room.Fits(used, more) {
		return false, noRoom(a, used)
	}
	return s.tellUse(ctx, tx, box, used, mailbox.Use{Bytes: used.Bytes + more, Messages: used.Messages})
}

// useOf reads a mailbox and what it uses.
func useOf(ctx context.Context, tx store.Tx, num mailbox.Num) (box mailbox.Mailbox, used mailbox.Use, err error) {
	if box, err = tx.Mailbox(ctx, num); err != nil {
		return box, used, err
	}
	used, err = tx.Use(ctx, num)
	return box, used, err
}

// wakeTold has an event of a mailbox's limits be seen and posted.
func (s *Service) wakeTold(num mailbox.Num, told bool) {
	if told {
		s.wake(wake.Mail, num)
		s.wake(wake.Hooks, 0)
	}
}

func noRoom(a mailbox.Allowance, used mailbox.Use) error {
	return mailbox.Errorf(mailbox.NoRoom, "storage_limit", "This mailbox is full: it holds %s and %s. Delete "+
		"mail to make room.", of(used.Bytes, a.Bytes, "bytes"), of(used.Messages, a.Messages, "messages"))
}

// of says how much of a limit is used.
func of(used, limit int64, what string) string {
	if limit == 0 {
		return fmt.Sprintf("%d %s", used, what)
	}
	return fmt.Sprintf("%d of %d %s", used, limit, what)
}

// tellMessage is tellUse for a message of this size that was inserted.
func (s *Service) tellMessage(ctx context.Context, tx store.Tx, box mailbox.Mailbox, before mailbox.Use,
	size int64) (told bool, err error) {
	return s.tellUse(ctx, tx, box, before, mailbox.Use{Bytes: before.Bytes + size, Messages: before.Messages + 1})
}

// tellUse tells the owner of a mailbox, once each time, that most of a limit is used.
func (s *Service) tellUse(ctx context.Context, tx store.Tx, box mailbox.Mailbox, before,
	after mailbox.Use) (told bool, err error) {
	c := box.Control()
	if list, then := s.allowance(box).Notices(c.Told, before, after); len(list) == 0 && then == c.Told {
		return false, nil
	}
	if box, err = tx.Mailbox(ctx, box.Num); err != nil { // what is written back must be what is there
		return false, err
	}
	c = box.Control()
	list, then := s.allowance(box).Notices(c.Told, before, after)
	c.Told = then
	box.SetControl(c)
	if err := tx.UpdateMailbox(ctx, box); err != nil {
		return false, err
	}
	for _, n := range list {
		e := mailbox.Event{Mailbox: box.Num, Kind: mailbox.MailboxQuota, At: s.now(), Result: n.Result()}
		if err := tx.AppendEvent(ctx, &e); err != nil {
			return false, err
		}
		if err := s.hook(ctx, tx, box, e); err != nil {
			return false, err
		}
	}
	return len(list) > 0, nil
}

// inboundTally names the count of the mail that came in an hour.
const inboundTally = "inbound"

// spendInbound takes one of the messages that may come to a mailbox in this hour, where that is limited.
func (s *Service) spendInbound(ctx context.Context, tx store.Tx, box mailbox.Mailbox) error {
	if s.allowance(box).InboundPerHour == 0 {
		return nil
	}
	if err := s.mayCome(ctx, tx, box); err != nil {
		return err
	}
	hour, next := s.hour()
	return tx.Count(ctx, box.Num, inboundTally, hour, next)
}

// mayCome checks that one more message may come to a mailbox in this hour.
func (s *Service) mayCome(ctx context.Context, r store.Reader, box mailbox.Mailbox) error {
	limit := s.allowance(box).InboundPerHour
	if limit == 0 {
		return nil
	}
	hour, next := s.hour()
	used, err := r.Tally(ctx, box.Num, inboundTally, hour)
	if err == nil && used >= limit {
		err = &mailbox.Error{Kind: mailbox.Limited, Code: "inbound_limit",
			Message:    fmt.Sprintf("This mailbox takes %d messages an hour, and has had them.", limit),
			RetryAfter: max(next.Sub(s.now()), time.Second),
			Quota:      &mailbox.Quota{Limit: limit, Used: used, ResetsAt: next}}
	}
	return err
}

// hour is the number of the hour that it is, and when the next begins.
func (s *Service) hour() (n int64, next time.Time) {
	n = s.now().Unix() / 3600
	return n, time.Unix((n+1)*3600, 0).UTC()
}

// fullBoxes remembers which mailboxes had no room when mail came, so that a sender is told at RCPT and not only after
// the whole message; and so that nobody asks how much room there is in all the others. Its zero value is ready to use.
type fullBoxes struct {
	mu    sync.RWMutex
	boxes map[mailbox.Num]bool
}

// fullMost bounds how many are remembered. One that is forgotten is found to be full by its next message.
const fullMost = 10_000

func (f *fullBoxes) has(num mailbox.Num) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.boxes[num]
}

// note remembers what became of a message for a mailbox, or of asking for room in it.
func (f *fullBoxes) note(num mailbox.Num, err error) {
	full := mailbox.KindOf(err) == mailbox.QuotaFull
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !full:
		delete(f.boxes, num)
		return
	case f.boxes == nil || len(f.boxes) >= fullMost:
		f.boxes = make(map[mailbox.Num]bool)
	}
	f.boxes[num] = true
}

const (
	// limitsTally says, once it is counted, that the mailboxes know limits.
	limitsTally = "mailbox limits"
	// spareStep is how many mailboxes are looked up at a time.
	spareStep = 100
)

// introduceLimits lets the mailboxes that hold more than the default go on without a limit, at the first start that
// knows one. Mailboxes that grow later are limited, and so are those above a default that is lowered.
func (s *Service) introduceLimits(ctx context.Context, there *store.Census) error {
	u := s.opt.Limits.MailboxUse()
	for last := mailbox.Num(0); ; {
		var list []mailbox.Num
		known := false
		err := s.view(ctx, func(r store.Reader) error {
			n, err := r.Tally(ctx, 0, limitsTally, 0)
			if known = n > 0; err == nil && !known {
				list, err = r.Above(ctx, u, last, spareStep)
			}
			return err
		})
		if err != nil || known {
			return err
		}
		if len(list) == 0 {
			err = s.update(ctx, func(tx store.Tx) error {
				return tx.Count(ctx, 0, limitsTally, 0, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))
			})
			if err == nil && last != 0 {
				*there, err = s.census(ctx)
			}
			return err
		}
		for _, num := range list {
			if err := s.unlimit(ctx, num); err != nil {
				return err
			}
			last = num
		}
	}
}

// unlimit lets a mailbox go on without a limit until somebody decides.
func (s *Service) unlimit(ctx context.Context, num mailbox.Num) error {
	err := s.update(ctx, func(tx store.Tx) error {
		box, err := tx.Mailbox(ctx, num)
		if err != nil {
			return err
		}
		c := box.Control()
		if c.Limits != nil {
			return nil
		}
		c.Limits = &mailbox.Caps{Bytes: new(int64), Messages: new(int64), Spared: true}
		box.SetControl(c)
		return tx.UpdateMailbox(ctx, box)
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	s.wake(wake.Changed, num)
	return err
}
