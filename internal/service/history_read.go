package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// firstReads gathers who has read which message. Only the first time counts, and a read must cost no commit: those that
// may be the first are written together, some seconds later.
type firstReads struct {
	mu      sync.Mutex
	pending map[readBy]time.Time
	oldest  time.Time           // when the first of these came
	known   map[readBy]struct{} // some that are written
	writing sync.Mutex          // held by whoever writes them
}

// readBy is a message and who has read it.
type readBy struct {
	box     mailbox.Num
	message mailbox.ID
	key     mailbox.ID // zero: the operator
}

func (r readBy) actor() string {
	if r.key.IsZero() {
		return mailbox.TheOperator
	}
	return r.key.String()
}

const (
	readsDelay   = 5 * time.Second // how long they are gathered
	readsPending = 10_000          // with more, no further ones are taken until these are written
	readsKnown   = 20_000          // with more, all are forgotten: the store knows them
	readsAtOnce  = 100             // in one transaction
)

// note gathers a read.
func (f *firstReads) note(r readBy, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.known[r]; known || len(f.pending) >= readsPending {
		return
	}
	if _, noted := f.pending[r]; noted {
		return
	}
	if f.pending == nil {
		f.pending = make(map[readBy]time.Time)
	}
	if len(f.pending) == 0 {
		f.oldest = time.Now()
	}
	f.pending[r] = at
}

// take returns what is to be written, in the order in which mailboxes are locked; nil: nothing is.
func (f *firstReads) take(all bool) (list []readBy, at map[readBy]time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.pending) == 0 || !all && time.Since(f.oldest) < readsDelay {
		return nil, nil
	}
	at, f.pending = f.pending, nil
	for r := range at {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b readBy) int {
		return cmp.Or(cmp.Compare(a.box, b.box), at[a].Compare(at[b]))
	})
	return list, at
}

// putBack takes what could not be written.
func (f *firstReads) putBack(list []readBy, at map[readBy]time.Time) {
	for _, r := range list {
		f.note(r, at[r])
	}
}

// written remembers what need not be written again.
func (f *firstReads) written(list []readBy) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil || len(f.known)+len(list) > readsKnown {
		f.known = make(map[readBy]struct{})
	}
	for _, r := range list {
		f.known[r] = struct{}{}
	}
}

// noteRead notes that the caller has read a message.
func (s *Service) noteRead(in *Access, m mailbox.Message) {
	if !in.Peek {
		s.reads.note(readBy{m.Mailbox, m.ID, in.Caller.Key.ID}, s.now())
	}
}

// flushReads writes out who has read which message for the first time; all of it, or what has waited long enough.
func (s *Service) flushReads(ctx context.Context, all bool) error {
	s.reads.writing.Lock()
	defer s.reads.writing.Unlock()
	list, at := s.reads.take(all)
	for len(list) > 0 {
		some := list[:min(readsAtOnce, len(list))]
		if err := s.writeReads(ctx, some, at); err != nil {
			s.reads.putBack(list, at)
			return err
		}
		s.reads.written(some)
		list = list[len(some):]
	}
	return nil
}

// writeReads writes those that are the first. A transaction is made only where some are.
func (s *Service) writeReads(ctx context.Context, list []readBy, at map[readBy]time.Time) error {
	var first []readBy
	err := s.view(ctx, func(r store.Reader) error {
		first = nil
		for _, read := range list {
			if _, isFirst, err := firstRead(ctx, r, read); err != nil {
				return err
			} else if isFirst {
				first = append(first, read)
			}
		}
		return nil
	})
	if err != nil || len(first) == 0 {
		return err
	}
	return s.update(ctx, func(tx store.Tx) error {
		for _, read := range first {
			m, isFirst, err := firstRead(ctx, tx, read)
			if err == nil && isFirst {
				err = tx.AppendHistory(ctx, m.Mailbox, m.Seq, mailbox.HistoryEntry{At: at[read],
					Kind: mailbox.HistoryRead, Actor: read.actor()}, historyKept)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// firstRead tells whether a message is there that somebody is not known to have read.
func firstRead(ctx context.Context, r store.Reader, read readBy) (mailbox.Message, bool, error) {
	m, err := r.Message(ctx, read.box, read.message)
	if errors.Is(err, store.ErrNotFound) {
		return m, false, nil // deleted meanwhile
	}
	if err != nil {
		return m, false, err
	}
	was, err := r.WasRead(ctx, m.Mailbox, m.Seq, read.actor())
	return m, !was, err
}
