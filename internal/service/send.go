package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
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
	Status    mailbox.DeliveryStatus
	Review    *mailbox.Review // of a message that is held
	Preview   *Preview        // only with DryRun
}

const (
	sendAhead = 30 * 24 * time.Hour // how far ahead a message may be scheduled (API 7)
	keysKept  = 24 * time.Hour      // how long a send is remembered under its Idempotency-Key
)

var errNoSending = mailbox.Errorf(mailbox.Unimplemented, "sending_unavailable", "This service is not set up to send "+
	"mail; its operator can change that with the setting outbound.")

// outgoing is a message on its way out: what a draft or a submission asks for, checked, and then what is stored of it.
type outgoing struct {
	box         mailbox.Mailbox
	by          mailbox.Key // that it is sent with; zero: the operator's
	id          mailbox.ID
	from        string      // address of the sender
	recipients  []addressee // each once
	to, cc, bcc []addressee
	subject     string
	tags        []string
	due         time.Time
	status      mailbox.DeliveryStatus // that it begins with
	reasons     []string               // why a person has to approve it; none: nobody has to
	thread      mailbox.ID             // of the message that it answers; zero: none
	edit        *reviewEdit            // of a message that is held; nil: it is a new one
	about       mailbox.ID             // the message that it answers or sends on; zero: none was named
	open        func() io.ReadCloser   // the message's bytes
	proto       string
	draft       mailbox.DraftRef // the stored draft that it was; zero: none
	key         string           // the caller's Idempotency-Key; empty: none
	body        [32]byte
	dryRun      bool
	ahead       *batch            // what is to be sent before it; nil: it is alone
	notTwice    bool              // it does not wait for another with its key
	skips       bool              // recipients on the suppression list are left out
	heard       []mailbox.Message // what came lately, newest first
	saying      string            // names its text, for the brakes; empty: they are off, or it has none

	message    mailbox.Message // its row
	stored     mailbox.Message // the same, with its number
	blob       mailbox.Message // names its blob, if it has one
	detail     mailbox.Detail
	content    content
	deliveries []mailbox.Delivery
	queued     bool     // some of it is for the queue
	taken      []bool   // recipients for whom there is a place at the outlet
	told       bool     // an event about the mailbox's limits came with it
	repeated   bool     // another node accepted the same request meanwhile
	unused     []string // blobs of the draft's attachments, which nobody needs when it is sent
	answer     Sending
}

// actor is who sends it, as the audit log has it.
func (o *outgoing) actor() string {
	if o.by.ID.IsZero() {
		return mailbox.TheOperator
	}
	return o.by.ID.String()
}

// Send accepts a message to be sent. It is durable when Send returns.
func (s *Service) Send(ctx context.Context, in Access, d mailbox.Draft) (sent Sending, err error) {
	ctx, span := s.opt.Tracer.Start(ctx, "send")
	defer func() { span.EndWith(err) }()
	by, err := s.author(ctx, in, d.From)
	if err != nil {
		return Sending{}, err
	}
	o, err := s.check(ctx, by, d)
	if err != nil {
		return Sending{}, err
	}
	return s.post(ctx, o)
}

// post sends a message, or repeats what was answered to the same request before. Requests with the same Idempotency-Key
// wait for one another.
func (s *Service) post(ctx context.Context, o *outgoing) (Sending, error) {
	if s.opt.Way == WayOff {
		return Sending{}, errNoSending
	}
	if o.key == "" {
		return s.accept(ctx, o)
	}
	if len(o.key) > 255 {
		return Sending{}, mailbox.Errorf(mailbox.Invalid, "invalid_idempotency_key", "Idempotency-Key has 1 to 255 "+
			"characters.")
	}
	unlock, err := s.lockKey(ctx, o)
	if err != nil {
		return Sending{}, err
	}
	defer unlock()
	var again Sending
	err = s.view(ctx, func(r store.Reader) (err error) {
		again, err = s.repeated(ctx, r, o)
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		return again, err
	}
	return s.accept(ctx, o)
}

// lockKey keeps other requests with the Idempotency-Key out.
func (s *Service) lockKey(ctx context.Context, o *outgoing) (unlock func(), err error) {
	name := fmt.Sprintf("%d %s", o.box.Num, o.key)
	if !o.notTwice {
		unlock, err = s.locks.lock(ctx, name)
		return unlock, fail(err)
	}
	unlock, ok := s.locks.tryLock(name)
	if !ok {
		return nil, mailbox.Errorf(mailbox.Conflict, "idempotency_in_progress", "A request with this "+
			"Idempotency-Key is in progress; try again when it has ended.")
	}
	return unlock, nil
}

// repeated finds what was answered to the same request. store.ErrNotFound: there was none.
func (s *Service) repeated(ctx context.Context, r store.Reader, o *outgoing) (Sending, error) {
	switch {
	case o.dryRun && o.ahead == nil:
		return Sending{}, store.ErrNotFound
	case !o.draft.ID.IsZero():
		return s.draftSent(ctx, r, o)
	case o.key == "":
		return Sending{}, store.ErrNotFound
	}
	old, err := r.Idempotent(ctx, o.box.Num, sha256.Sum256([]byte(o.key)))
	switch {
	case err != nil:
		return Sending{}, err
	case !s.now().Before(old.At.Add(keysKept)):
		return Sending{}, store.ErrNotFound
	case old.Body != o.body:
		return Sending{}, mailbox.Errorf(mailbox.Conflict, "idempotency_mismatch", "This Idempotency-Key was used "+
			"for another request; use a new one for each message.")
	}
	return withStatus(ctx, r, o.box.Num, Sending{ID: old.Message, MessageID: old.MessageID, Thread: old.Thread})
}

// withStatus completes the answer to a repeated request: a message that still waits is said to wait, one that is not
// sent or was deleted to be so, and any other was queued.
func withStatus(ctx context.Context, r store.Reader, num mailbox.Num, again Sending) (Sending, error) {
	again.Status = mailbox.Queued
	m, err := r.Message(ctx, num, again.ID)
	if errors.Is(err, store.ErrNotFound) {
		again.Status = mailbox.Deleted
		return again, nil
	}
	switch status := mailbox.DeliveryStatus(m.Status); status {
	case mailbox.Scheduled, mailbox.Canceled:
		again.Status = status
	case mailbox.Held, mailbox.Rejected, mailbox.Expired:
		var review mailbox.Review
		review, err = r.Review(ctx, num, again.ID)
		again.Status, again.Review = status, &review
	}
	return again, err
}

// accept stores a message with its deliveries and begins to deliver it.
func (s *Service) accept(ctx context.Context, o *outgoing) (Sending, error) {
	if err := s.room(0); err != nil {
		return Sending{}, err
	}
	// What is refused in the end is refused before anything is written; the transaction looks again.
	err := s.view(ctx, func(r store.Reader) error {
		in := toReview(threads{skips: o.skips})
		box, err := s.mayAddress(ctx, r, o.box.Num, o.by, o.recipients, in)
		if err == nil {
			err = s.settleHold(ctx, r, o, box, in)
		}
		if err != nil || o.dryRun && o.ahead == nil {
			return err
		}
		if o.status != mailbox.Held { // which counts when it is approved
			if err := s.mayCount(ctx, r, o); err != nil {
				return err
			}
		}
		return s.heardLately(ctx, r, o)
	})
	if err != nil {
		return Sending{}, err
	}
	if err := s.compose(ctx, o); err != nil {
		return Sending{}, err
	}
	s.deliverNow(ctx, o)
	return o.answer, nil
}

// settleDue has a message wait for as long as its mailbox gives people to cancel it.
func (s *Service) settleDue(o *outgoing) {
	now := s.now()
	if undo := now.Add(o.box.Control().Undo()); o.due.Before(undo) {
		o.due = undo
	}
}

// compose stores a message, or with a dry run only looks at it.
func (s *Service) compose(ctx context.Context, o *outgoing) error {
	began, message := time.Now(), o.open()
	in, err := s.intake(ctx, sentBy(o.box), message)
	_ = message.Close() // what was wrong with it the reading says
	if err != nil {
		return fail(err)
	}
	defer in.discard()
	s.describe(o, in)
	if o.dryRun {
		o.answer.Preview = s.preview(o, in)
		return s.mayPreview(ctx, o)
	}
	o.blob = o.message
	if o.edit != nil { // the blob of the message that it comes in the place of has its id
		o.blob.ID = mailbox.NewID(s.opt.Now())
	}
	if o.content, err = s.place(ctx, in, o.detail, &o.blob); err != nil {
		return err
	}
	o.message.Digest = o.blob.Digest
	o.taken = s.reserve(o)
	s.opt.Tracer.Keep(ctx, o.id)
	err = s.insert(ctx, o.content, 1, func(tx store.Tx) error { return s.enqueue(ctx, tx, o) })
	if err != nil || o.repeated {
		s.release(o)
		s.dropUnused(ctx, o.content, err, &o.blob)
		return s.braking(ctx, o, s.tripped(o, err))
	}
	if o.status == mailbox.Held {
		if o.edit == nil {
			s.reviewed.count(mailbox.ReviewHeld)
		}
		s.release(o) // nothing leaves now
		clear(o.taken)
		s.wake(wake.Hooks, 0)
		s.noticeSoon(ctx, *o.answer.Review)
	}
	s.traceQueued(ctx, o, began)
	s.dropBlobs(ctx, o.unused)
	s.index.Fresh(o.detail, in.bytes(), slices.Values([]*mailbox.Message{&o.stored}))
	s.index.Came(o.box.Num)
	s.wake(wake.Mail, o.box.Num)
	s.wake(wake.Index, 0)
	if o.told || o.box.Routed {
		s.wake(wake.Hooks, 0)
	}
	return nil
}

// describe fills in what is stored of a message.
func (s *Service) describe(o *outgoing, in *intake) {
	o.detail = rawmail.Detail(in.parsed)
	o.detail.Envelope = mailbox.Trace{From: o.from, Proto: o.proto, By: o.actor()}
	if o.edit != nil { // whoever sent it did
		o.detail.Envelope.By = o.edit.detail.Envelope.By
	}
	o.detail.Bcc, o.detail.Tags = addressesOf(o.bcc), o.tags
	row := in.list()
	shown := o.detail
	settle(&row, &shown)
	o.detail.Compared = shown.Compared
	row.Direction, row.Status, row.Seen, row.Labels = mailbox.Outbound, string(o.status), true, nil
	row.From.Address = o.from
	o.message = s.row(mailbox.Recipient{Address: o.recipients[0].Address.Address, Mailbox: o.box}, row)
	o.message.ID = o.id
	if s.braked(o.box) {
		o.saying = saying(o.detail)
	}
}

// enqueue is the transaction of a send: limits, message, thread, deliveries, and the key that repeats it. It may run
// again.
func (s *Service) enqueue(ctx context.Context, tx store.Tx, o *outgoing) error {
	o.repeated, o.deliveries, o.queued = false, nil, false
	if again, err := s.repeated(ctx, tx, o); !errors.Is(err, store.ErrNotFound) {
		o.answer, o.repeated = again, true
		return err
	}
	if o.edit != nil {
		if err := s.takeOut(ctx, tx, o); err != nil {
			return err
		}
	}
	m, answers := o.message, answered(o.detail)
	related, err := s.conversations(ctx, tx, o)
	if err != nil {
		return err
	}
	in := toReview(threads{known: true, ids: related, stays: o.edit != nil, skips: o.skips})
	box, err := s.mayAddress(ctx, tx, o.box.Num, o.by, o.recipients, in)
	if err == nil {
		err = s.settleHold(ctx, tx, o, box, in)
	}
	if err == nil {
		err = s.spendOrHold(ctx, tx, o)
	}
	if err != nil {
		return err
	}
	m.Status, m.Held = string(o.status), o.status == mailbox.Held
	if o.edit == nil { // which was counted before
		if err := s.spendLoop(ctx, tx, o, related); err != nil {
			return err
		}
		if err := s.spendPace(ctx, tx, o, related); err != nil {
			return err
		}
	}
	before, err := s.mayKeep(ctx, tx, box, o)
	if err != nil {
		return err
	}
	if err := tx.InsertMessage(ctx, &m, o.content.of(o.blob)); err != nil {
		return err
	}
	if err := s.thread(ctx, tx, &m, related, answers); err != nil {
		return err
	}
	o.stored = m
	o.answer = Sending{ID: m.ID, MessageID: m.MessageID, Thread: m.Thread, Status: o.status}
	if err := s.insertDeliveries(ctx, tx, o, m); err != nil {
		return err
	}
	if err := s.settleLeftOut(ctx, tx, o, &m); err != nil {
		return err
	}
	if m.Held {
		if err := s.insertReview(ctx, tx, o, m); err != nil {
			return err
		}
	}
	if o.edit != nil {
		if err := s.keepHistory(ctx, tx, o, m); err != nil {
			return err
		}
	}
	if err := s.hookSent(ctx, tx, box, &m, &o.detail); err != nil {
		return err
	}
	if o.told, err = s.tellMessage(ctx, tx, box, before, m.Size); err != nil {
		return err
	}
	if !o.draft.ID.IsZero() {
		return s.closeDraft(ctx, tx, o, m)
	}
	if o.key == "" {
		return nil
	}
	return tx.InsertIdempotent(ctx, mailbox.Idempotent{Mailbox: o.box.Num, Key: sha256.Sum256([]byte(o.key)),
		Body:    o.body,
		Message: m.ID, Thread: m.Thread, MessageID: m.MessageID, At: s.now()})
}

// conversations are those that a message belongs to.
func (s *Service) conversations(ctx context.Context, r store.Reader, o *outgoing) ([]mailbox.ID, error) {
	related, err := s.related(ctx, r, o.message, answered(o.detail))
	if err != nil || len(related) > 0 || o.thread.IsZero() {
		return related, err
	}
	thread, _, err := r.ThreadID(ctx, o.message.Mailbox, o.thread) // what it answers has no Message-ID
	if errors.Is(err, store.ErrNotFound) {                         // it was deleted meanwhile
		return nil, nil
	}
	return []mailbox.ID{thread}, err
}
