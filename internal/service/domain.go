package service

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
	"github.com/mailkin/mailkin/internal/zone"
)

// DomainRecord is a domain with the DNS records that it needs.
type DomainRecord struct {
	mailbox.Domain
	Records      []zone.Record
	Next         []zone.Record // of the keys that are to follow
	Instructions string
}

// DomainCheck is a domain with what the DNS has of its records.
type DomainCheck struct {
	mailbox.Domain
	Findings zone.Findings
	Former   int64 // how many mailboxes on it were made for another owner of it
	Message  string
}

// maxDomains is how many domains one mailbox may have, and how often keys are made for it in a UTC day.
const maxDomains = 100

// domainsTally counts how often keys were made for a mailbox in a UTC day.
const domainsTally = "domains"

var errNoDomain = mailbox.Errorf(mailbox.NotFound, "not_found", "Domain not found")

// Domains lists the mailbox's domains. Those of the deployment itself, which no mailbox owns, are shown to the
// configured one.
func (s *Service) Domains(ctx context.Context, in Access) (list []mailbox.Domain, err error) {
	if in.Box.Address == s.opt.Configured {
		for _, name := range s.opt.Domains {
			own, err := s.ownDomain(ctx, name)
			if err != nil {
				return nil, err
			}
			list = append(list, own)
		}
	}
	err = s.view(ctx, func(r store.Reader) error {
		brought, err := r.Domains(ctx, in.Box.Num)
		list = append(list, brought...)
		return err
	})
	for i, d := range list {
		if _, _, err := s.unseal(d.Keys, d.ID); errors.Is(err, ErrSealed) {
			list[i].Problem = sealedProblem
		}
	}
	return list, err
}

// AddDomain notes a domain that the mailbox's owner wants to use, and makes its keys. Making keys costs much: it is
// done last, for a request that can be granted, within a limit a day, and for one request at a time.
func (s *Service) AddDomain(ctx context.Context, in Access, name string) (DomainRecord, error) {
	name, err := zone.Normalize(name)
	if err != nil {
		return DomainRecord{}, mailbox.InvalidAs("domain", err)
	}
	if s.ours(name) {
		return DomainRecord{}, takenDomain(name)
	}
	// In a view first: a request that is refused costs no write.
	err = s.view(ctx, func(r store.Reader) error { return s.mayAdd(ctx, r, in.Box.Num, name) })
	if err != nil {
		return DomainRecord{}, err
	}
	err = s.update(ctx, func(tx store.Tx) error {
		if err := s.mayAdd(ctx, tx, in.Box.Num, name); err != nil {
			return err
		}
		return s.countKeys(ctx, tx, in.Box.Num)
	})
	if err != nil {
		return DomainRecord{}, in.gone(err)
	}
	d, err := s.newDomain(ctx, in.Box.Num, name)
	if err != nil {
		return DomainRecord{}, err
	}
	err = s.update(ctx, func(tx store.Tx) error {
		if _, err := tx.Mailbox(ctx, in.Box.Num); err != nil {
			return err // deleted meanwhile
		}
		return tx.InsertDomain(ctx, d)
	})
	if errors.Is(err, store.ErrTaken) {
		return DomainRecord{}, takenDomain(name)
	}
	if err != nil {
		return DomainRecord{}, in.gone(err)
	}
	return s.domainRecord(d)
}

// mayAdd refuses a domain that the mailbox cannot have, or not today. A domain that others only asked for is nobody's
// yet.
func (s *Service) mayAdd(ctx context.Context, r store.Reader, num mailbox.Num, name string) error {
	list, err := r.Domains(ctx, num)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(list, func(d mailbox.Domain) bool { return d.Name == name }):
		return takenDomain(name)
	case len(list) >= maxDomains:
		return mailbox.Errorf(mailbox.Invalid, "too_many_domains", "A mailbox has at most %d domains.", maxDomains)
	}
	if _, err := r.DomainNamed(ctx, name); !errors.Is(err, store.ErrNotFound) {
		if err == nil {
			err = takenDomain(name)
		}
		return err
	}
	return s.mayMakeKeys(ctx, r, num)
}

func takenDomain(name string) error {
	return mailbox.Errorf(mailbox.Conflict, "domain_taken", "The domain %s is in use here already.", name)
}

// plan is what a domain is to have in the DNS.
func (s *Service) plan(d mailbox.Domain) (zone.Plan, error) {
	p := zone.Plan{Domain: d.Name, Hostname: s.opt.Hostname, Token: d.Token, Own: s.ours(d.Name),
		Addresses: s.opt.Addresses, Web: s.webHost(), STS: s.opt.STS, ReportTo: zone.ReportsDMARC + "@" + d.Name}
	keys, err := s.signingKeys(d)
	for _, k := range keys {
		p.Selectors = append(p.Selectors, zone.Selector{Name: k.Selector, Record: sender.Record(k.Key)})
	}
	return p, err
}

func (s *Service) domainRecord(d mailbox.Domain) (DomainRecord, error) {
	p, err := s.plan(d)
	d.Old = slices.Clone(d.Old)
	for i, k := range d.Old {
		d.Old[i].Removable = s.unneeded(k)
	}
	out := DomainRecord{Domain: d, Records: p.Records(), Instructions: p.Instructions()}
	if errors.Is(err, ErrSealed) {
		out.Problem = sealedProblem
		out.Instructions = sealedProblem + "\n\n" + out.Instructions
		err = nil
	}
	if err == nil {
		out.Next, err = s.nextRecords(d)
	}
	if keys := s.keysMessage(d); keys != "" {
		out.Instructions = keys + "\n\n" + out.Instructions
	}
	if lapsed := s.lapseMessage(d); lapsed != "" {
		out.Instructions = lapsed + "\n\n" + out.Instructions
	}
	return out, err
}

// sealedProblem is what an owner is told.
const sealedProblem = "The private keys of this domain cannot be opened, because the secret of the deployment has " +
	"changed: its mail waits until the " +
	"operator has put that right, or until new keys were made for it and their records published."

// domain finds a domain of the mailbox.
func (s *Service) domain(ctx context.Context, r store.Reader, in Access, id mailbox.ID) (mailbox.Domain, error) {
	d, err := r.Domain(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return d, errNoDomain
	case err != nil, d.Mailbox == in.Box.Num, d.Mailbox == 0 && in.Box.Address == s.opt.Configured:
		return d, err
	case !in.anywhere() || d.Mailbox == 0:
		return d, errNoDomain
	}
	box, err := s.boxOf(ctx, r, in, d.Mailbox)
	if errors.Is(err, store.ErrNotFound) {
		return d, errNoDomain
	}
	s.ledger.note(s.audited(in, box.Address, d.Name))
	return d, err
}

// Domain shows a domain with its records.
func (s *Service) Domain(ctx context.Context, in Access, id mailbox.ID) (DomainRecord, error) {
	var d mailbox.Domain
	err := s.view(ctx, func(r store.Reader) (err error) {
		d, err = s.domain(ctx, r, in, id)
		return err
	})
	if err != nil {
		return DomainRecord{}, err
	}
	return s.domainRecord(d)
}

// DeleteDomain gives a domain up. Mail for it is refused from then on, and nothing can be sent from it.
func (s *Service) DeleteDomain(ctx context.Context, in Access, id mailbox.ID) error {
	err := s.update(ctx, func(tx store.Tx) error {
		d, err := s.domain(ctx, tx, in, id)
		if err != nil {
			return err
		}
		if s.ours(d.Name) {
			return mailbox.Errorf(mailbox.Conflict, "own_domain", "%s is a domain of the deployment itself; it goes "+
				"with the setting domain.", d.Name)
		}
		return tx.DeleteDomain(ctx, id)
	})
	if err != nil {
		return err
	}
	s.wake(wake.Changed, 0)
	s.signers.Clear()
	return s.loadDomains(ctx)
}

// ownDomain finds the record of a domain of the settings, and makes it where there is none yet.
func (s *Service) ownDomain(ctx context.Context, name string) (d mailbox.Domain, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		d, err = r.DomainNamed(ctx, name)
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		return d, err
	}
	if d, err = s.newDomain(ctx, 0, name); err != nil {
		return d, err
	}
	err = s.update(ctx, func(tx store.Tx) error {
		err := tx.InsertDomain(ctx, d)
		if errors.Is(err, store.ErrTaken) { // another request was first
			d, err = tx.DomainNamed(ctx, name)
		}
		return err
	})
	return d, err
}

// OutgoingMessage opens a message as the next server is told it.
func (s *Service) OutgoingMessage(ctx context.Context, d mailbox.Delivery) (*OutgoingMessage, error) {
	raw, m, box, err := s.outgoingRaw(ctx, d)
	if err != nil {
		return nil, err
	}
	if err := s.domainMaySend(box, m.From.Address); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	out := &OutgoingMessage{Raw: raw}
	if err := out.look(); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	_, domain := split(m.From.Address)
	signer, err := s.signer(ctx, domain)
	if err == nil && signer != nil {
		out.Signatures, err = signer.Sign(raw, raw.Size(), s.now())
	}
	if errors.Is(err, sender.ErrUnsignable) {
		s.log.Warn("send a message without a signature", "error", err)
		err = nil
	}
	if err != nil {
		s.logSealed(ctx, domain, err)
		return nil, errors.Join(err, raw.Close())
	}
	return out, nil
}

// lookBytes is how much of a message is looked at for what it needs of the next server.
const lookBytes = 256 << 10

// look finds what a message needs of the next server.
func (o *OutgoingMessage) look() error {
	buf := make([]byte, min(o.Raw.Size(), lookBytes))
	if _, err := o.Raw.ReadAt(buf, 0); err != nil && o.Raw.Size() > int64(len(buf)) {
		return err
	}
	head, body, _ := bytes.Cut(buf, []byte("\r\n\r\n"))
	o.UTF8 = !isASCII(head)
	o.EightBit = o.UTF8 || !isASCII(body) || o.Raw.Size() > lookBytes
	return nil
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
