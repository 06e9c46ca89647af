package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// threads are the conversations that a message belongs to. Before a message was read they are not known.
type threads struct {
	known bool
	ids   []mailbox.ID
	// reviewed is whether somebody outside of the list send/allow of the mailbox, and of the deployment, is let pass,
	// where the mailbox's policy is that a person decides about those.
	reviewed [2]bool
	skips    bool // recipients on the suppression list are left out
	stays    bool // nothing leaves now, so that it does not matter whether the brakes hold the mailbox
}

// toReview is for what is about to be sent: a person decides afterwards, where one has to.
func toReview(in threads) threads {
	in.reviewed = [2]bool{true, true}
	return in
}

// mayList checks that the lists of a mailbox and of the deployment let it write to an address. Each must: an entry of
// the mailbox never loosens what the deployment says. Where no list has entries it asks the store nothing. As long as
// the conversation is not known, a message to somebody who may be answered is let pass; it is looked at again.
func (s *Service) mayList(ctx context.Context, r store.Reader, box mailbox.Mailbox, rcpt addressee, in threads) error {
	deployment := s.deploymentLists()
	if len(box.Control().Lists)+len(deployment) == 0 {
		return nil
	}
	levels, err := s.levels(ctx, r, box, deployment, rcpt.canonical)
	if err != nil {
		return err
	}
	for i, level := range levels {
		first, answer := level.RefusesSend(false), level.RefusesSend(true)
		refusedBy := first
		if first != answer { // it matters whether it is an answer
			if !in.known {
				continue
			}
			wrote, vouched, err := wroteBefore(ctx, r, box.Num, in.ids, rcpt.canonical)
			if err != nil {
				return err
			}
			if vouched || wrote && first == "" { // a forged author lets nobody be answered who otherwise may not
				refusedBy = answer
			}
		}
		if refusedBy == mailbox.SendAllow && in.reviewed[i] && box.Control().SendPolicy == mailbox.ReviewOutside {
			continue
		}
		if refusedBy != "" {
			return listDenial(refusedBy, i == 1, rcpt.Address.Address)
		}
	}
	return nil
}

// levels are what the lists of the mailbox and those of the deployment say about an address, which is canonical. Blocks
// of an address are also of its tagged forms, of those that differ in the case of other letters than ASCII's, and where
// it is one of a mailbox of ours, of the other addresses of that mailbox.
func (s *Service) levels(ctx context.Context, r store.Reader, box mailbox.Mailbox, deployment []mailbox.List,
	address string) (levels [2]mailbox.Level, err error) {
	levels[0].InUse, levels[1].InUse = box.Control().Lists, deployment
	names := mailbox.Patterns(address)
	plain := untag(address)
	for _, also := range []string{plain, strings.ToLower(address), strings.ToLower(plain)} {
		names = append(names, mailbox.Pattern(also))
	}
	if s.serves(domainOf(address)) {
		other, err := firstAt(ctx, r, []string{address, plain})
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return levels, err
		}
		for _, also := range append([]string{other.Address}, other.Aliases...) {
			names = append(names, mailbox.Pattern(also))
		}
	}
	slices.Sort(names)
	found, err := r.Listed(ctx, box.Num, slices.Compact(names))
	for _, e := range found {
		if !e.Active(s.now()) || e.List.Allows() && !e.Pattern.Matches(address) {
			continue
		}
		at := &levels[0]
		if e.Mailbox == 0 {
			at = &levels[1]
		}
		at.Found = append(at.Found, e)
	}
	return levels, err
}

// answerSample is how many of the newest messages of a conversation are looked at for somebody who wrote.
const answerSample = 200

// wroteBefore tells whether mail in one of these conversations names somebody as its author, and whether authentication
// vouches for that. Where senders are not checked, it is taken on trust.
func wroteBefore(ctx context.Context, r store.Reader, num mailbox.Num, ids []mailbox.ID, address string) (wrote,
	vouched bool, err error) {
	for _, id := range ids {
		list, err := r.Messages(ctx, num, store.MessageFilter{Thread: id, Direction: mailbox.Inbound,
			Limit: answerSample})
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return wrote, false, err
		}
		for _, m := range list {
			if canonical(m.From.Address) != address {
				continue
			}
			wrote = true
			if authentic(m.Verdict.Auth) {
				return true, true, nil
			}
		}
	}
	return wrote, false, nil
}

// listDenial says which list keeps a mailbox from writing to an address.
func listDenial(l mailbox.List, deployment bool, address string) error {
	return &mailbox.Error{Kind: mailbox.Denied, Code: "recipient_denied", Field: "to",
		Message: listReason(l, deployment, address) + "; only the people in control of the mailbox can change that."}
}

// listReason says what a list has to do with an address.
func listReason(l mailbox.List, deployment bool, address string) string {
	whose, is := "this mailbox", "is"
	if deployment {
		whose = "this service"
	}
	if l.Allows() {
		is = "is not"
	}
	return fmt.Sprintf("%s %s on the list %s of %s", address, is, l, whose)
}

// unlisted ends a delivery to an address that the lists have come to refuse since it was accepted.
func (s *Service) unlisted(ctx context.Context, tx store.Tx, d mailbox.Delivery, box mailbox.Mailbox) (bool, error) {
	if len(box.Control().Lists)+len(s.deploymentLists()) == 0 {
		return false, nil
	}
	m, err := tx.Message(ctx, d.Mailbox, d.Message)
	if err != nil {
		return false, err
	}
	rcpt := addressee{Address: mailbox.Address{Address: d.Recipient}, canonical: canonical(d.Recipient)}
	// Somebody outside of an allow list may have been approved; unapproved asks whether that is so.
	err = s.mayList(ctx, tx, box, rcpt, toReview(threads{known: true, ids: []mailbox.ID{m.Thread}}))
	var refused *mailbox.Error
	if !errors.As(err, &refused) {
		return false, err
	}
	next, event := d.Learn(mailbox.Word{Status: mailbox.Failed, Bounce: "soft",
		Reason: "A list of whom the mailbox may write to was changed before this could be sent: " + refused.Message},
		s.now())
	next.Text = refused.Message
	s.traceDelivery(ctx, next, "list", "")
	return true, s.settle(ctx, tx, next, event)
}

var errSenderDenied = mailbox.Errorf(mailbox.Denied, "sender_denied",
	"This mailbox does not take mail from this sender.")

// maxAuthors is how many authors of a mail the lists are asked about.
const maxAuthors = 20

// mayWrite finds the list, of a mailbox or of the deployment, because of which mail of these authors is not let in;
// zero: none. A block of any of them counts, and none of more than can be looked at is let past one. The first is the
// one that the mail is shown with, and that must be allowed. Where only the DNS keeps the author from being known, the
// mail is put off.
func (s *Service) mayWrite(ctx context.Context, r store.Reader, box mailbox.Mailbox, authors []string,
	auth mailbox.Auth) (mailbox.Refusal, error) {
	deployment := s.deploymentLists()
	if len(box.Control().Lists)+len(deployment) == 0 {
		return mailbox.Refusal{}, nil
	}
	for i, inUse := range [][]mailbox.List{box.Control().Lists, deployment} {
		if len(authors) > maxAuthors && slices.Contains(inUse, mailbox.ReceiveBlock) {
			return mailbox.Refusal{List: mailbox.ReceiveBlock, Deployment: i == 1}, nil
		}
	}
	for n := len(authors) - 1; n > 0; n-- {
		levels, err := s.levels(ctx, r, box, deployment, authors[n])
		if err != nil {
			return mailbox.Refusal{}, err
		}
		for i, level := range levels {
			if level.RefusesMail(true) == mailbox.ReceiveBlock {
				return mailbox.Refusal{List: mailbox.ReceiveBlock, Deployment: i == 1}, nil
			}
		}
	}
	return s.mayAuthor(ctx, r, box, authors[0], auth)
}

// mayAuthor is mayWrite for the author that a mail is shown with.
func (s *Service) mayAuthor(ctx context.Context, r store.Reader, box mailbox.Mailbox, author string,
	auth mailbox.Auth) (mailbox.Refusal, error) {
	levels, err := s.levels(ctx, r, box, s.deploymentLists(), author)
	if err != nil {
		return mailbox.Refusal{}, err
	}
	passed := auth.FromAligned && (auth.SPF == "pass" || auth.DKIM == "pass")
	later := auth.SPF == "temperror" || auth.DKIM == "temperror"
	for i, level := range levels {
		by := level.RefusesMail(passed)
		if by == "" {
			continue
		}
		if later && level.RefusesMail(true) == "" {
			return mailbox.Refusal{}, mailbox.Errorf(mailbox.Limited, "sender_unchecked",
				"The sender could not be checked now; try again later.")
		}
		return mailbox.Refusal{List: by, Deployment: i == 1}, nil
	}
	return mailbox.Refusal{}, nil
}
