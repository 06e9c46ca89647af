package service

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/rfc822/report"
	"github.com/mailkin/mailkin/internal/screen"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/store"
)

// news is what a mail says about a message that we sent, from somebody who can know: it came from the null sender to
// the return path of that delivery, or it is a complaint that has that path in it, which nobody but the recipient's
// mail system is told (API 7). Our Message-ID is known to everybody whom the message was sent to, or quoted to: a
// complaint that has no more counts where authentication shows that it comes from the recipient, or from those who run
// the recipient's mail. All other reports are mail like any other.
type news struct {
	word      mailbox.Word
	delivery  mailbox.ID // zero: see message
	message   mailbox.ID // that the recipient got
	recipient string     // whom the report names
	reporter  string     // whose report it is, authenticated; of a message
	report    report.Report
}

// maxComplaint is how many bytes of a complaint are searched for a return path.
const maxComplaint = 256 << 10

// news reads a mail that is on its way in; nil: it is no news.
func (s *Service) news(ctx context.Context, env mailbox.Envelope, in *intake, c content, copies []*mailCopy,
	checked sender.Result) *news {
	returned := slices.IndexFunc(env.Recipients, func(r mailbox.Recipient) bool { return !r.Return.IsZero() })
	complaint := slices.ContainsFunc(in.parsed.Parts, isFeedback)
	if (returned < 0 || env.From != "") && !complaint {
		return nil
	}
	raw, done, err := s.placed(ctx, in, c, copies)
	if err != nil {
		s.log.Warn("open a report", "error", err)
		return nil
	}
	defer done()
	r := report.Read(in.parsed, raw)
	switch {
	case r.Class == report.Complaint:
		return s.complaint(env, r, raw, reporter(env, in, checked))
	case returned >= 0 && env.From == "":
		return deliveryNews(env.Recipients[returned].Return, r)
	}
	return nil
}

// deliveryNews is what a report says about the one delivery whose return path it came to, whomever else it names.
func deliveryNews(id mailbox.ID, r report.Report) *news {
	n := &news{delivery: id, report: r}
	switch r.Class {
	case report.Bounce:
		n.word.Status, n.word.Bounce = mailbox.Bounced, "soft"
		n.word.Reason = "The recipient's mail system reported that it could not be delivered."
	case report.Delayed:
		n.word.Status = mailbox.Delayed
	case report.Delivered:
		n.word.Status = mailbox.Delivered
	default:
		return nil
	}
	return n
}

// about is what news say about a recipient, and whether it is a hard bounce: by what the report says about that
// address, or about the first where it names only others.
func (n *news) about(recipient string) (w mailbox.Word, hard bool) {
	w = n.word
	list := n.report.Recipients
	if len(list) == 0 {
		return w, false
	}
	i := slices.IndexFunc(list, func(r report.Recipient) bool { return canonical(r.Address) == canonical(recipient) })
	said := list[max(i, 0)]
	if w.Reason == "" || said.Text != "" {
		w.Reason = said.Text
	}
	hard = w.Status == mailbox.Bounced && said.Hard
	if hard {
		w.Bounce = "hard"
	}
	return w, hard
}

// reporter is the author of a report whose domain stands for it; empty: nobody knows whose it is.
func reporter(env mailbox.Envelope, in *intake, r sender.Result) string {
	if authorFault(env, in, r) != sender.OneAuthor || !r.Checked || !screen.Passed(screen.Auth(auth(r))) {
		return ""
	}
	return canonical(in.judged(env))
}

// complaintRoles are the addresses from which mail systems send complaints (RFC 2142 2, and those of feedback loops),
// which they give to none of their users.
var complaintRoles = []string{"abuse", "postmaster", "fbl", "feedback", "feedbackloop", "feedback-loop"}

// speaksFor tells whether a complaint of a reporter is one of a recipient: it is the recipient, or the operator of the
// recipient's mail. At a large provider the domain alone is that of anybody. We run the mail of our own mailboxes, and
// send no complaints.
func (s *Service) speaksFor(reporter, recipient string) bool {
	recipient = canonical(recipient)
	if reporter == "" || reporter == recipient {
		return reporter != ""
	}
	local, domain := split(reporter)
	_, home := split(recipient)
	return slices.Contains(complaintRoles, local) && screen.SameOrganization(domain, home) && !s.serves(home)
}

// complaint finds what a complaint is about.
func (s *Service) complaint(env mailbox.Envelope, r report.Report, raw io.ReaderAt, by string) *news {
	n := &news{word: mailbox.Word{Status: mailbox.Complained, Reason: r.Feedback}, reporter: by}
	if len(r.Recipients) > 0 {
		n.recipient = r.Recipients[0].Address
	}
	if i := slices.IndexFunc(env.Recipients, func(r mailbox.Recipient) bool { return !r.Return.IsZero() }); i >= 0 {
		n.delivery = env.Recipients[i].Return
		return n
	}
	text, err := io.ReadAll(io.NewSectionReader(raw, 0, maxComplaint))
	if err != nil {
		return nil
	}
	var ok bool
	if n.delivery, ok = s.returnIn(text); ok {
		return n
	}
	n.delivery = mailbox.ID{}
	if n.message, ok = s.ownMessage(r.MessageID); ok && by != "" {
		return n
	}
	return nil
}

// hearNews applies news in a transaction of its own: what they are about may be another mailbox's than the one that
// they came to. Once more they say nothing new.
func (s *Service) hearNews(ctx context.Context, n *news) error {
	if n == nil {
		return nil
	}
	var told mailbox.Num
	err := s.update(ctx, func(tx store.Tx) (err error) {
		told, err = s.hear(ctx, tx, n)
		return err
	})
	if err == nil {
		s.wakeChanged(told)
	}
	return err
}

// hear applies news to the delivery that they are about, and returns the mailbox that is to be told; 0: none.
func (s *Service) hear(ctx context.Context, tx store.Tx, n *news) (mailbox.Num, error) {
	d, err := s.concerned(ctx, tx, n)
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil // deleted since
	}
	if err != nil {
		return 0, err
	}
	word, hard := n.about(d.Recipient)
	return s.learn(ctx, tx, d, word, hard)
}

// concerned finds the delivery that news are about.
func (s *Service) concerned(ctx context.Context, r store.Reader, n *news) (mailbox.Delivery, error) {
	if !n.delivery.IsZero() {
		return named(ctx, r, n.delivery)
	}
	m, err := r.Message(ctx, 0, n.message)
	if err != nil {
		return mailbox.Delivery{}, err
	}
	list, err := r.Deliveries(ctx, m)
	if err != nil {
		return mailbox.Delivery{}, err
	}
	for _, d := range list {
		meant := len(list) == 1 || canonical(d.Recipient) == canonical(n.recipient)
		if meant && s.speaksFor(n.reporter, d.Recipient) {
			return d, nil
		}
	}
	return mailbox.Delivery{}, store.ErrNotFound
}

// learn applies a word on a delivery: its state, its event, and the suppression list.
func (s *Service) learn(ctx context.Context, tx store.Tx, d mailbox.Delivery, w mailbox.Word, hard bool) (mailbox.Num,
	error) {
	if w.Status == mailbox.Complained && !d.Left() {
		return 0, nil // nobody can complain about what they have not got
	}
	next, event := d.Learn(w, s.now())
	if next == d {
		return 0, nil
	}
	if err := s.settleNext(ctx, tx, d, next, event); err != nil {
		return 0, err
	}
	s.traceDelivery(ctx, next, "report", "")
	if w.Status == mailbox.Bounced {
		if err := s.noteBounce(ctx, tx, d.Mailbox); err != nil {
			return 0, err
		}
	}
	var err error
	if w.Status == mailbox.Delivered {
		err = s.recordDelivery(ctx, tx, next, mailbox.HistoryEntry{Kind: mailbox.HistoryDelivered,
			HistoryFacts: mailbox.HistoryFacts{Status: string(next.Status)}})
	}
	switch {
	case w.Status == mailbox.Complained:
		err = s.suppress(ctx, tx, next, "complaint", w.Reason)
	case w.Status == mailbox.Bounced && hard:
		err = s.suppress(ctx, tx, next, "bounce", w.Reason)
	}
	return d.Mailbox, err
}

// ProviderWord is what a provider says about a message that it took.
type ProviderWord struct {
	Provider string // its id of the message, which is for one recipient
	Word     mailbox.Word
	Hard     bool
}

// HearProvider applies what a provider says.
func (s *Service) HearProvider(ctx context.Context, p ProviderWord) error {
	var told []mailbox.Num
	err := s.update(ctx, func(tx store.Tx) error {
		told = nil
		list, err := tx.DeliveryByProvider(ctx, p.Provider)
		if err != nil {
			return err
		}
		if len(list) == 0 { // it may be noted any moment that the provider took it: it is to say so again
			return mailbox.Errorf(mailbox.NotFound, "not_found", "No message of this service has that id")
		}
		for _, d := range list {
			num, err := s.learn(ctx, tx, d, p.Word, p.Hard)
			if err != nil {
				return err
			}
			told = append(told, num)
		}
		return nil
	})
	if err == nil {
		s.wakeChanged(told...)
	}
	return err
}

func isFeedback(p rfc822.Part) bool { return p.ContentType == "message/feedback-report" }

// HearLater applies a word on a delivery that was finished before.
func (s *Service) HearLater(ctx context.Context, d mailbox.Delivery, w mailbox.Word) error {
	return s.hearNews(ctx, &news{word: w, delivery: d.ID()})
}
