package service

import (
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Recipient finds the mailbox that mail for an address goes to, if it is taken now, or says why not.
func (s *Service) Recipient(ctx context.Context, address string) (mailbox.Recipient, error) {
	if s.catchesAll() {
		return s.anyRecipient(ctx, address)
	}
	now := s.now()
	if box, ok := s.boxes.find(address, now); ok && !s.full.has(box.Num) {
		return mailbox.Recipient{Address: address, Mailbox: box, Alone: s.choosy(box)}, nil
	}
	if id, ok := s.returned(address); ok {
		return s.returnRecipient(ctx, address, id)
	}
	if _, domain := split(address); domain != "" && !s.serves(domain) {
		if err := s.newlyServed(ctx, domain); err != nil {
			return mailbox.Recipient{}, err
		}
	}
	var box mailbox.Mailbox
	lent := false // the address is no mailbox's own
	err := s.view(ctx, func(r store.Reader) (err error) {
		box, err = firstAt(ctx, r, s.candidates(address))
		if errors.Is(err, store.ErrNotFound) {
			box, err = s.reportBox(ctx, r, address)
			lent = err == nil
		}
		if err == nil && !lent && s.displaced(box, address) {
			err = store.ErrNotFound
		}
		if err = s.takes(box, err); err != nil {
			return err
		}
		// A sender who is put off here sends to the others; one who is put off after the message sends it to all again.
		if err = s.mayCome(ctx, r, box); err != nil {
			return err
		}
		if box.Scope == mailbox.Permanent && !s.full.has(box.Num) {
			return nil
		}
		_, err = s.mayHold(ctx, r, box, 0)
		s.full.note(box.Num, err)
		return err
	})
	// A temporary one expires, and one that takes so many an hour is asked each time.
	if err == nil && !lent && box.Scope == mailbox.Permanent && s.allowance(box).InboundPerHour == 0 {
		s.boxes.remember(address, box, now)
	}
	return mailbox.Recipient{Address: address, Mailbox: box, Alone: s.choosy(box)}, err
}

// choosy tells whether a mailbox refuses authors whom others take.
func (s *Service) choosy(box mailbox.Mailbox) bool {
	lists := box.Control().Lists
	return (slices.Contains(lists, mailbox.ReceiveAllow) || slices.Contains(lists, mailbox.ReceiveBlock)) &&
		s.receiveAction(box) == mailbox.RefuseMail
}

// returnRecipient finds the mailbox that the return path of a delivery leads to: that of the message.
func (s *Service) returnRecipient(ctx context.Context, address string, delivery mailbox.ID) (mailbox.Recipient, error) {
	to := mailbox.Recipient{Address: address, Return: delivery}
	err := s.view(ctx, func(r store.Reader) error {
		message, _ := delivery.Whole()
		m, err := r.Message(ctx, 0, message)
		if err == nil {
			to.Mailbox, err = r.Mailbox(ctx, m.Mailbox)
		}
		return s.takes(to.Mailbox, err)
	})
	return to, err
}

// takes decides whether a mailbox takes mail, from what looking for it gave.
func (s *Service) takes(box mailbox.Mailbox, err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && box.Expired(s.now()):
		return errNoRecipient
	case err == nil && box.Status == mailbox.Halted:
		return mailbox.Errorf(mailbox.Paused, "paused", "This mailbox is paused; try again later.")
	}
	return err
}

var errNoRecipient = mailbox.Errorf(mailbox.NoSuchRecipient, "no_such_recipient", "No such mailbox here.")

// candidates are the addresses under which a recipient may be known: as written, without its tag, and for the roles
// that every mail domain must have (RFC 5321 4.5.1, RFC 2142), the configured mailbox.
func (s *Service) candidates(address string) []string {
	full := canonical(address)
	list := []string{full}
	plain := untag(full)
	if plain != full {
		list = append(list, plain)
	}
	local, domain := split(plain)
	if mailbox.RoleLocal(local) && s.ours(domain) || local == "postmaster" && domain == "" {
		list = append(list, s.opt.Configured)
	}
	return list
}

// Receive takes a message for its recipients. It reads message to its end and returns when every copy is durable:
// message, thread, labels and event. Each recipient has a receipt; an error means that nothing is known to be stored
// for anyone.
func (s *Service) Receive(ctx context.Context, env mailbox.Envelope, message io.Reader) ([]mailbox.Receipt, error) {
	ctx, span := s.opt.Tracer.Start(ctx, "receive")
	receipts, err := s.receive(ctx, env, message)
	span.Number("mailkin.recipients", int64(len(env.Recipients)))
	span.EndWith(err)
	return receipts[:min(len(receipts), len(env.Recipients))], err
}

// receive is Receive with one more receipt, the last, where a copy of all mail is kept.
func (s *Service) receive(ctx context.Context, env mailbox.Envelope, message io.Reader) ([]mailbox.Receipt, error) {
	began := time.Now()
	if err := s.room(env.Size); err != nil {
		return nil, err
	}
	in, err := s.intake(ctx, comingFrom(env), message)
	if err != nil {
		return nil, fail(err)
	}
	defer in.discard()
	if s.catchesAll() {
		return s.capture(ctx, env, in, began)
	}
	return s.deliver(ctx, env, in, began)
}

// deliver stores a parsed message for its recipients.
func (s *Service) deliver(ctx context.Context, env mailbox.Envelope, in *intake, began time.Time) ([]mailbox.Receipt,
	error) {
	d := rawmail.Detail(in.parsed)
	d.Envelope = env.Trace
	row := in.list()
	asCame := d
	settle(&row, &d)
	asCame.Compared = d.Compared
	if env.Proto != protoInside { // else it was looked at when it was sent
		from, _ := in.author(env)
		row.From = clipped(from)
	}
	signs := mark(&row, d)
	copies := make([]*mailCopy, len(env.Recipients))
	for i, rcpt := range env.Recipients {
		copies[i] = s.address(rcpt, row)
	}
	if s.catchesAll() {
		sameIDs(copies)
		tagView(copies, &d)
	}
	content, err := s.place(ctx, in, asCame, rows(copies)...)
	if err != nil {
		return nil, err
	}
	scanned := s.scan(ctx, env, in, content, copies)
	checked := s.authenticate(ctx, env, in, content, copies)
	scan, failed := scanned()
	fault := authorFault(env, in, checked)
	err = s.refused(env, in, checked, fault)
	s.observeDMARC(env, in, checked, err)
	if err == nil {
		err = s.refusedByScan(env, scan, failed)
	}
	if err != nil {
		s.dropUnused(ctx, content, err, unused(copies, err)...)
		return nil, err
	}
	with := attributes{content: content, answers: answered(d), authors: in.authors(row.From.Address),
		judgement: newJudgement(row, d, signs, checked, fault).from(env).with(scan),
		inside:    env.Proto == protoInside, detail: &d}
	news := s.news(ctx, env, in, content, copies, checked)
	for i, c := range copies {
		c.report = news != nil && !news.delivery.IsZero() && news.delivery == env.Recipients[i].Return
	}
	reports := s.reportsIn(ctx, env, in, content, copies, checked)
	for _, c := range copies {
		s.opt.Tracer.Keep(ctx, c.message.ID)
	}
	if err = s.hearNews(ctx, news); err == nil {
		err = s.keepCopies(ctx, copies, with, reports)
	}
	if err == nil {
		s.handOver(in, d, copies)
		s.wakeWaiting(copies)
		s.index.Fresh(d, in.bytes(), newOnes(copies))
		s.catalogued.fresh(newOnes(copies), &d, time.Now())
		s.wakeWorkers(copies)
		s.countQuarantined(copies)
		if s.catchesAll() {
			s.noteExcess(copies)
		}
		s.traceReceived(ctx, env, copies, began)
		for _, c := range copies {
			if c.receipt.Err != nil {
				s.full.note(c.box.Num, c.receipt.Err)
			}
		}
	}
	s.dropUnused(ctx, content, err, unused(copies, err)...)
	if err != nil {
		return nil, err
	}
	receipts := make([]mailbox.Receipt, len(copies))
	for i, c := range copies {
		receipts[i] = c.receipt
	}
	return receipts, nil
}

// wakeWaiting wakes those who wait for the mailboxes that have new mail, and lets them go first: another thread would
// take longer to wake than they need for their answer.
func (s *Service) wakeWaiting(copies []*mailCopy) {
	waited := false
	for _, c := range copies {
		if c.isNew() {
			waited = waited || s.hub.Listened(c.box.Num)
			s.wake(wake.Mail, c.box.Num)
		}
	}
	if waited {
		runtime.Gosched()
	}
}

// wakeWorkers wakes what has work with new mail.
func (s *Service) wakeWorkers(copies []*mailCopy) {
	s.wake(wake.Index, 0)
	for _, c := range copies {
		if c.isNew() {
			s.index.Came(c.box.Num)
			if c.hooked {
				s.wake(wake.Hooks, 0)
			}
		}
	}
}

// attributes are what all copies of a message have.
type attributes struct {
	content   content
	answers   []string // Message-IDs that it answers
	authors   []string // all that it names, canonical; the first is the one that it is shown with
	judgement judgement
	inside    bool            // it was sent from here
	detail    *mailbox.Detail // nil: it is not at hand
}

// mailCopy is one recipient's copy of a message on its way into the store.
type mailCopy struct {
	message mailbox.Message
	box     mailbox.Mailbox
	receipt mailbox.Receipt
	before  mailbox.Use     // what its mailbox held without it
	stored  mailbox.Message // as it was
	hooked  bool            // its mailbox has webhooks
	report  bool            // it came to the return path of a delivery, and says what became of that
}

// isNew tells whether it was stored in the mailbox now, and not refused, in quarantine or there already.
func (c *mailCopy) isNew() bool { return c.stays() && !c.receipt.Quarantined }

// stays tells whether it was stored now, be it in quarantine.
func (c *mailCopy) stays() bool { return c.receipt.Err == nil && !c.receipt.Duplicate }

// newOnes returns those that were stored now.
func newOnes(copies []*mailCopy) iter.Seq[*mailbox.Message] {
	return func(yield func(*mailbox.Message) bool) {
		for _, c := range copies {
			if c.isNew() && !yield(&c.stored) {
				return
			}
		}
	}
}

// rows returns the rows of copies.
func rows(copies []*mailCopy) (list []*mailbox.Message) {
	for _, c := range copies {
		list = append(list, &c.message)
	}
	return list
}

// unused returns the rows of copies that were not stored: all of them if storing failed. A copy of which that is not
// known may be stored, so it is not among them.
func unused(copies []*mailCopy, failed error) (list []*mailbox.Message) {
	for _, c := range copies {
		if failed != nil || !c.stays() && !errors.Is(c.receipt.Err, store.ErrUnavailable) {
			list = append(list, &c.message)
		}
	}
	return list
}

// address makes one recipient's copy.
func (s *Service) address(to mailbox.Recipient, m mailbox.Message) *mailCopy {
	return &mailCopy{message: s.row(to, m), box: to.Mailbox,
		receipt: mailbox.Receipt{Recipient: to.Address, Mailbox: to.Mailbox.Address}}
}

// row is the list row of one recipient's copy.
func (s *Service) row(to mailbox.Recipient, m mailbox.Message) mailbox.Message {
	m.Recipient = to.Address
	if m.To == "" {
		m.To = to.Address
	}
	m.ReceivedAt, m.ID, m.Mailbox = s.now(), mailbox.NewID(s.opt.Now()), to.Mailbox.Num
	return m
}

// Ingest takes a message for one mailbox from a program that already has it, such as another mail server's pipe.
func (s *Service) Ingest(ctx context.Context, in Access, message io.Reader) (mailbox.Receipt, error) {
	address := in.Mailbox
	if address == "" {
		address = in.Box.Address
	}
	to, err := s.Recipient(ctx, address)
	if err != nil {
		return mailbox.Receipt{}, err
	}
	env := mailbox.Envelope{Trace: mailbox.Trace{Proto: "HTTP"}, Recipients: []mailbox.Recipient{to}}
	receipts, err := s.Receive(ctx, env, message)
	if err == nil {
		err = receipts[0].Err
	}
	if err != nil {
		s.traceRefused(ctx, env, err)
		return mailbox.Receipt{}, err
	}
	return receipts[0], nil
}

// snippet is the beginning of a text as a list shows it.
func snippet(text string) string {
	const most = 160
	var room [(most + 2) * utf8.UTFMax]byte
	out := room[:0]
	runes, space, cut := 0, false, 0
	for _, r := range text {
		if (r <= ' ' || r >= utf8.RuneSelf) && unicode.IsSpace(r) {
			space = runes > 0
			continue
		}
		if space {
			out = append(out, ' ')
			runes, space = runes+1, false
		}
		if runes++; runes > most {
			return string(append(out[:cut], "…"...))
		}
		out = utf8.AppendRune(out, r)
		if runes < most {
			cut = len(out)
		}
	}
	return string(out)
}
