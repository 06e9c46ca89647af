package service

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// ledger gathers notes that must not cost a commit each: refused mail, reads by the operator, last uses of keys. They
// are written together once a second, and before anyone reads them.
type ledger struct {
	mu      sync.Mutex
	keep    int
	rejects []mailbox.Reject
	audits  []mailbox.Audit
	touched map[mailbox.ID]time.Time
}

// maxAudits bounds what waits in memory; with more, the caller writes it out.
const maxAudits = 10_000

func (l *ledger) reject(r mailbox.Reject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rejects = newest(append(l.rejects, r), l.keep)
}

// forget drops the refusals of a deleted mailbox's mail: the next owner of the address has nothing to do with them.
func (l *ledger) forget(box mailbox.Mailbox) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rejects = slices.DeleteFunc(l.rejects, func(r mailbox.Reject) bool { return box.Owns(r.Address) })
}

// newest cuts a list to its last n.
func newest(rs []mailbox.Reject, n int) []mailbox.Reject { return rs[max(0, len(rs)-n):] }

func (l *ledger) note(a mailbox.Audit) (full bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.audits = append(l.audits, a)
	l.audits = l.audits[max(0, len(l.audits)-2*maxAudits):] // it cannot be written out for now
	return len(l.audits) > maxAudits
}

// touch notes the use of a key, to the minute.
func (l *ledger) touch(k mailbox.Key, now time.Time) {
	if now.Sub(k.LastUsedAt) < time.Minute {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.touched == nil {
		l.touched = make(map[mailbox.ID]time.Time)
	}
	l.touched[k.ID] = now
}

// take returns what waits, and starts over; nil if nothing does.
func (l *ledger) take() *ledger {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rejects)+len(l.audits)+len(l.touched) == 0 {
		return nil
	}
	taken := &ledger{rejects: l.rejects, audits: l.audits, touched: l.touched}
	l.rejects, l.audits, l.touched = nil, nil, nil
	return taken
}

// putBack takes what could not be written, to be written with what came meanwhile.
func (l *ledger) putBack(taken *ledger) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rejects = newest(append(taken.rejects, l.rejects...), l.keep)
	l.audits = append(taken.audits, l.audits...)
	if l.touched == nil {
		l.touched = taken.touched
		return
	}
	for id, at := range taken.touched {
		if at.After(l.touched[id]) {
			l.touched[id] = at
		}
	}
}

// flush writes the ledger out. When it returns nil, what was noted before it was called is written, by whomever.
func (s *Service) flush(ctx context.Context) error {
	s.flushing.Lock()
	defer s.flushing.Unlock()
	l := s.ledger.take()
	if l == nil {
		return nil
	}
	err := s.write(ctx, l)
	if err != nil {
		s.ledger.putBack(l)
	}
	return err
}

func (s *Service) write(ctx context.Context, l *ledger) error {
	return s.update(ctx, func(tx store.Tx) error {
		if len(l.rejects) > 0 {
			if err := tx.AppendRejects(ctx, l.rejects, s.opt.RejectsKept); err != nil {
				return err
			}
		}
		for _, a := range l.audits {
			if err := tx.AppendAudit(ctx, a); err != nil {
				return err
			}
		}
		for id, at := range l.touched {
			if err := tx.TouchKey(ctx, id, at); err != nil {
				return err
			}
		}
		return nil
	})
}

// Run writes the ledger, the first reads of messages and what was seen of other domains out every second until ctx
// ends, and once more then.
func (s *Service) Run(ctx context.Context) error {
	defer s.looks.Wait()
	defer s.index.Wait()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	worker, next := s.opt.Workers.Worker("logs"), time.Time{}
	ctx = store.Background(ctx)
	for {
		select {
		case now := <-tick.C:
			if now.Before(next) {
				continue
			}
			switch err := errors.Join(s.flush(ctx), s.flushReads(ctx, false), s.flushObserved(ctx, false),
				s.seeNode(ctx)); {
			case err == nil:
				worker.Progress()
			case ctx.Err() == nil:
				next = now.Add(worker.Failed("write logs", err))
			}
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			return errors.Join(s.flush(last), s.flushReads(last, true), s.flushObserved(last, true),
				s.leaveNode(last))
		}
	}
}

// audit notes that an operator acts on a mailbox; on the configured one as its owner would, changes alone. A change is
// noted before it is made; what changes nothing of the owner's is noted within the second.
func (s *Service) audit(ctx context.Context, in Access) error {
	if in.Box.Address == s.opt.Configured && !in.changesOwn() || s.catchesAll() && in.Need.Reads() {
		return nil
	}
	return s.note(ctx, in)
}

// note writes down what is done to a mailbox.
func (s *Service) note(ctx context.Context, in Access) error {
	full := s.ledger.note(s.audited(in, in.Box.Address, ""))
	if full || !in.Need.Reads() {
		return s.flush(ctx)
	}
	return nil
}

// audited is the entry for what is done to a mailbox.
func (s *Service) audited(in Access, address, note string) mailbox.Audit {
	a := mailbox.Audit{At: s.now(), Action: in.Verb, Mailbox: address, Note: note, Actor: in.Caller.Actor(),
		AuditFacts: mailbox.AuditFacts{Request: in.Request}}
	a.Name, a.Role, a.Credential = in.Caller.Credential()
	if in.Client.IsValid() {
		a.Client = in.Client.String()
	}
	return a
}

// Rejected notes mail that was refused. It does not block.
func (s *Service) Rejected(r mailbox.Reject) {
	r.At, r.Address = s.now(), untag(canonical(r.Recipient))
	s.ledger.reject(r)
}

// RejectsQuery narrows the list of refused mail. Empty fields ask for everything.
type RejectsQuery struct {
	Words string // that an entry has
	Stage string
	Page  Page
}

// Rejects lists refused mail, newest first: that for the own addresses, or all of it for an operator who names no
// mailbox.
func (s *Service) Rejects(ctx context.Context, in Access, q RejectsQuery) (List[mailbox.Reject], error) {
	f := store.LogFilter{Addresses: append([]string{in.Box.Address}, in.Box.Aliases...)}
	if in.anywhere() {
		f.Addresses = nil
	}
	var fits func(mailbox.Reject) bool
	if q.Words != "" || q.Stage != "" {
		fits = func(r mailbox.Reject) bool {
			return (q.Stage == "" || q.Stage == r.Stage) && wordsIn(q.Words, r.Sender, r.Recipient, r.Reply, r.Remote,
				r.Stage)
		}
	}
	return entries(ctx, s, q.Page, cursorReject, f, fits, store.Reader.Rejects)
}

// AuditsQuery narrows the audit log. Empty fields ask for everything.
type AuditsQuery struct {
	Words   string // that an entry has
	Changes bool   // only what may have changed something
	Page    Page
}

// Audits lists what was done to mailboxes by their operator, and by keys to what people control, newest first.
func (s *Service) Audits(ctx context.Context, _ Access, q AuditsQuery) (List[mailbox.Audit], error) {
	var fits func(mailbox.Audit) bool
	if q.Words != "" || q.Changes {
		fits = func(a mailbox.Audit) bool {
			return !(q.Changes && a.Reads()) && wordsIn(q.Words, a.Words())
		}
	}
	return entries(ctx, s, q.Page, cursorAudit, store.LogFilter{}, fits, store.Reader.Audits)
}

// entries reads a page of a log, of which fits takes only some; nil: all.
func entries[T any](ctx context.Context, s *Service, p Page, kind cursorKind, f store.LogFilter, fits func(T) bool,
	read func(store.Reader, context.Context, store.LogFilter) ([]store.Entry[T], error)) (List[T], error) {
	before, err := decodeCursor(kind, p.Cursor)
	if err == nil {
		err = s.flush(ctx)
	}
	if err != nil && mailbox.KindOf(err) != mailbox.DiskFull { // else what was written before can be read
		return List[T]{}, err
	}
	rows := func(before int64, limit int) (rows []store.Entry[T], err error) {
		f.Before, f.Limit = before, limit
		err = s.view(ctx, func(r store.Reader) (err error) {
			rows, err = read(r, ctx, f)
			return err
		})
		return rows, err
	}
	place := func(e store.Entry[T]) int64 { return e.Number }
	var page List[store.Entry[T]]
	if fits != nil {
		page, err = narrowing[store.Entry[T]]{kind: kind, place: place, most: narrowMost, read: rows,
			fits: func(e store.Entry[T]) bool { return fits(e.Value) }}.page(p)
	} else {
		var found []store.Entry[T]
		f.Offset = p.Offset
		found, err = rows(before, p.Limit+1)
		page = list(found, p.Limit, kind, place)
	}
	out := List[T]{Items: make([]T, len(page.Items)), Next: page.Next}
	for i, e := range page.Items {
		out.Items[i] = e.Value
	}
	return out, err
}
