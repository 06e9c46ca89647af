package service

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
	"github.com/mailkin/mailkin/internal/store"
)

// author is who a message is from: the mailbox, the address and name in its From field, and fields that we add for it.
type author struct {
	box    mailbox.Mailbox
	key    mailbox.Key
	from   mailbox.Address
	fields []compose.Field
	id     mailbox.ID // that the message is to have; zero: a new one
}

// author finds who a message is from: the caller's mailbox, or the one that an operator names with its From (API 1).
func (s *Service) author(ctx context.Context, in Access, from string) (by author, err error) {
	by = author{box: in.Box, key: in.Caller.Key, from: mailbox.Address{Address: in.Box.Address}}
	if strings.TrimSpace(from) != "" {
		if by.from, err = parseAddress("from", from); err != nil {
			return by, err
		}
	}
	by.from.Address = canonical(by.from.Address)
	if !by.box.Owns(by.from.Address) {
		if err := s.authorElsewhere(ctx, in, &by); err != nil {
			return by, err
		}
	}
	if by.from.Name == "" {
		by.from.Name = by.box.Profile().DisplayName
	}
	if err := mayWriteFrom(by.key, by.from.Address); err != nil {
		return by, err
	}
	return by, s.maySend(by.box, by.from.Address)
}

// authorElsewhere finds who a message is from whose From is no address of the caller's mailbox: another mailbox, for an
// operator; or the mailbox itself, where it has verified the domain and no other mailbox has the address.
func (s *Service) authorElsewhere(ctx context.Context, in Access, by *author) error {
	box, err := s.mailboxAt(ctx, by.from.Address)
	if plain := untag(by.from.Address); errors.Is(err, errNoMailbox) && plain != by.from.Address {
		box, err = s.mailboxAt(ctx, plain) // which has the tagged address as well
	}
	free := errors.Is(err, errNoMailbox)
	switch {
	case free && s.ownsDomain(by.box, by.from.Address):
		return nil
	case free || err == nil && !in.anywhere():
		return errForbidden
	case err != nil:
		return err
	}
	by.box = box
	return s.auditSend(ctx, in, by.box)
}

// ownsDomain tells whether a mailbox has verified the domain of an address.
func (s *Service) ownsDomain(box mailbox.Mailbox, address string) bool {
	_, domain := split(address)
	d, ok := s.served.find(domain)
	return ok && d.lapsed.IsZero() && d.owner == box.Num && !s.ours(domain)
}

// maySend tells whether a mailbox can send from one of its addresses at all.
func (s *Service) maySend(box mailbox.Mailbox, address string) error {
	switch {
	case box.Status == mailbox.Halted:
		return errPaused
	case box.Scope == mailbox.Provisional:
		return denied(mailbox.Caller{Scope: mailbox.Provisional, Mailbox: box}, mailbox.SendMail)
	}
	return s.domainMaySend(box, address)
}

// domainMaySend tells whether the domain of an address is the mailbox's to send from. It is asked when a message is
// accepted and once more before it leaves: mail of a domain that has lapsed is held, and never sent without the
// domain's signature.
func (s *Service) domainMaySend(box mailbox.Mailbox, address string) error {
	_, domain := split(address)
	switch {
	case s.displaced(box, address):
		return mailbox.Errorf(mailbox.Denied, "domain_lapsed",
			"The domain %s was verified by another owner since this mailbox was made, so nothing can be sent from %s.",
			domain, address)
	case s.serves(domain):
		return nil
	}
	if since, ok := s.lapsedSince(domain); ok {
		return mailbox.Errorf(mailbox.Denied, "domain_lapsed",
			"The record that shows who owns %s is gone from the DNS since %s, so nothing can be sent from it; "+
				"publish it again.",
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

// maySendAs tells whether a caller may send from an address.
func (s *Service) maySendAs(who mailbox.Caller, address string) error {
	if !who.Mailbox.Owns(address) {
		return mailbox.Errorf(mailbox.Forbidden, "foreign_sender", "Mail can be sent from %s and its aliases only.",
			who.Mailbox.Address)
	}
	if err := mayWriteFrom(who.Key, address); err != nil {
		return err
	}
	return s.maySend(who.Mailbox, address)
}

// mayWriteFrom checks that a key may send from an address of its mailbox.
func mayWriteFrom(key mailbox.Key, address string) error {
	if domain := key.Restriction().Domain; domain != "" && domainOf(address) != domain {
		return otherDomain(domain)
	}
	return nil
}

func otherDomain(domain string) error {
	return mailbox.Errorf(mailbox.Denied, "scope_denied", "This key can send from addresses of %s alone.", domain)
}
