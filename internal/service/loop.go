package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Two programs that answer each other would do so until the daily limit stops them. So how much a mailbox sends on one thread,
// and to one peer, is counted in half hours: what the last two hold together must stay below a budget.

const loopSlot = 30 * time.Minute

// errLoop is what a send is refused with that looks like part of a loop.
type errLoop struct {
	answer *mailbox.Error
	what   string
}

func (e *errLoop) Error() string { return e.answer.Error() }
func (e *errLoop) Unwrap() error { return e.answer }

// spendLoop counts a send against the budgets of its thread and of its recipients.
func (s *Service) spendLoop(ctx context.Context, tx store.Tx, l *letter, related []mailbox.ID) error {
	if len(related) > 0 {
		if err := s.spendBudget(ctx, tx, l, "thread "+related[0].String(), s.opt.LoopThread); err != nil {
			return err
		}
	}
	for _, rcpt := range l.recipients {
		if err := s.spendBudget(ctx, tx, l, "peer "+untag(canonical(rcpt)), s.opt.LoopPeer); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) spendBudget(ctx context.Context, tx store.Tx, l *letter, what string, budget int) error {
	if budget == 0 {
		return nil
	}
	now := s.now()
	slot := now.UnixMilli() / loopSlot.Milliseconds()
	used := int64(0)
	for _, n := range []int64{slot - 1, slot} {
		count, err := tx.Tally(ctx, l.box.Num, what, n)
		if err != nil {
			return err
		}
		used += count
	}
	ends := time.UnixMilli((slot + 1) * loopSlot.Milliseconds()).UTC()
	if used >= int64(budget) {
		return &errLoop{what: what, answer: &mailbox.Error{Kind: mailbox.Limited, Code: "loop_detected", RetryAfter: ends.Sub(now),
			Message: "This looks like a mail loop: too many messages in a short time on one thread or to one recipient. Look at the conversation before you send more."}}
	}
	return tx.Count(ctx, l.box.Num, what, slot, ends.Add(loopSlot))
}

// breakers remembers which loops were told of, so that a loop fills neither the log nor the audit log.
type breakers struct {
	mu      sync.Mutex
	told    map[string]int64
	tripped int64
}

// trip notes a refused send, and tells whether it is the first of its loop.
func (b *breakers) trip(loop string, slot int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tripped++
	if len(b.told) > 10_000 || b.told == nil {
		b.told = make(map[string]int64)
	}
	first := b.told[loop] < slot-1
	b.told[loop] = slot
	return first
}

// LoopsStopped counts the sends that were refused because they looked like part of a mail loop.
func (s *Service) LoopsStopped() int64 {
	s.breakers.mu.Lock()
	defer s.breakers.mu.Unlock()
	return s.breakers.tripped
}

// tripped notes a send that was refused as part of a loop.
func (s *Service) tripped(l *letter, err error) error {
	var loop *errLoop
	if !errors.As(err, &loop) {
		return err
	}
	slot := s.now().UnixMilli() / loopSlot.Milliseconds()
	if s.breakers.trip(l.box.Address+" "+loop.what, slot) {
		s.log.Warn("mail loop stopped", "mailbox", l.box.Address)
		s.ledger.note(mailbox.Audit{At: s.now(), Action: "loop.stopped", Mailbox: l.box.Address, Note: loop.what})
	}
	return loop.answer
}
