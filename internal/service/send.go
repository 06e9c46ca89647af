package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Way is how mail leaves the deployment.
type Way string

const (
	WayOff      Way = "off"
	WayCapture  Way = "capture" // it does not: it is kept and shown
	WayDirect   Way = "direct"  // to the recipients' own servers
	WayRelay    Way = "smtp"    // to a server that passes it on
	WayProvider Way = "provider"
	wayInside   Way = "inside" // to a mailbox of this deployment
)

// Sending is a message that was accepted to be sent, or what it would be.
type Sending struct {
	ID        mailbox.ID
	MessageID string
	Thread    mailbox.ID
	Preview   *Preview // only with DryRun
}

// Preview is what a send would do.
type Preview struct {
	From, Subject string
	To, Cc, Bcc   []mailbox.Address
	Size          int64
	SendAt        time.Time // zero: now
	Routes        []Route
}

// Route is the way that mail to a recipient takes.
type Route struct {
	Recipient string
	Way       Way
}

const (
	sendAhead = 30 * 24 * time.Hour // how far ahead a message may be scheduled (API 7)
	keysKept  = 24 * time.Hour      // how long a send is remembered under its Idempotency-Key
)

// letter is a message on its way out, before it is stored.
type letter struct {
	box        mailbox.Mailbox
	id         mailbox.ID
	from       string   // address of the sender
	recipients []string // each once, with the domain in its ASCII form
	bcc        []mailbox.Address
	tags       []string
	due        time.Time
	thread     mailbox.ID           // of the message that it answers; zero: none
	open       func() io.ReadCloser // the message's bytes
	proto      string
	key        string // the caller's Idempotency-Key; empty: none
	body       [32]byte
	dryRun     bool
	cc         []mailbox.Address // for a preview
	to         []mailbox.Address
	subject    string
	heard      []mailbox.Message // what came lately, newest first
}

// Send accepts a message to be sent. It is durable when Send returns.
func (s *Service) Send(ctx context.Context, in Access, d mailbox.Draft) (Sending, error) {
	by, err := s.author(ctx, in, d.From)
	if err != nil {
		return Sending{}, err
	}
	l, err := s.letter(ctx, by, d)
	if err != nil {
		return Sending{}, err
	}
	return s.post(ctx, l)
}

// post sends a letter, or repeats what was answered to the same request before. Requests with the same Idempotency-Key wait
// for one another.
func (s *Service) post(ctx context.Context, l *letter) (Sending, error) {
	if s.opt.Way == WayOff {
		return Sending{}, mailbox.Errorf(mailbox.Unimplemented, "sending_unavailable", "This service is not set up to send mail; its operator can change that with the setting outbound.")
	}
	if l.key == "" {
		return s.accept(ctx, l)
	}
	if len(l.key) > 255 {
		return Sending{}, mailbox.Errorf(mailbox.Invalid, "invalid_idempotency_key", "Idempotency-Key has 1 to 255 characters.")
	}
	unlock, err := s.turns.take(ctx, fmt.Sprintf("%d %s", l.box.Num, l.key))
	if err != nil {
		return Sending{}, fail(err)
	}
	defer unlock()
	var again Sending
	err = s.view(ctx, func(r store.Reader) (err error) {
		again, err = s.repeated(ctx, r, l)
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		return again, err
	}
	return s.accept(ctx, l)
}

// repeated finds what was answered to the same request. store.ErrNotFound: there was none.
func (s *Service) repeated(ctx context.Context, r store.Reader, l *letter) (Sending, error) {
	if l.key == "" || l.dryRun {
		return Sending{}, store.ErrNotFound
	}
	old, err := r.Idempotent(ctx, l.box.Num, sha256.Sum256([]byte(l.key)))
	switch {
	case err != nil:
		return Sending{}, err
	case !s.now().Before(old.At.Add(keysKept)):
		return Sending{}, store.ErrNotFound
	case old.Body != l.body:
		return Sending{}, mailbox.Errorf(mailbox.Conflict, "idempotency_mismatch", "This Idempotency-Key was used for another request; use a new one for each message.")
	}
	return Sending{ID: old.Message, MessageID: old.MessageID, Thread: old.Thread}, nil
}

// accept stores a letter with its deliveries and begins to deliver it.
func (s *Service) accept(ctx context.Context, l *letter) (Sending, error) {
	if err := s.room(0); err != nil {
		return Sending{}, err
	}
	// What is refused in the end is refused before anything is written; the transaction looks again.
	err := s.view(ctx, func(r store.Reader) error {
		if err := s.mayAddress(ctx, r, l); err != nil || l.dryRun {
			return err
		}
		if err := s.mayCount(ctx, r, l); err != nil {
			return err
		}
		return s.heardLately(ctx, r, l)
	})
	if err != nil {
		return Sending{}, err
	}
	out, err := s.compose(ctx, l)
	if err != nil || l.dryRun {
		return out.answer, err
	}
	s.deliverNow(ctx, out)
	return out.answer, nil
}

// compose stores a letter, or with a dry run only looks at it.
func (s *Service) compose(ctx context.Context, l *letter) (*outgoing, error) {
	began, message := time.Now(), l.open()
	in, err := s.intake(ctx, sentBy(l.box), message)
	_ = message.Close() // what was wrong with it the reading says
	if err != nil {
		return new(outgoing), fail(err)
	}
	defer in.discard()
	out := s.outgoing(l, in)
	if l.dryRun {
		out.answer.Preview = s.preview(l, in)
		return out, nil
	}
	if out.content, err = s.place(ctx, in, out.detail, []*mailCopy{out.copy}); err != nil {
		return out, fail(err)
	}
	out.taken = s.reserve(l)
	err = s.update(ctx, func(tx store.Tx) error { return s.enqueue(ctx, tx, l, out) })
	if err != nil || out.again != nil {
		s.release(l, out.taken)
		out.copy.receipt.Err = errors.Join(err, errRepeated)
		s.dropUnused(ctx, out.content, []*mailCopy{out.copy}, out.copy.receipt.Err)
		if err != nil {
			return out, s.tripped(l, err)
		}
		out.answer = *out.again
		return out, nil
	}
	s.traceQueued(l, out, began)
	s.index.Came(l.box.Num)
	s.wake(wake.Mail, l.box.Num)
	s.wake(wake.Index, 0)
	out.answer = Sending{ID: l.id, MessageID: out.copy.message.MessageID, Thread: out.thread}
	return out, nil
}

var errRepeated = errors.New("sent before")

// outgoing is a letter in the form in which it is stored.
type outgoing struct {
	copy       *mailCopy
	detail     mailbox.Detail
	answers    []string
	content    content
	thread     mailbox.ID
	answer     Sending
	deliveries []mailbox.Delivery
	again      *Sending // another node accepted the same request meanwhile
	queued     bool     // some of it is for the queue
	taken      []bool   // recipients for whom there is a place at the outlet
}

func (s *Service) outgoing(l *letter, in *intake) *outgoing {
	d := rawmail.Detail(in.parsed)
	d.Envelope = mailbox.Trace{From: l.from, Proto: l.proto}
	d.Bcc, d.Tags = l.bcc, l.tags
	row := in.list()
	row.Direction, row.Status, row.Seen, row.Labels = mailbox.Outbound, string(mailbox.Queued), true, nil
	row.From.Address = l.from
	c := s.address(mailbox.Recipient{Address: l.recipients[0], Mailbox: l.box}, row)
	c.message.ID = l.id
	return &outgoing{copy: c, detail: d, answers: answered(d)}
}

// enqueue is the transaction of a send: limits, message, thread, deliveries, and the key that repeats it. It may run again.
func (s *Service) enqueue(ctx context.Context, tx store.Tx, l *letter, out *outgoing) error {
	out.again, out.deliveries, out.queued = nil, nil, false
	if again, err := s.repeated(ctx, tx, l); !errors.Is(err, store.ErrNotFound) {
		out.again = &again
		return err
	}
	if err := s.mayAddress(ctx, tx, l); err != nil {
		return err
	}
	if err := s.spendSend(ctx, tx, l); err != nil {
		return err
	}
	m := out.copy.message
	related, err := s.related(ctx, tx, m, out.answers)
	if err == nil && len(related) == 0 && !l.thread.IsZero() { // what it answers has no Message-ID
		var thread mailbox.ID
		if thread, _, err = tx.ThreadID(ctx, m.Mailbox, l.thread); errors.Is(err, store.ErrNotFound) {
			err = nil // it was deleted meanwhile
		} else {
			related = []mailbox.ID{thread}
		}
	}
	if err != nil {
		return err
	}
	if err := s.spendLoop(ctx, tx, l, out, related); err != nil {
		return err
	}
	if err := tx.InsertMessage(ctx, &m, out.content.of(out.copy)); err != nil {
		return err
	}
	if err := s.thread(ctx, tx, &m, related, out.answers); err != nil {
		return err
	}
	out.thread = m.Thread
	if err := s.insertDeliveries(ctx, tx, l, m, out); err != nil || l.key == "" {
		return err
	}
	return tx.InsertIdempotent(ctx, mailbox.Idempotent{Mailbox: l.box.Num, Key: sha256.Sum256([]byte(l.key)), Body: l.body,
		Message: m.ID, Thread: m.Thread, MessageID: m.MessageID, At: s.now()})
}

// insertDeliveries notes for each recipient that it is to get the message. What stays inside is leased to ourselves, to be
// done as soon as the message is durable.
func (s *Service) insertDeliveries(ctx context.Context, tx store.Tx, l *letter, m mailbox.Message, out *outgoing) error {
	now := s.now()
	for i, rcpt := range l.recipients {
		_, domain := split(rcpt)
		d := mailbox.Delivery{Mailbox: m.Mailbox, Message: m.ID, Seq: m.Seq, N: i + 1, Recipient: rcpt, Destination: domain,
			Status: mailbox.Queued, QueuedAt: l.due, NextAt: l.due}
		if out.taken[i] || !l.due.After(now) && s.serves(domain) {
			d = d.Take(now.Add(s.opt.Lease))
		} else {
			out.queued = true
		}
		out.deliveries = append(out.deliveries, d)
		if err := tx.InsertDelivery(ctx, d); err != nil {
			return err
		}
		if err := tx.InsertContact(ctx, m.Mailbox, canonical(rcpt)); err != nil {
			return err
		}
	}
	return nil
}

// deliverNow delivers what stays inside, and wakes the queue for the rest. A caller who hangs up does not stop it.
func (s *Service) deliverNow(ctx context.Context, out *outgoing) {
	ctx = context.WithoutCancel(ctx)
	if out.queued {
		s.wake(wake.Queue, 0)
	}
	for i, d := range out.deliveries {
		if out.taken[i] {
			from := out.copy.box.Address
			s.outlet.Give(Job{Delivery: d, Return: s.returnPath(d, from), From: from})
		}
	}
	for i, d := range out.deliveries {
		if !d.Leased || out.taken[i] {
			continue
		}
		a := s.deliverInside(ctx, d)
		if err := s.FinishDelivery(ctx, d, a); err != nil {
			s.log.Warn("note a delivery inside", "error", err) // the queue tries it again when its lease ends
		}
	}
}

// mayAddress checks that the mailbox may send now, and to these recipients.
func (s *Service) mayAddress(ctx context.Context, r store.Reader, l *letter) error {
	box, err := r.Mailbox(ctx, l.box.Num)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return errUnauthorized
	case err != nil:
		return err
	case box.Status == mailbox.Halted:
		return errPaused
	}
	for _, rcpt := range l.recipients {
		found, err := r.Suppression(ctx, l.box.Num, canonical(rcpt))
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		return &mailbox.Error{Kind: mailbox.Invalid, Code: "recipient_suppressed", Field: "to",
			Message: fmt.Sprintf("%s is on this mailbox's suppression list (%s); take it off with DELETE /v1/suppressions?address= to send to it again.", rcpt, found.Reason)}
	}
	return nil
}

// sendsTally names the count of a day's sends.
const sendsTally = "sends"

// mayCount refuses a send on a day whose limit is reached, the mailbox's or the deployment's.
func (s *Service) mayCount(ctx context.Context, r store.Reader, l *letter) error {
	day := utcDay(l.due)
	tomorrow := time.Unix((day+1)*86400, 0).UTC()
	for _, q := range []struct {
		num         mailbox.Num
		limit       int
		code, label string
	}{
		{l.box.Num, s.opt.Limits.DailySends, "daily_send_limit", "Daily send limit reached"},
		{0, s.opt.SendCap, "global_send_limit", "This service's daily send limit is reached"},
	} {
		if q.limit == 0 {
			continue
		}
		used, err := r.Tally(ctx, q.num, sendsTally, day)
		if err != nil {
			return err
		}
		if used >= int64(q.limit) {
			return &mailbox.Error{Kind: mailbox.Limited, Code: q.code, Message: fmt.Sprintf("%s (%d/%d)", q.label, used, q.limit),
				RetryAfter: max(tomorrow.Sub(s.now()), time.Second), Quota: &mailbox.Quota{Limit: int64(q.limit), Used: used, ResetsAt: tomorrow}}
		}
	}
	return nil
}

// spendSend takes one of the sends of the day on which the message is due.
func (s *Service) spendSend(ctx context.Context, tx store.Tx, l *letter) error {
	if err := s.mayCount(ctx, tx, l); err != nil {
		return err
	}
	day := utcDay(l.due)
	tomorrow := time.Unix((day+1)*86400, 0).UTC()
	if s.opt.SendCap > 0 {
		if err := tx.Count(ctx, 0, sendsTally, day, tomorrow); err != nil {
			return err
		}
	}
	return tx.Count(ctx, l.box.Num, sendsTally, day, tomorrow)
}

// author finds who a message is from: the caller's mailbox, or the one that an operator names with its From (API 1).
func (s *Service) author(ctx context.Context, in Access, from string) (by author, err error) {
	by = author{box: in.Box, from: mailbox.Address{Address: in.Box.Address}}
	if strings.TrimSpace(from) != "" {
		if by.from, err = parseAddress("from", from); err != nil {
			return by, err
		}
	}
	by.from.Address = canonical(by.from.Address)
	if !by.box.Owns(by.from.Address) {
		if !in.anywhere() {
			return by, errForbidden
		}
		by.box, err = s.mailboxAt(ctx, by.from.Address)
		if errors.Is(err, errNoMailbox) {
			err = errForbidden
		}
		if err == nil {
			err = s.auditSend(ctx, in, by.box)
		}
		if err != nil {
			return by, err
		}
	}
	return by, s.maySend(by.box, by.from.Address)
}

// maySend tells whether a mailbox can send from one of its addresses at all.
func (s *Service) maySend(box mailbox.Mailbox, address string) error {
	_, domain := split(address)
	switch {
	case box.Status == mailbox.Halted:
		return errPaused
	case box.Scope == mailbox.Provisional:
		return denied(mailbox.Caller{Scope: mailbox.Provisional, Mailbox: box}, mailbox.SendMail)
	case s.displaced(box, address):
		return mailbox.Errorf(mailbox.Denied, "domain_lapsed",
			"The domain %s was verified by another owner since this mailbox was made, so nothing can be sent from %s.", domain, address)
	case s.serves(domain):
		return nil
	}
	if since, ok := s.lapsedSince(domain); ok {
		return mailbox.Errorf(mailbox.Denied, "domain_lapsed",
			"The record that shows who owns %s is gone from the DNS since %s, so nothing can be sent from it; publish it again.",
			domain, since.Format(time.RFC3339))
	}
	return mailbox.Errorf(mailbox.Denied, "domain_not_verified",
		"The domain %s is not verified here any more, so nothing can be sent from it.", domain)
}

// auditSend notes that the operator sends from another mailbox than the configured one.
func (s *Service) auditSend(ctx context.Context, in Access, box mailbox.Mailbox) error {
	if box.Num == in.Box.Num {
		return nil
	}
	return s.update(ctx, func(tx store.Tx) error { return tx.AppendAudit(ctx, s.audited(in, box.Address, "")) })
}

// preview says what a send would do.
func (s *Service) preview(l *letter, in *intake) *Preview {
	p := &Preview{From: l.from, Subject: l.subject, To: l.to, Cc: l.cc, Bcc: l.bcc, Size: in.parsed.Size}
	if l.due.After(s.now()) {
		p.SendAt = l.due
	}
	for _, rcpt := range l.recipients {
		_, domain := split(rcpt)
		way := s.opt.Way
		if s.serves(domain) {
			way = wayInside
		}
		p.Routes = append(p.Routes, Route{Recipient: rcpt, Way: way})
	}
	return p
}
