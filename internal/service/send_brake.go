package service

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// braked tells whether the brakes of a mailbox are on. That of notices has none: where reviewers' addresses bounce,
// the others are still told.
func (s *Service) braked(box mailbox.Mailbox) bool {
	return box.Control().Brakes.On(s.live().Brakes) && !s.sendsNotices(box)
}

// halted tells whether nothing leaves a mailbox for now.
func halted(box mailbox.Mailbox) bool {
	return box.Status == mailbox.Halted || box.Control().SendingPaused != nil
}

// sendingPaused is what a send is refused with while the brakes hold the mailbox.
func sendingPaused(p mailbox.SendingPause) error {
	return mailbox.Errorf(mailbox.Denied, "sending_paused", "Sending is paused: %s Send nothing more, and ask the "+
		"person behind this mailbox to look at what it sent. Who has the operator credential, or a key with the "+
		"capability control, resumes it with POST /v1/mailbox/resume-sending.", p.Reason)
}

// errBraked says that a message would be more than the brakes let through.
type errBraked struct{ mailbox.Excess }

func (e *errBraked) Error() string { return e.Reason() }

// spendPace counts a message for the brakes.
func (s *Service) spendPace(ctx context.Context, tx store.Tx, o *outgoing, related []mailbox.ID) error {
	pace, err := s.paceAfter(ctx, tx, o, related, nil)
	if err != nil || pace == nil {
		return err
	}
	return tx.SetPace(ctx, o.box.Num, *pace)
}

// paceAfter returns the pace of a mailbox once it has sent this message too, or nil where its brakes are off. It starts
// from before, or from the stored pace if before is nil.
func (s *Service) paceAfter(ctx context.Context, r store.Reader, o *outgoing, related []mailbox.ID,
	before *mailbox.Pace) (*mailbox.Pace, error) {
	if !s.braked(o.box) {
		return nil, nil
	}
	m, err := s.dispatch(ctx, r, o, related)
	if err != nil {
		return nil, err
	}
	if before == nil {
		stored, err := r.Pace(ctx, o.box.Num)
		if err != nil {
			return nil, err
		}
		before = &stored
	}
	if over := before.Send(m, s.now()); over != nil {
		return nil, &errBraked{*over}
	}
	return before, nil
}

const (
	brakeThread = 100      // messages of a thread that are looked at for who wrote on it
	brakeText   = 64 << 10 // bytes of a text that are compared
)

// dispatch describes a message to the brakes.
func (s *Service) dispatch(ctx context.Context, r store.Reader, o *outgoing, related []mailbox.ID) (
	m mailbox.Dispatch, err error) {
	m.Text = o.saying
	var wrote []string // on the thread
	if len(related) > 0 {
		thread, err := r.Conversation(ctx, o.box.Num, related[0], 0, brakeThread)
		if err != nil {
			return m, err
		}
		for _, one := range thread {
			if one.Direction == mailbox.Inbound {
				wrote = append(wrote, canonical(one.From.Address))
			}
		}
	}
	for _, rcpt := range o.recipients {
		m.To = append(m.To, brakeDigest(rcpt.canonical))
		if slices.Contains(wrote, rcpt.canonical) {
			m.Answer = true
			continue
		}
		contact, err := r.Contact(ctx, o.box.Num, rcpt.canonical)
		if err != nil {
			return m, err
		}
		if !contact.Known && !slices.Contains(o.ahead.box(o.box.Num).to, rcpt.canonical) {
			m.New++
		}
	}
	return m, nil
}

// saying names what a message says, whatever the numbers in it; empty: nothing. It is the same for the same words.
func saying(d mailbox.Detail) string {
	said := wording(d.Text[:min(len(d.Text), brakeText)], true)
	if said == "" {
		return ""
	}
	return brakeDigest(said)
}

// brakeDigest names a text in few bytes: two of a mailbox's hardly ever have the same.
func brakeDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

// braking pauses sending where a message was refused because of the brakes, and says so. Any other error stays.
func (s *Service) braking(ctx context.Context, o *outgoing, err error) error {
	var braked *errBraked
	if !errors.As(err, &braked) {
		return err
	}
	var pause mailbox.SendingPause
	err = s.update(context.WithoutCancel(ctx), func(tx store.Tx) (err error) {
		pause, err = s.pauseSending(ctx, tx, o.box.Num, braked.Excess)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errUnauthorized // the mailbox was deleted meanwhile
	}
	if err != nil {
		return err
	}
	s.wake(wake.Changed, o.box.Num)
	s.wakeChanged(o.box.Num)
	return sendingPaused(pause)
}

// pauseSending stops a mailbox, unless it is stopped already: it sends nothing until a person says so.
func (s *Service) pauseSending(ctx context.Context, tx store.Tx, num mailbox.Num, over mailbox.Excess) (
	pause mailbox.SendingPause, err error) {
	box, err := tx.Mailbox(ctx, num)
	if err != nil {
		return pause, err
	}
	c := box.Control()
	if c.SendingPaused != nil {
		return *c.SendingPaused, nil
	}
	pause = mailbox.SendingPause{Excess: over, Reason: over.Reason(), At: s.now()}
	c.SendingPaused = &pause
	box.SetControl(c)
	if err := tx.UpdateMailbox(ctx, box); err != nil {
		return pause, err
	}
	e := mailbox.Event{Mailbox: num, Kind: mailbox.SendingPaused, At: pause.At,
		Result: mailbox.Result{Reason: pause.Reason}}
	if err := tx.AppendEvent(ctx, &e); err != nil {
		return pause, err
	}
	if err := s.hook(ctx, tx, box, e); err != nil {
		return pause, err
	}
	s.stopped.Add(1)
	s.log.Warn("sending paused by the brakes", "mailbox", box.Address, "measure", over.Measure, "limit", over.Limit)
	return pause, tx.AppendAudit(ctx, mailbox.Audit{At: pause.At, Action: "sending.paused", Mailbox: box.Address,
		Note: pause.Reason})
}

// noteBounce counts a recipient whom mail of a mailbox did not reach, and stops the mailbox where that is one too many.
func (s *Service) noteBounce(ctx context.Context, tx store.Tx, num mailbox.Num) error {
	box, err := tx.Mailbox(ctx, num)
	if err != nil || !s.braked(box) || box.Control().SendingPaused != nil {
		return err
	}
	pace, err := tx.Pace(ctx, num)
	if err != nil {
		return err
	}
	over := pace.Bounce(s.now())
	if err := tx.SetPace(ctx, num, pace); err != nil || over == nil {
		return err
	}
	_, err = s.pauseSending(ctx, tx, num, *over)
	return err
}

// SendingStopped counts how often the brakes stopped a mailbox.
func (s *Service) SendingStopped() int64 { return s.stopped.Load() }

// ResumeSending lets a mailbox send again that the brakes stopped. What it did counts as usual from now on, and what
// it has waiting is due at once. One that was not stopped stays as it is.
func (s *Service) ResumeSending(ctx context.Context, in Access) (MailboxRecord, error) {
	_, err := s.changeBox(ctx, in, func(m mailbox.Mailbox) (mailbox.Mailbox, error) {
		c := m.Control()
		c.SendingPaused = nil
		m.SetControl(c)
		return m, nil
	}, func(tx store.Tx, was mailbox.Mailbox) error {
		pause := was.Control().SendingPaused
		if pause == nil {
			return nil
		}
		pace, err := tx.Pace(ctx, was.Num)
		if err != nil {
			return err
		}
		pace.Forgive(pause.Excess, s.now())
		if err := tx.SetPace(ctx, was.Num, pace); err != nil {
			return err
		}
		if err := tx.AppendAudit(ctx, s.audited(in, was.Address, "paused since "+pause.At.Format(time.RFC3339)+": "+
			pause.Reason)); err != nil {
			return err
		}
		return s.hasten(ctx, tx, was.Num, pause.At)
	})
	if err != nil {
		return MailboxRecord{}, err
	}
	s.wake(wake.Queue, 0)
	return s.MailboxRecord(ctx, in)
}
