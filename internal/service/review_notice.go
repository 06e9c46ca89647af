package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// People are told by mail of messages that wait for their decision. A review says that nobody was told of it until a
// notice is stored, in the same transaction, as mail to be sent: so none is lost, and none is sent twice. A mailbox has
// one notice in a minute at most; the janitor comes for what had to wait. A notice names the messages of which nobody
// was told, the oldest first, and then others that wait. What it has no room for is in the next one.
//
// Notices hold links that decide. They are sent from a mailbox of the service's own, whose name nobody can ask for and
// which no key opens, so that no agent can read them.

const (
	noticeEvery = time.Minute
	noticeTally = "notice"
	noticeStep  = 100 // mailboxes that are asked for at once
	noticeMost  = 50  // messages that a notice names
)

// reviewers are the addresses that are told of a mailbox's messages which wait for a decision: its own, or those of the
// deployment. The mailbox itself is never among them.
func (s *Service) reviewers(box mailbox.Mailbox) []string {
	list := box.Control().Reviewers
	if len(list) == 0 {
		list = s.live().Reviewers
	}
	return slices.DeleteFunc(slices.Clone(list), func(a string) bool { return s.reaches(box, a) })
}

// reaches tells whether mail to an address comes to a mailbox.
func (s *Service) reaches(box mailbox.Mailbox, address string) bool {
	return slices.ContainsFunc(s.candidates(address), box.Owns)
}

// parseReviewers reads the addresses of reviewers, each once, in their one spelling.
func parseReviewers(texts []string) ([]string, error) {
	found, err := parseAddressees("reviewers", texts)
	if err != nil {
		return nil, err
	}
	list := []string{}
	for _, a := range once(found) {
		list = append(list, a.canonical)
	}
	if len(list) > mailbox.MaxReviewers {
		return nil, mailbox.InvalidField("reviewers", "A mailbox has at most %d reviewers.", mailbox.MaxReviewers)
	}
	return list, nil
}

// noticeSoon tells the reviewers of a message that was just held, without keeping its sender waiting.
func (s *Service) noticeSoon(ctx context.Context, r mailbox.Review) {
	if !r.Unnoticed {
		return
	}
	ctx = context.WithoutCancel(ctx)
	s.looks.Go(func() {
		if err := s.notify(ctx, r.Mailbox); err != nil {
			s.log.Warn("tell the reviewers of a held message", "message", r.Message, "error", err)
		}
	})
}

// SendNotices tells reviewers by mail of messages of which they have not been told.
func (s *Service) SendNotices(ctx context.Context) error {
	if s.opt.Way == WayOff {
		return nil
	}
	var failed error
	for after := mailbox.Num(0); ; {
		var boxes []mailbox.Num
		err := s.view(ctx, func(r store.Reader) (err error) {
			boxes, err = r.Unnoticed(ctx, after, noticeStep)
			return err
		})
		if err != nil || len(boxes) == 0 {
			return errors.Join(failed, err)
		}
		for _, num := range boxes { // each by itself, so that none waits for another
			if err := s.notify(ctx, num); err != nil {
				failed = err
			}
			after = num
		}
	}
}

// waiting is what a notice is about: the messages of a mailbox that wait for a decision.
type waiting struct {
	box    mailbox.Mailbox
	fresh  []mailbox.Review // of which nobody was told, the oldest first
	others []mailbox.Review // newest first; with the fresh ones at most noticeMost
	more   bool             // there are more fresh ones
	number int64            // how many wait
}

// upTo is the number of the newest of the fresh ones.
func (w waiting) upTo() int64 { return w.fresh[len(w.fresh)-1].Number }

// readWaiting finds what a notice of a mailbox is about.
func readWaiting(ctx context.Context, r store.Reader, num mailbox.Num) (w waiting, err error) {
	if w.box, err = r.Mailbox(ctx, num); err != nil {
		return w, err
	}
	if w.fresh, err = r.UnnoticedReviews(ctx, num, noticeMost+1); err != nil || len(w.fresh) == 0 {
		return w, err
	}
	if w.more = len(w.fresh) > noticeMost; w.more {
		w.fresh = w.fresh[:noticeMost]
	}
	if w.number, err = r.CountHeld(ctx, num); err != nil {
		return w, err
	}
	held, err := r.Reviews(ctx, store.ReviewFilter{Mailbox: num, Status: mailbox.ReviewHeld, Limit: noticeMost})
	for _, review := range held {
		if !review.Unnoticed && len(w.fresh)+len(w.others) < noticeMost {
			w.others = append(w.others, review)
		}
	}
	return w, err
}

// notify tells the reviewers of a mailbox what waits, unless they were told of something within this minute.
func (s *Service) notify(ctx context.Context, num mailbox.Num) error {
	var w waiting
	soon := false
	err := s.view(ctx, func(r store.Reader) (err error) {
		if soon, err = s.noticedNow(ctx, r, num); err != nil || soon {
			return err
		}
		w, err = readWaiting(ctx, r, num)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && len(w.fresh) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	notices, err := s.notices(ctx, w)
	defer func() {
		for _, n := range notices {
			n.in.discard()
		}
	}()
	if err != nil {
		return err
	}
	return s.sendNotices(ctx, w, notices)
}

// noticedNow tells whether the reviewers of a mailbox were told of something within this minute.
func (s *Service) noticedNow(ctx context.Context, r store.Reader, num mailbox.Num) (bool, error) {
	n, err := r.Tally(ctx, num, noticeTally, noticeSlot(s.now()))
	return n > 0, err
}

func noticeSlot(at time.Time) int64 { return at.UnixMilli() / noticeEvery.Milliseconds() }

// notice is a mail to one reviewer.
type notice struct {
	*outgoing
	in *intake
}

// notices writes to each reviewer.
func (s *Service) notices(ctx context.Context, w waiting) (list []notice, err error) {
	to := s.reviewers(w.box)
	if len(to) == 0 { // there is nobody any more
		return nil, nil
	}
	from, err := s.noticeBox(ctx)
	if err != nil {
		return nil, err
	}
	pages, err := s.noticePages(ctx, w)
	if err != nil || pages.count() == 0 {
		return nil, err
	}
	for _, reviewer := range to {
		if refused, err := s.refusesNotices(ctx, from, reviewer); err != nil || refused {
			if err != nil {
				return list, err
			}
			continue
		}
		n, err := s.newNotice(ctx, from, reviewer, s.noticeText(w, pages, reviewer))
		if n.in != nil {
			list = append(list, n)
		}
		if err != nil {
			return list, err
		}
	}
	return list, nil
}

// refusesNotices tells whether an address is known not to take our mail.
func (s *Service) refusesNotices(ctx context.Context, from mailbox.Mailbox, reviewer string) (refused bool, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		_, err := r.Suppression(ctx, from.Num, reviewer)
		refused = err == nil
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	if refused {
		s.log.Warn("a notice or report is not sent: the address refused one before",
			"address", reviewer, "suppressed_in", from.Address)
	}
	return refused, err
}

// newNotice composes a notice and takes it in, but for the transaction.
func (s *Service) newNotice(ctx context.Context, from mailbox.Mailbox, reviewer string, text noticeText) (notice,
	error) {
	to := newAddressee(mailbox.Address{Address: reviewer})
	n := notice{outgoing: &outgoing{box: from, id: mailbox.NewID(s.opt.Now()), from: from.Address,
		recipients: []addressee{to}, to: []addressee{to}, taken: []bool{false}, subject: text.subject, due: s.now(),
		status: mailbox.Queued, proto: "notice"}}
	m := compose.Mail{From: compose.Address{Name: "Mailkin", Address: from.Address}, To: composed(n.to),
		Subject: text.subject, Text: text.body, HasText: true, Date: s.now(),
		MessageID: s.newMessageID(n.id, n.from),
		Fields:    []compose.Field{{Name: "Auto-Submitted", Value: "auto-generated"}}}
	return s.takeNotice(ctx, n, m)
}

// takeNotice takes a composed notice in, but for the transaction.
func (s *Service) takeNotice(ctx context.Context, n notice, m compose.Mail) (notice, error) {
	if err := m.Check(); err != nil {
		return n, fmt.Errorf("compose a notice: %w", err)
	}
	n.open = func() io.ReadCloser { return m.Reader() }
	message := n.open()
	defer message.Close()
	var err error
	if n.in, err = s.intake(ctx, sentBy(n.box), message); err != nil {
		n.in = nil
		return n, fail(err)
	}
	s.describe(n.outgoing, n.in)
	n.content, err = s.place(ctx, n.in, n.detail, &n.message)
	return n, err
}

// sendNotices stores notices as mail to be sent, and with them that people were told.
func (s *Service) sendNotices(ctx context.Context, w waiting, list []notice) error {
	err := s.update(ctx, func(tx store.Tx) error {
		for _, n := range list {
			n.repeated = true
		}
		if soon, err := s.noticedNow(ctx, tx, w.box.Num); err != nil || soon { // somebody else was faster
			return err
		}
		if told, err := tx.MarkNoticed(ctx, w.box.Num, w.upTo()); err != nil || told == 0 {
			return err
		}
		slot := noticeSlot(s.now())
		until := time.UnixMilli((slot + 1) * noticeEvery.Milliseconds())
		if err := tx.Count(ctx, w.box.Num, noticeTally, slot, until); err != nil {
			return err
		}
		return s.insertNotices(ctx, tx, list)
	})
	s.queueNotices(ctx, list, err)
	return err
}

func (s *Service) insertNotices(ctx context.Context, tx store.Tx, list []notice) error {
	for _, n := range list {
		if err := s.insertNotice(ctx, tx, n.outgoing); err != nil {
			return err
		}
	}
	return nil
}

// queueNotices has notices sent that were stored, and drops the others. err is that of their transaction.
func (s *Service) queueNotices(ctx context.Context, list []notice, err error) {
	for _, n := range list {
		switch {
		case err != nil || n.repeated:
			s.dropUnused(ctx, n.content, err, &n.message)
		default:
			s.index.Came(n.box.Num)
			s.wake(wake.Mail, n.box.Num)
			s.wake(wake.Index, 0)
			s.deliverNow(ctx, n.outgoing)
		}
	}
}

// insertNotice stores one. It passes by policies, lists, limits and brakes: these are about what agents send.
func (s *Service) insertNotice(ctx context.Context, tx store.Tx, o *outgoing) error {
	o.repeated, o.deliveries, o.queued = false, nil, false
	m := o.message
	if err := tx.InsertMessage(ctx, &m, o.content.of(m)); err != nil {
		return err
	}
	if err := s.thread(ctx, tx, &m, nil, nil); err != nil {
		return err
	}
	return s.insertDeliveries(ctx, tx, o, m)
}

// noticesKeptDays is how long notices are kept. They say what somebody else's mail says, and are tried for two days.
const noticesKeptDays = 7

// noticeNames are those of the mailbox that notices are sent from, the first that is free for it. Nobody can ask for
// one of them.
var noticeNames = []string{"noreply", "no-reply", "mailkin"}

// sendsNotices tells whether a mailbox is one that notices or reports are sent from.
func (s *Service) sendsNotices(box mailbox.Mailbox) bool {
	local, domain := split(box.Address)
	return (slices.Contains(noticeNames, local) || isReportSender(local)) &&
		domain == s.opt.Domains[0] && box.Address != s.opt.Configured
}

// noticeBox is the mailbox that notices are sent from. It is made when it is needed first, without a key.
func (s *Service) noticeBox(ctx context.Context) (box mailbox.Mailbox, err error) {
	for _, name := range noticeNames {
		address := name + "@" + s.opt.Domains[0]
		if address == s.opt.Configured {
			continue
		}
		box, err = s.mailboxAt(ctx, address)
		if errors.Is(err, errNoMailbox) {
			box, err = s.makeBox(ctx, keptFor(noticesKeptDays, s.newBox(address)))
		}
		if err == nil && box.Address != address { // an alias of somebody's
			continue
		}
		break
	}
	if err == nil && box.Decided == nil { // it was made when notices were kept for good
		box, err = s.changeBox(ctx, Access{Box: box}, func(m mailbox.Mailbox) (mailbox.Mailbox, error) {
			return keptFor(noticesKeptDays, m), nil
		})
	}
	return box, err
}

// keptFor is a mailbox that keeps its mail for some days.
func keptFor(days float64, box mailbox.Mailbox) mailbox.Mailbox {
	box.Decided = &mailbox.Control{Limits: &mailbox.Caps{Retention: &mailbox.OwnRetention{Inbound: &days,
		Outbound: &days}}}
	return box
}

// makeBox makes a mailbox of the service's own.
func (s *Service) makeBox(ctx context.Context, box mailbox.Mailbox) (mailbox.Mailbox, error) {
	err := s.update(ctx, func(tx store.Tx) (err error) {
		box.Num, err = tx.InsertMailbox(ctx, box)
		return err
	})
	if errors.Is(err, store.ErrTaken) { // by another node
		return s.mailboxAt(ctx, box.Address)
	}
	s.wake(wake.Changed, box.Num)
	return box, err
}
