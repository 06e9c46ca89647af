package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// CodeQuery is which verification code is waited for.
type CodeQuery struct {
	Timeout time.Duration
	Since   time.Time // only later ones; zero: those of the last minutes
	From    string    // part of the sender
	Consume bool      // the code is handed out to no later call that consumes
}

// Code waits for the newest message with a verification code; nil: none came in time (API 6).
func (s *Service) Code(ctx context.Context, in Access, q CodeQuery) (*FullMessage, error) {
	w := &wanted{since: s.from(q.Since, s.opt.CodeWindow), filter: store.MessageFilter{
		Direction: mailbox.Inbound, From: strings.ToLower(strings.TrimSpace(q.From)), Code: true, Untaken: q.Consume}}
	for deadline := time.Now().Add(q.Timeout); ; {
		found, err := s.await(ctx, in, w, time.Until(deadline))
		if err != nil || found == nil {
			return nil, err
		}
		taken := true
		if q.Consume {
			taken, err = s.takeCode(ctx, found.Message)
		}
		if taken || err != nil {
			found.Detail.Links = links(*found) // all that is shown of it; the rest would keep the caller waiting
			return found, err
		}
	}
}

// takeCode marks a code as handed out, unless another call was faster.
func (s *Service) takeCode(ctx context.Context, found mailbox.Message) (taken bool, err error) {
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
	Query         string    // words, in subject, sender or text
	From, Subject string    // parts of them
	Label         string
	Thread        string   // id
	Has           []string // "code", "link", "attachment"
}

// waitBack is how far back a wait looks that does not say.
const waitBack = time.Minute

// Wait waits for a message that came in; nil: none came in time (API 6).
func (s *Service) Wait(ctx context.Context, in Access, q WaitQuery) (*FullMessage, error) {
	w := &wanted{since: s.from(q.Since, waitBack), thread: q.Thread, filter: store.MessageFilter{
		Direction: mailbox.Inbound, From: strings.ToLower(strings.TrimSpace(q.From)),
		Label: strings.ToLower(strings.TrimSpace(q.Label)), Code: slices.Contains(q.Has, "code")}}
	subject, words := strings.ToLower(strings.TrimSpace(q.Subject)), strings.Fields(strings.ToLower(q.Query))
	attached, linked := slices.Contains(q.Has, "attachment"), slices.Contains(q.Has, "link")
	w.listed = func(m mailbox.Message) bool {
		return (!attached || m.Attachments > 0) && strings.Contains(strings.ToLower(m.Subject), subject)
	}
	if linked || len(words) > 0 {
		w.whole = func(m FullMessage) bool {
			return (!linked || link.Any(linkMail(m))) && hasWords(m, words)
		}
	}
	found, err := s.await(ctx, in, w, q.Timeout)
	if found != nil {
		understand(found)
	}
	return found, err
}

func hasWords(m FullMessage, words []string) bool {
	text := strings.ToLower(strings.Join([]string{m.Subject, m.From.Name, m.From.Address, m.Detail.Text}, "\n"))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// from is when the messages begin that are waited for. A time to come is taken as now.
func (s *Service) from(since time.Time, back time.Duration) time.Time {
	now := s.now()
	switch {
	case since.IsZero():
		return now.Add(-back)
	case since.After(now):
		return now
	}
	return since
}

// wanted is a message that is waited for.
type wanted struct {
	since  time.Time // later than this
	thread string    // id, empty: any
	filter store.MessageFilter
	listed func(mailbox.Message) bool // what a list row shows of it; nil: nothing else
	whole  func(FullMessage) bool     // what only its text shows; nil: nothing else

	begun bool
	seen  int64 // messages up to this Seq were looked at
}

const (
	// disorder is how far the times of messages that lie beside each other in the log may be apart the wrong way round:
	// as long as a commit may take.
	disorder = time.Minute
	// waitPage and waitPages bound how many messages a wait looks through that begins far back, newest first.
	waitPage, waitPages = 100, 20
)

// look finds the newest message that is wanted among those that were not yet looked at. nil: there is none.
func (w *wanted) look(ctx context.Context, r store.Reader, box mailbox.Mailbox) (*FullMessage, error) {
	base, err := r.EventBase(ctx, box.Num)
	if err != nil {
		return nil, err
	}
	last, err := r.LastEvent(ctx, box.Num)
	if err == nil && !w.begun {
		w.seen, err = w.begin(ctx, r, box, base)
	}
	if err != nil {
		return nil, err
	}
	found, err := w.among(ctx, r, box)
	if err == nil && found == nil {
		w.begun, w.seen = true, last-base
	}
	return found, err
}

// begin checks the query and finds the first message to look at.
func (w *wanted) begin(ctx context.Context, r store.Reader, box mailbox.Mailbox, base int64) (int64, error) {
	if w.filter.Label != "" {
		if err := known(ctx, r, box.Num, w.filter.Label); err != nil {
			return 0, err
		}
	}
	before, err := r.EventsUntil(ctx, box.Num, w.since.Add(-disorder))
	return before - base, err
}

// among looks through the messages after the last one that was looked at, newest first.
func (w *wanted) among(ctx context.Context, r store.Reader, box mailbox.Mailbox) (*FullMessage, error) {
	f := w.filter
	f.Since, f.After, f.Limit = w.since.Truncate(time.Millisecond).Add(time.Millisecond), w.seen, waitPage
	if w.thread != "" {
		var err error
		if f.Thread, err = threadOf(ctx, r, box.Num, w.thread); err != nil || f.Thread.IsZero() {
			return nil, err
		}
	}
	if w.listed == nil {
		f.Limit = 1
	}
	for range waitPages {
		rows, err := r.Messages(ctx, box.Num, f)
		if err != nil {
			return nil, err
		}
		for _, m := range rows {
			if found, err := w.fits(ctx, r, m, box); found != nil || err != nil {
				return found, err
			}
		}
		if len(rows) < f.Limit {
			break
		}
		f.Before = rows[len(rows)-1].Seq
	}
	return nil, nil
}

// fits gives the message whole if it is the one that is wanted.
func (w *wanted) fits(ctx context.Context, r store.Reader, m mailbox.Message, box mailbox.Mailbox) (*FullMessage, error) {
	if w.listed != nil && !w.listed(m) {
		return nil, nil
	}
	c, err := r.Content(ctx, m)
	if err != nil {
		return nil, err
	}
	full := FullMessage{Message: m, Address: box.Address}
	if full.Detail, _, err = unpack(c); err != nil {
		return nil, err
	}
	if w.whole != nil && !w.whole(full) {
		return nil, nil
	}
	return &full, nil
}

// await looks for a message, again whenever the mailbox has something new, until it is found or the time is up. It
// listens before it looks, so that nothing comes unseen in between.
func (s *Service) await(ctx context.Context, in Access, w *wanted, timeout time.Duration) (*FullMessage, error) {
	ear, err := s.listen(in)
	if err != nil {
		return nil, err
	}
	defer ear.Close()
	end := time.NewTimer(min(timeout, s.lifetime(in)))
	defer end.Stop()
	for {
		var found *FullMessage
		err := s.view(ctx, func(r store.Reader) error {
			box, err := s.still(ctx, r, in)
			if err != nil {
				return err
			}
			found, err = w.look(ctx, r, box)
			return err
		})
		if err != nil {
			return nil, gone(err)
		}
		if found != nil {
			return found, nil
		}
		select {
		case <-ear.C:
		case <-end.C:
			if s.lifetime(in) <= 0 {
				return nil, errUnauthorized
			}
			return nil, nil
		case <-s.leaving:
			return nil, errStopping
		case <-ctx.Done():
			return nil, fail(ctx.Err())
		}
	}
}
