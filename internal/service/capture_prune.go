package service

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// A test server keeps a number of messages. The oldest go first, all copies of a message with the one in the view, and
// so do mailboxes that have become empty. All messages together are in the order in which they were stored, the copy of
// the view before the others of its message: so what goes is everything before the first message that the view keeps.

const (
	// pruneStep is how many messages go in one transaction.
	pruneStep = 50
	// pruneSlackPart is which part of the number to keep may be there beyond it before who brings mail waits for room.
	pruneSlackPart, pruneSlackLeast = 10, 100
	// pruneFull is how much of the bytes that the view may hold is left to it, in percent.
	pruneFull = 90
)

// PruneCaptured deletes captured mail that is not kept any longer until ctx ends. While nothing is due it does nothing.
func (s *Service) PruneCaptured(ctx context.Context) error {
	if !s.catchesAll() {
		return nil
	}
	worker, err := s.opt.Workers.Worker("prune"), s.findEmpty(ctx)
	for {
		wait := time.Duration(-1)
		if err == nil {
			wait, err = s.prune(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			wait, err = worker.Failed("delete old captured mail", err), nil
		default:
			worker.Progress()
		}
		var due <-chan time.Time
		if wait >= 0 {
			timer := time.NewTimer(max(wait, time.Millisecond))
			defer timer.Stop()
			due = timer.C
		}
		select {
		case <-due:
		case <-s.captured.due:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// findEmpty looks once, at the start, for mailboxes that nothing is in.
func (s *Service) findEmpty(ctx context.Context) error {
	return s.eachMailbox(ctx, true, func(box mailbox.Mailbox) error {
		s.captured.asked.note(box.Num, time.Time{}) // long ago
		return nil
	})
}

// prune deletes what is not kept any longer. It returns how long to wait for what is due next; -1: for what comes.
func (s *Service) prune(ctx context.Context) (wait time.Duration, err error) {
	s.captured.pruning.Lock()
	defer s.captured.pruning.Unlock()
	for more := true; more; {
		if more, wait, err = s.pruneSome(ctx); err != nil {
			return wait, err
		}
	}
	old, next := s.captured.asked.forget(s.now())
	if next > 0 && (wait < 0 || next < wait) {
		wait = next
	}
	return wait, s.removeEmpty(ctx, old)
}

// makeRoom has who brings mail delete some, where far more is there than is kept: pruning would never catch up.
func (s *Service) makeRoom(ctx context.Context) error {
	limit := int64(s.opt.CatchAll.Messages)
	if limit == 0 || s.captured.excess.Load() < max(limit/pruneSlackPart, pruneSlackLeast) {
		return nil
	}
	s.captured.pruning.Lock()
	defer s.captured.pruning.Unlock()
	if s.captured.excess.Load() < max(limit/pruneSlackPart, pruneSlackLeast) {
		return nil // somebody else has just made room
	}
	_, _, err := s.pruneSome(ctx)
	if errors.Is(err, errNoProgress) {
		return nil // which is counted where nobody waits for it
	}
	return err
}

// noteExcess notes what the view holds now that a message came.
func (s *Service) noteExcess(copies []*mailCopy) {
	for _, c := range copies {
		if !s.inView(c.box) || !c.isNew() {
			continue
		}
		after := mailbox.Use{Bytes: c.before.Bytes + c.message.Size, Messages: c.before.Messages + 1}
		s.captured.excess.Store(s.beyond(c.box, after))
		if s.captured.excess.Load() > 0 || s.opt.CatchAll.Age > 0 && after.Messages == 1 {
			select {
			case s.captured.due <- struct{}{}:
			default:
			}
		}
		return
	}
}

// beyond is how many messages the view holds beyond those that it keeps.
func (s *Service) beyond(view mailbox.Mailbox, used mailbox.Use) (n int64) {
	if limit := int64(s.opt.CatchAll.Messages); limit > 0 {
		n = max(0, used.Messages-limit)
	}
	if most := s.allowance(view).Bytes; most > 0 && used.Bytes > most/100*pruneFull && n == 0 {
		n = 1
	}
	return n
}

// pruneSome deletes some messages, and tells whether there are more to delete, and else how long until there are.
func (s *Service) pruneSome(ctx context.Context) (more bool, wait time.Duration, err error) {
	var p pruned
	wait = -1
	err = s.view(ctx, func(r store.Reader) error {
		view, err := r.MailboxAt(ctx, s.opt.Configured)
		if err != nil {
			return err
		}
		used, err := r.Use(ctx, view.Num)
		if err != nil {
			return err
		}
		s.captured.excess.Store(s.beyond(view, used))
		oldest, err := r.Messages(ctx, view.Num, store.MessageFilter{Oldest: true, Limit: pruneStep + 1})
		if err != nil {
			return err
		}
		n := s.outdated(oldest, s.captured.excess.Load())
		if more = n > 0; more {
			p, err = s.storedUntil(ctx, r, oldest[n-1])
		} else if age := s.opt.CatchAll.Age; age > 0 && len(oldest) > 0 {
			wait = max(0, oldest[0].ReceivedAt.Add(age).Sub(s.now()))
		}
		if n < len(oldest) {
			p.kept = oldest[n].ReceivedAt
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return false, -1, nil // the view is being made again
	}
	if err == nil && more {
		if err = s.expungeCaptured(ctx, p.due, p.kept); err == nil {
			s.captured.place = p.place
		}
	}
	return more, wait, err
}

// pruned is a step of pruning.
type pruned struct {
	due   []mailbox.Message
	place int64     // of the last of them
	kept  time.Time // when the first message of the view came that stays; zero: there is none
}

// outdated is how many of the oldest messages of the view are not kept any longer.
func (s *Service) outdated(oldest []mailbox.Message, excess int64) (n int) {
	end := time.Time{}
	if s.opt.CatchAll.Age > 0 {
		end = s.now().Add(-s.opt.CatchAll.Age)
	}
	for n < min(len(oldest), pruneStep) && (int64(n) < excess || oldest[n].ReceivedAt.Before(end)) {
		n++
	}
	return n
}

// storedUntil returns the messages that were stored before others, up to one of the view with all its copies, as many
// as go at a time.
func (s *Service) storedUntil(ctx context.Context, r store.Reader, last mailbox.Message) (p pruned, err error) {
	works, err := r.ToIndex(ctx, store.Places{0: s.captured.place}, 4*pruneStep)
	p.place = s.captured.place
	for _, w := range works {
		if err != nil || w.Mailbox == last.Mailbox && w.Seq > last.Seq {
			break
		}
		var found []mailbox.Message
		if found, err = r.MessagesAt(ctx, w.Mailbox, w.Seq); err != nil {
			break
		}
		// after the last message of the view others may follow that are no copies: those that were sent
		if len(found) > 0 && found[0].ReceivedAt.After(last.ReceivedAt.Add(time.Second)) {
			break
		}
		p.due, p.place = append(p.due, found...), w.Place
	}
	if err == nil && p.place == s.captured.place {
		err = errNoProgress
	}
	return p, err
}

// deleteFromView deletes a captured message with all copies, if it is the copy in the view.
func (s *Service) deleteFromView(ctx context.Context, in Access, id mailbox.ID) (found bool, err error) {
	var list []mailbox.Message
	err = s.view(ctx, func(r store.Reader) error {
		m, box, err := s.find(ctx, r, in, id)
		if found = err == nil && s.inView(box); !found {
			return err
		}
		list, err = s.copiesOf(ctx, r, []mailbox.Message{m})
		return err
	})
	if err == nil && found {
		err = s.expungeCaptured(ctx, list, time.Time{})
	}
	return found, err
}

// copiesOf returns messages of the view with all other copies of them.
func (s *Service) copiesOf(ctx context.Context, r store.Reader, view []mailbox.Message) ([]mailbox.Message, error) {
	list := view[:len(view):len(view)]
	for _, m := range view {
		c, err := r.Content(ctx, m)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		how, err := rawmail.Trace(c)
		if err != nil || how.Captured == nil {
			continue // it is damaged, or older than this
		}
		for _, address := range how.Captured.Recipients {
			box, err := r.MailboxAt(ctx, canonical(address))
			if err == nil && box.Num != m.Mailbox {
				var one mailbox.Message
				if one, err = r.Message(ctx, box.Num, m.ID.Copy(box.Num)); err == nil {
					list = append(list, one)
				}
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, err
			}
		}
	}
	return list, nil
}

// expungeCaptured deletes messages of any mailboxes, and mailboxes that have become empty by that. Events about what
// came before the time of the first message that is kept are forgotten; zero: none are.
func (s *Service) expungeCaptured(ctx context.Context, due []mailbox.Message, kept time.Time) error {
	answers, err := s.answersOf(ctx, due)
	if err != nil {
		return err
	}
	var done expunged
	err = s.update(ctx, func(tx store.Tx) error {
		done = expunged{}
		for _, m := range due {
			box, err := tx.Mailbox(ctx, m.Mailbox)
			if err == nil {
				err = s.expungeNow(ctx, tx, box, m, answers[m.ID], &done)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		if kept.IsZero() {
			return nil
		}
		_, _, err := tx.TrimEvents(ctx, kept, 2*len(due))
		return err
	})
	if err != nil {
		return err
	}
	s.dropBlobs(ctx, done.blobs)
	touched := make(map[mailbox.Num]struct{})
	for _, m := range due {
		touched[m.Mailbox] = struct{}{}
	}
	var nums []mailbox.Num
	for num := range touched {
		nums = append(nums, num)
	}
	return s.removeEmpty(ctx, nums)
}

// removeEmpty removes those of the mailboxes that nothing is in and nobody asks for.
func (s *Service) removeEmpty(ctx context.Context, nums []mailbox.Num) error {
	if len(nums) == 0 {
		return nil
	}
	s.captured.boxes.Lock()
	defer s.captured.boxes.Unlock()
	var gone []mailbox.Mailbox
	err := s.update(ctx, func(tx store.Tx) error {
		gone = nil
		for _, num := range nums {
			box, err := tx.Mailbox(ctx, num)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			empty := false
			if err == nil {
				empty, err = s.removable(ctx, tx, box)
			}
			if err == nil && empty {
				gone = append(gone, box)
				err = tx.RemoveMailbox(ctx, num)
			}
			if err == nil && empty { // little is left of it
				_, _, err = tx.Purge(ctx, num, purgeStep)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	s.wake(wake.Changed, gone[0].Num)
	for _, box := range gone {
		s.ledger.forget(box)
	}
	return nil
}

// removable tells whether a mailbox can go: it is empty, nobody has decided anything about it or has a key to it, and
// nobody waits for its mail.
func (s *Service) removable(ctx context.Context, r store.Reader, box mailbox.Mailbox) (bool, error) {
	if s.inView(box) || box.Scope != mailbox.Permanent || box.Status != mailbox.Active || box.Webhook.URL != "" ||
		box.Routed || box.Decided != nil || len(box.Aliases) > 0 || s.hub.Listened(box.Num) ||
		s.captured.asked.has(box.Num, s.now()) {
		return false, nil
	}
	use, err := r.Use(ctx, box.Num)
	if err != nil || use != (mailbox.Use{}) {
		return false, err
	}
	keys, err := r.Keys(ctx, box.Num)
	if err != nil || len(keys) > 0 {
		return false, err
	}
	held, _, err := r.CountQuarantine(ctx, box.Num)
	if err != nil || held > 0 {
		return false, err
	}
	drafts, err := r.CountDrafts(ctx, box.Num)
	return drafts == 0, err
}
