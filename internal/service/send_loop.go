package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Two programs that answer each other would do so until the daily limit stops them. What gives them away is that the
// same answer is given to the same message, again and again (send_answer.go). How often a mailbox does that on one
// thread, and to one peer, is counted in half hours: what the last two hold together must stay below a budget. Nothing
// else is counted: not what answers nothing, nor a second answer to one message, nor an answer that says something new
// or answers something new.

const loopSlot = 30 * time.Minute

// errLoop is what a send is refused with that looks like part of a loop.
type errLoop struct {
	answer *mailbox.Error
	what   string
}

func (e *errLoop) Error() string { return e.answer.Error() }
func (e *errLoop) Unwrap() error { return e.answer }

// spendLoop counts an answer against the budgets of its thread and of its peer.
func (s *Service) spendLoop(ctx context.Context, tx store.Tx, o *outgoing, related []mailbox.ID) error {
	trigger := s.answers(o, related)
	if trigger == nil {
		return nil
	}
	before, err := s.lately(ctx, tx, o, "answered "+trigger.ID.String())
	if err != nil || before > 0 {
		return err
	}
	if err := s.count(ctx, tx, o, "answered "+trigger.ID.String()); err != nil {
		return err
	}
	peer := untag(canonical(trigger.From.Address))
	same := s.exchange(o, *trigger, peer)
	if len(related) > 0 {
		if err := s.spendBudget(ctx, tx, o, "thread "+related[0].String(), same, s.live().LoopThread); err != nil {
			return err
		}
	}
	return s.spendBudget(ctx, tx, o, "peer "+peer, same, s.live().LoopPeer)
}

// spendBudget counts an exchange on a thread or with a peer.
func (s *Service) spendBudget(ctx context.Context, tx store.Tx, o *outgoing, what, exchange string, budget int) error {
	if budget == 0 {
		return nil
	}
	key := what + " " + exchange
	used, err := s.lately(ctx, tx, o, key)
	if err != nil {
		return err
	}
	if used >= int64(budget) {
		return &errLoop{what: what, answer: &mailbox.Error{Kind: mailbox.Limited, Code: "loop_detected",
			RetryAfter: s.slotEnd().Sub(s.now()),
			Message: "This looks like a mail loop: the same answer was given to the same message too often. Look at " +
				"the conversation before you send more."}}
	}
	return s.count(ctx, tx, o, key)
}

// lately is how often something was counted in this half hour and the last.
func (s *Service) lately(ctx context.Context, r store.Reader, o *outgoing, what string) (int64, error) {
	slot := s.now().UnixMilli() / loopSlot.Milliseconds()
	now, err := r.Tally(ctx, o.box.Num, what, slot)
	if err != nil {
		return 0, err
	}
	before, err := r.Tally(ctx, o.box.Num, what, slot-1)
	return now + before, err
}

func (s *Service) count(ctx context.Context, tx store.Tx, o *outgoing, what string) error {
	return tx.Count(ctx, o.box.Num, what, s.now().UnixMilli()/loopSlot.Milliseconds(), s.slotEnd().Add(loopSlot))
}

// slotEnd is when the half hour ends.
func (s *Service) slotEnd() time.Time {
	return time.UnixMilli((s.now().UnixMilli()/loopSlot.Milliseconds() + 1) * loopSlot.Milliseconds()).UTC()
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
func (s *Service) tripped(o *outgoing, err error) error {
	var loop *errLoop
	if !errors.As(err, &loop) {
		return err
	}
	slot := s.now().UnixMilli() / loopSlot.Milliseconds()
	if s.breakers.trip(o.box.Address+" "+loop.what, slot) {
		s.log.Warn("mail loop stopped", "mailbox", o.box.Address)
		s.ledger.note(mailbox.Audit{At: s.now(), Action: "loop.stopped", Mailbox: o.box.Address, Note: loop.what})
	}
	return loop.answer
}
