package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
)

// CodeQuery is which verification code is waited for.
type CodeQuery struct {
	Timeout time.Duration
	Since   time.Time // only later ones; zero: those of the last minutes
	After   int64     // the number of an event: only what came after it, whatever Since is; 0: not given
	From    string    // part of the sender
	Consume bool      // the code is handed out to no later call that consumes
}

// Code waits for the newest message with a verification code; nil: none came in time (API 6).
func (s *Service) Code(ctx context.Context, in *Access, q CodeQuery) (*FullMessage, error) {
	w := s.wantedCode(q)
	w.mark = q.After
	w.handed = s.handover.open(in.Box.Num)
	defer s.handover.close(in.Box.Num, w.handed)
	for deadline := time.Now().Add(q.Timeout); ; {
		found, err := s.await(ctx, in, w, time.Until(deadline))
		if err != nil || found == nil {
			return nil, err
		}
		if ours, err := s.handOut(ctx, in, w, found); ours || err != nil {
			return found, err
		}
	}
}

// What is needed only before or after the waiting is in functions of its own: a call waits on a stack that holds what
// its functions will ever need, and at less than a quarter of it the rest is given back.

func (s *Service) wantedCode(q CodeQuery) *wanted {
	w := &wanted{filter: store.MessageFilter{
		Direction: mailbox.Inbound, From: strings.ToLower(strings.TrimSpace(q.From)), Code: true, Untaken: q.Consume}}
	w.finish = func(m *FullMessage) { // all that is shown of it; the rest would keep the caller waiting
		b := bodyOf(&m.Detail)
		m.Detail.Links, m.Detail.CodeCandidates = links(m, b), candidates(m, b)
	}
	if w.since, w.said = s.from(q.Since, s.live().CodeWindow); !w.said && q.After == 0 {
		latest := s.now().Add(q.Timeout + disorder)
		w.listed = func(m mailbox.Message) bool { return m.ReceivedAt.Before(latest) } // the clock was set back
	}
	return w
}

// handOut notes that a message is handed out, unless it is a code that only one call may have and another was faster.
func (s *Service) handOut(ctx context.Context, in *Access, w *wanted, found *FullMessage) (ours bool, err error) {
	if ours = true; w.filter.Untaken {
		ours, err = s.takeCode(ctx, found)
	}
	if ours || err != nil {
		s.noteRead(in, found.Message)
		err = errors.Join(err, s.numberEvent(ctx, w, found))
	}
	return ours, err
}

// takeCode marks a code as handed out, unless another call was faster.
func (s *Service) takeCode(ctx context.Context, found *FullMessage) (taken bool, err error) {
	err = s.update(ctx, func(tx store.Tx) error {
		m, err := tx.Message(ctx, found.Mailbox, found.ID)
		taken = err == nil && !m.Taken
		if !taken {
			return err
		}
		m.Taken = true
		return tx.UpdateMessage(ctx, m)
	})
	if errors.Is(err, store.ErrNotFound) {
		return false, nil // deleted meanwhile
	}
	return taken, err
}

// WaitQuery is which message is waited for. All that is given must hold.
type WaitQuery struct {
	Timeout       time.Duration
	Since         time.Time // only later ones; zero: those of the last minute
	After         int64     // the number of an event: the first that came after it, whatever Since is; 0: not given
	Query         string    // words, in subject, sender or text
	From, Subject string    // parts of them
	Label         string
	Thread        string   // id
	Has           []string // "code", "link", "attachment"
}

// waitBack is how far back a wait looks that does not say.
const waitBack = time.Minute

// Wait waits for a message that came in; nil: none came in time (API 6).
func (s *Service) Wait(ctx context.Context, in *Access, q WaitQuery) (*FullMessage, error) {
	w := s.wantedMessage(q)
	w.mark, w.filter.Oldest = q.After, q.After > 0
	found, err := s.await(ctx, in, w, q.Timeout)
	if found != nil {
		in.hideFiles(&found.Detail)
		_, err = s.handOut(ctx, in, w, found)
	}
	return found, err
}

func (s *Service) wantedMessage(q WaitQuery) *wanted {
	w := &wanted{thread: q.Thread, finish: understand, filter: store.MessageFilter{
		Direction: mailbox.Inbound, From: strings.ToLower(strings.TrimSpace(q.From)),
		Label: strings.ToLower(strings.TrimSpace(q.Label)), Code: slices.Contains(q.Has, "code")}}
	w.since, w.said = s.from(q.Since, waitBack)
	subject, words := strings.ToLower(strings.TrimSpace(q.Subject)), strings.Fields(strings.ToLower(q.Query))
	attached, linked := slices.Contains(q.Has, "attachment"), slices.Contains(q.Has, "link")
	w.listed = func(m mailbox.Message) bool {
		return (!attached || m.Attachments > 0) && strings.Contains(strings.ToLower(m.Subject), subject)
	}
	if linked || len(words) > 0 {
		w.matchesFull = func(m FullMessage) bool {
			return (!linked || link.Any(linkMail(&m.Message, &m.Detail, bodyOf(&m.Detail)))) && hasWords(m, words)
		}
	}
	return w
}

// numberEvent adds the number of the event that a message is, for a caller who waits after events.
func (s *Service) numberEvent(ctx context.Context, w *wanted, found *FullMessage) error {
	if w.mark == 0 {
		return nil
	}
	return s.ask(ctx, func(r store.Reader) (err error) {
		found.Event, err = r.EventNumber(ctx, found.Mailbox, found.Seq)
		return err
	})
}

func hasWords(m FullMessage, words []string) bool {
	text := strings.ToLower(strings.Join([]string{m.Subject, m.From.Name, m.From.Address, m.Detail.Text}, "\n"))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// from is when the messages begin that are waited for, and whether the caller said so. A time to come is taken as now.
func (s *Service) from(since time.Time, back time.Duration) (time.Time, bool) {
	now := s.now()
	switch {
	case since.IsZero():
		return now.Add(-back), false
	case since.After(now):
		return now, true
	}
	return since, true
}

// wanted is a message that is waited for.
type wanted struct {
	since       time.Time // later than this
	said        bool      // the caller gave since; else it is for what was there before, and whatever comes is new
	mark        int64     // the number of the event that it must come after, whatever since is; 0: none
	thread      string    // id, empty: any
	filter      store.MessageFilter
	listed      func(mailbox.Message) bool // what a list row shows of it; nil: nothing else
	matchesFull func(FullMessage) bool     // what only its text shows; nil: nothing else
	finish      func(*FullMessage)         // adds what is shown of the one that is found

	begun   bool
	seen    int64             // messages up to this Seq were looked at
	handed  chan *FullMessage // where a delivery puts it; nil: it is always looked for
	changes int64             // that there were before it was last looked for
}

const (
	// disorder is how far the times of messages that are next to each other in the log may be apart the wrong way
	// round: as long as a commit may take.
	disorder = time.Minute
	// waitPage is how many messages a wait looks through at a time.
	waitPage = 100
)

// seek finds the newest message that is wanted among those that were not yet looked at, or the oldest where the filter
// says so; nil: there is none. It reads in many short views and takes messages apart between them, so that nobody waits
// for it; over says when to give up.
func (s *Service) seek(ctx context.Context, in *Access, w *wanted, over func() bool) (*FullMessage, error) {
	last := int64(-1)
	for before := int64(0); !over(); {
		var box mailbox.Mailbox
		var rows []mailbox.Message
		err := s.view(ctx, func(r store.Reader) (err error) {
			if box, err = s.still(ctx, r, in); err != nil {
				return err
			}
			if last < 0 {
				if last, err = w.begin(ctx, r, box); err != nil {
					return err
				}
			}
			rows, err = w.page(ctx, r, box, before)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, m := range rows {
			if found, err := s.fits(ctx, w, m, box); found != nil || err != nil || over() {
				return found, err
			}
		}
		if len(rows) < waitPage {
			w.begun, w.seen = true, last
			return nil, nil
		}
		w.turn(&before, rows[len(rows)-1].Seq)
	}
	return nil, nil
}

// turn goes on to the page after the one that ends with this Seq.
func (w *wanted) turn(before *int64, seq int64) {
	if w.filter.Oldest {
		w.seen = seq
	} else {
		*before = seq
	}
}

// begin returns the Seq of the newest message or event, and at the first look finds the first message to look at.
func (w *wanted) begin(ctx context.Context, r store.Reader, box mailbox.Mailbox) (last int64, err error) {
	_, last, err = r.LastEvent(ctx, box.Num)
	if err != nil || w.begun {
		return last, err
	}
	if w.filter.Label != "" {
		if err := known(ctx, r, box.Num, w.filter.Label); err != nil {
			return 0, err
		}
	}
	if w.mark > 0 {
		w.seen, err = r.EventSeq(ctx, box.Num, w.mark)
	} else {
		_, w.seen, err = r.EventsUntil(ctx, box.Num, w.since.Add(-disorder))
	}
	return last, err
}

// page reads messages after the last one that was looked at, newest first, below a place in the list.
func (w *wanted) page(ctx context.Context, r store.Reader, box mailbox.Mailbox, before int64) (rows []mailbox.Message,
	err error) {
	f := w.filter
	f.After, f.Before, f.Limit = w.seen, before, waitPage
	if w.mark == 0 && (w.said || !w.begun) {
		f.Since = w.after()
	}
	if w.thread != "" {
		if f.Thread, err = threadOf(ctx, r, box.Num, w.thread); err != nil || f.Thread.IsZero() {
			return nil, err
		}
	}
	return r.Messages(ctx, box.Num, f)
}

// fits returns the message whole if it is the one that is wanted. How many are read for their text at a time is
// bounded: that is work, and anyone can ask for it.
func (s *Service) fits(ctx context.Context, w *wanted, m mailbox.Message, box mailbox.Mailbox) (*FullMessage, error) {
	if w.listed != nil && !w.listed(m) {
		return nil, nil
	}
	leave, err := s.largeTurn(ctx, m) // before the slot, which nobody may hold while waiting for a turn
	if err != nil {
		return nil, err
	}
	defer leave()
	if w.matchesFull != nil {
		select {
		case s.waitTextSlots <- struct{}{}:
			defer func() { <-s.waitTextSlots }()
		case <-ctx.Done():
			return nil, fail(ctx.Err())
		}
	}
	var c store.Content
	err = s.view(ctx, func(r store.Reader) (err error) {
		c, err = r.Content(ctx, m)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil // deleted meanwhile
	}
	full := FullMessage{Message: m, Address: box.Address}
	if err == nil {
		full.Detail, _, err = rawmail.Unpack(c)
	}
	if err != nil || w.matchesFull != nil && !w.matchesFull(full) {
		return nil, err
	}
	w.finish(&full)
	full.Detail.SetView(nil)
	return &full, nil
}

// await looks for a message, again whenever the mailbox has something new, until it is found or the time is up. It
// listens before it looks, so that nothing comes unseen in between.
func (s *Service) await(ctx context.Context, in *Access, w *wanted, timeout time.Duration) (*FullMessage, error) {
	ear, err := s.listen(in)
	if err != nil {
		return nil, err
	}
	defer ear.Close()
	end := time.Now().Add(min(timeout, s.lifetime(in)))
	over := func() bool { return ctx.Err() != nil || !time.Now().Before(end) }
	timer := time.NewTimer(time.Until(end))
	defer timer.Stop()
	for first := true; ; first = false {
		w.changes = s.changes.Load()
		found, err := s.seek(ctx, in, w, func() bool { return over() && !first })
		if found != nil || err != nil {
			return found, in.gone(err)
		}
		select {
		case <-ear.C:
			if found := s.pending(in, w); found != nil {
				return found, nil
			}
			continue
		case <-timer.C:
		case <-s.leaving:
			return nil, errStopping
		case <-ctx.Done():
			return nil, fail(ctx.Err())
		}
		if s.lifetime(in) <= 0 {
			return nil, in.gone(errUnauthorized)
		}
		return nil, nil
	}
}
