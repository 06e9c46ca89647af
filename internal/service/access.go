package service

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Act is what a caller wants to do.
type Act struct {
	Need    mailbox.Capability
	Peek    bool       // of what is read the caller is shown no more than size and type
	Verb    string     // for the audit log: the route, "PATCH /v1/mailbox"
	Mailbox string     // the one that the caller names, or empty
	Client  netip.Addr // where the caller comes from; invalid: not known
	Request string     // for the audit log: the id that the answer carries, too
}

// Access is leave to act on a mailbox. Enter returns it.
type Access struct {
	Act
	Caller mailbox.Caller
	Box    mailbox.Mailbox // the mailbox acted on
}

// named tells whether the caller said which mailbox is meant.
func (in *Access) named() bool { return in.Mailbox != "" }

// anywhere tells whether ids are looked up in every mailbox: an operator who named none (API 1).
func (in *Access) anywhere() bool { return in.Caller.Everywhere(in.Need) && !in.named() }

// within is the mailbox in which ids are looked up: 0 for all of them.
func (in *Access) within() mailbox.Num {
	if in.anywhere() {
		return 0
	}
	return in.Box.Num
}

// readsFiles tells whether the caller may see what is inside of attachments. Downloads and raw messages are routes that
// need the capability; every other way to the same bytes asks this: the texts of attachments, searches and what they
// highlight, calendars that data is extracted from, reports of mail systems.
func (in *Access) readsFiles() bool { return in.Caller.May(mailbox.ReadAttachment) }

// hideFiles takes out of a message what was read from attachments that the caller may not see.
func (in *Access) hideFiles(d *mailbox.Detail) {
	if !in.readsFiles() {
		d.Report, d.Texts, d.TextScreenings = nil, nil, nil
	}
}

// shownURL is as much of a webhook's URL as the caller may see. It may hold a password: who does not manage the mailbox
// sees none of it, and an operator where it leads.
func (in *Access) shownURL(target string) string {
	switch {
	case in.Caller.May(mailbox.ManageMailbox):
		return target
	case in.Caller.Scope == mailbox.Operator:
		return mailbox.HostOf(target)
	}
	return ""
}

func (in *Access) actor() mailbox.PausedBy {
	if in.Caller.Scope == mailbox.Operator {
		return mailbox.ByOperator
	}
	return mailbox.ByOwner
}

var (
	errUnauthorized = mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "Unauthorized")
	errForbidden    = mailbox.Errorf(mailbox.Forbidden, "forbidden", "Key not authorized for this mailbox")
	errPaused       = mailbox.Errorf(mailbox.Paused, "paused", "Mailbox is paused")
)

// Authenticate finds whose credential this is.
func (s *Service) Authenticate(ctx context.Context, token mailbox.Secret) (mailbox.Caller, error) {
	if s.isOperator(token) {
		box, err := s.configured(ctx)
		return mailbox.Caller{Scope: mailbox.Operator, Mailbox: box}, err
	}
	if !token.WellFormed() {
		return mailbox.Caller{}, errUnauthorized
	}
	var whose store.Bearer
	err := s.ask(ctx, func(r store.Reader) (err error) {
		whose, err = r.Bearer(ctx, token.Digest())
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return s.namedOperator(ctx, token)
	}
	if err != nil {
		return mailbox.Caller{}, err
	}
	now := s.now()
	if whose.Key.Expired(now) || whose.Mailbox.Expired(now) {
		return mailbox.Caller{}, errUnauthorized
	}
	who := mailbox.Caller{Scope: whose.Key.Scope, Key: whose.Key, Mailbox: whose.Mailbox}
	if who.Scope == mailbox.Permanent && whose.Claimed {
		// The key came in place of a temporary one, which ends with the first use of the new one (API 3). A caller who
		// hangs up has used it all the same.
		err = s.supersede(context.WithoutCancel(ctx), who.Key.Mailbox)
	}
	s.ledger.touch(who.Key, now)
	s.meet(who.Key)
	return who, err
}

func temporary(k mailbox.Key) bool { return k.Scope == mailbox.Provisional }

// supersede ends the temporary keys of a mailbox that was claimed.
func (s *Service) supersede(ctx context.Context, num mailbox.Num) error {
	err := s.update(ctx, func(tx store.Tx) error {
		keys, err := tx.Keys(ctx, num)
		for _, k := range keys {
			if err == nil && temporary(k) {
				err = tx.DeleteKey(ctx, k.ID)
			}
		}
		return err
	})
	s.wake(wake.Changed, num)
	s.wake(wake.Mail, num)
	return err
}

// Enter decides whether a caller may do something, and to which mailbox. The order of the answers is that of API 1:
// scope, then mailbox.
func (s *Service) Enter(ctx context.Context, who mailbox.Caller, act Act) (Access, error) {
	if !who.May(act.Need) {
		return Access{}, denied(who, act.Need)
	}
	in := Access{Act: act, Caller: who, Box: who.Mailbox}
	if err := s.mayChange(act); err != nil {
		return Access{}, err
	}
	if who.Scope != mailbox.Operator {
		return s.enterByKey(ctx, in)
	}
	if in.named() {
		names := []string{canonical(act.Mailbox)}
		if act.Need == mailbox.IngestMail {
			names = s.candidates(act.Mailbox) // mail comes with tags, and to roles
		}
		box, err := s.mailboxAt(ctx, names...)
		if s.catchesAll() {
			box, err = s.mailboxToRead(ctx, act, box, err)
		}
		if err != nil {
			return Access{}, err
		}
		in.Box = box
	}
	if in.Box.Num != who.Mailbox.Num && !who.Everywhere(act.Need) {
		return Access{}, deniedRole(who, act.Need, " of other mailboxes than "+s.opt.Configured)
	}
	asksWho := act.Need == mailbox.KnowSelf && !in.named() // an operator is more than the configured mailbox
	if in.Box.Status == mailbox.Halted && !act.Need.OnPaused() && !asksWho {
		return Access{}, errPaused
	}
	if act.notesItself() {
		return in, nil
	}
	return in, s.audit(ctx, in)
}

// notesItself tells whether an act is noted in the audit log when it is done, with what it was: changing a mailbox or a
// list, making a key, deciding on mail that is held.
func (a Act) notesItself() bool {
	switch a.Verb {
	case "PATCH /v1/mailbox", "PATCH /v1/mailboxes/{address}", "POST /v1/mailbox/resume-sending",
		"POST /v1/mailboxes/{address}/keys":
		return true
	}
	return a.Need == mailbox.ControlMailbox && strings.Contains(a.Verb, "/lists/") ||
		a.Need == mailbox.ReviewMail && strings.Contains(a.Verb, " /v1/reviews/") && !strings.HasPrefix(a.Verb, "GET ")
}

// enterByKey decides to which mailbox a caller with a key may do something.
func (s *Service) enterByKey(ctx context.Context, in Access) (Access, error) {
	bound := in.Caller.Key.Restriction()
	if in.Client.IsValid() && !bound.Admits(in.Client) {
		return Access{}, mailbox.Errorf(mailbox.Denied, "network_denied", "This key cannot be used from %s.", in.Client)
	}
	if in.named() && !in.Box.Owns(canonical(in.Mailbox)) {
		if !bound.Several {
			return Access{}, errForbidden
		}
		err := s.view(ctx, func(r store.Reader) (err error) {
			in.Box, err = opened(ctx, r, in.Caller.Key, canonical(in.Mailbox))
			return err
		})
		if errors.Is(err, store.ErrNotFound) || err == nil && in.Box.Expired(s.now()) {
			err = errForbidden
		}
		if err != nil {
			return Access{}, err
		}
	}
	if bound.Several && in.Box.Status == mailbox.Halted && in.Need != mailbox.PauseMailbox {
		return Access{}, errPaused
	}
	if in.changesOwn() && !in.notesItself() {
		return in, s.note(ctx, in)
	}
	return in, nil
}

// changesOwn tells whether what a key does to its own mailbox is noted: changes of the mailbox, its keys, webhooks and
// domains, and what people decide; not what it does with mail.
func (a Act) changesOwn() bool {
	switch a.Need {
	case mailbox.ReviewMail, mailbox.ControlMailbox, mailbox.ResumeSending:
		return true
	case mailbox.ManageMailbox, mailbox.ChangeSettings, mailbox.PauseMailbox, mailbox.DeleteMailbox:
		return !strings.HasPrefix(a.Verb, "GET ")
	case mailbox.Moderate, mailbox.Administer: // of the configured mailbox, by its address
		return strings.Contains(a.Verb, " /v1/mailboxes/{address}") && !strings.HasPrefix(a.Verb, "GET ")
	}
	return false
}

// opened finds the mailbox of an address, if it is one that a key opens beside its own.
func opened(ctx context.Context, r store.Reader, k mailbox.Key, address string) (mailbox.Mailbox, error) {
	box, err := r.MailboxAt(ctx, address)
	if err != nil {
		return box, err
	}
	if ok, err := r.KeyOpens(ctx, k.ID, box.Num); err != nil || ok {
		return box, err
	}
	return box, store.ErrNotFound
}

// grantable are the capabilities that no mailbox key has by itself, and the words that a key is made with for them.
var grantable = map[mailbox.Capability]string{mailbox.ReviewMail: "review", mailbox.ControlMailbox: "control",
	mailbox.ResumeSending: "control"}

func denied(who mailbox.Caller, c mailbox.Capability) error {
	if who.Scope == mailbox.Operator {
		return deniedRole(who, c, "")
	}
	if who.Scope == mailbox.Provisional && who.Mailbox.Scope == mailbox.Permanent {
		return mailbox.Errorf(mailbox.Denied, "provisional_capability_denied",
			"The mailbox was claimed: its temporary key cannot %s. Use the key that the claim gave.", c)
	}
	if who.Scope == mailbox.Provisional {
		return mailbox.Errorf(mailbox.Denied, "provisional_capability_denied", "A temporary mailbox cannot %s. Claim "+
			"it to make it permanent.", c)
	}
	if word := grantable[c]; word != "" {
		return mailbox.Errorf(mailbox.Denied, "scope_denied", "This key cannot %s: that needs the operator credential "+
			"of the deployment, or a key with the capability %s.", c, word)
	}
	if who.Key.Restriction().Limits() {
		return mailbox.Errorf(mailbox.Denied, "scope_denied", "This key cannot %s: it was made for other things; GET "+
			"/v1/me says which.", c)
	}
	return mailbox.Errorf(mailbox.Denied, "scope_denied", "This key cannot %s: that needs the operator credential of "+
		"the deployment.", c)
}

// deniedRole is the answer to a named operator whose role does not have a capability, or not there.
func deniedRole(who mailbox.Caller, c mailbox.Capability, where string) error {
	return mailbox.Errorf(mailbox.Denied, "scope_denied", "An operator with the role %s cannot %s%s: that needs the role "+
		"%s.", who.Role(), c, where, mailbox.LeastRole(c))
}

// mailboxAt finds the mailbox with one of these addresses or aliases, for the operator.
func (s *Service) mailboxAt(ctx context.Context, addresses ...string) (box mailbox.Mailbox, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		box, err = firstAt(ctx, r, addresses)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && box.Expired(s.now()) {
		return box, errNoMailbox
	}
	return box, err
}

// firstAt finds the mailbox of the first address that is one's.
func firstAt(ctx context.Context, r store.Reader, addresses []string) (box mailbox.Mailbox, err error) {
	for _, a := range addresses {
		if box, err = r.MailboxAt(ctx, a); !errors.Is(err, store.ErrNotFound) {
			break
		}
	}
	return box, err
}

var errNoMailbox = mailbox.Errorf(mailbox.NotFound, "not_found", "Mailbox not found")
