package service

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"

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
	Instructions string
}

// DomainCheck is a domain with what the DNS has of its records.
type DomainCheck struct {
	mailbox.Domain
	Findings zone.Findings
	Message  string
}

// pendingKept is how long a domain that nobody has verified is kept for who asked first: others cannot be kept from their own
// domains by asking for them.
const pendingKept = 7 * 24 * time.Hour

// maxDomains is how many domains one mailbox may bring.
const maxDomains = 100

var errNoDomain = mailbox.Errorf(mailbox.NotFound, "not_found", "Domain not found")

// Domains lists the mailbox's domains. Those of the deployment itself, which no mailbox owns, are shown to the configured one.
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
	return list, err
}

// AddDomain notes a domain that the mailbox's owner wants to use, and makes its keys.
func (s *Service) AddDomain(ctx context.Context, in Access, name string) (DomainRecord, error) {
	name, err := zone.Normalize(name)
	if err != nil {
		return DomainRecord{}, mailbox.InvalidField("domain", "%v", err)
	}
	if s.ours(name) {
		return DomainRecord{}, takenDomain(name)
	}
	d, err := s.newDomain(in.Box.Num, name)
	if err != nil {
		return DomainRecord{}, err
	}
	err = s.update(ctx, func(tx store.Tx) error {
		list, err := tx.Domains(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		if len(list) >= maxDomains {
			return mailbox.Errorf(mailbox.Invalid, "too_many_domains", "A mailbox has at most %d domains.", maxDomains)
		}
		return tx.InsertDomain(ctx, d, s.now().Add(-pendingKept))
	})
	if errors.Is(err, store.ErrTaken) {
		return DomainRecord{}, takenDomain(name)
	}
	if err != nil {
		return DomainRecord{}, err
	}
	return s.domainRecord(d)
}

func takenDomain(name string) error {
	return mailbox.Errorf(mailbox.Conflict, "domain_taken", "The domain %s is in use here already.", name)
}

// newDomain makes a domain with its keys.
func (s *Service) newDomain(num mailbox.Num, name string) (d mailbox.Domain, err error) {
	var token [18]byte
	_, _ = rand.Read(token[:]) // never fails since Go 1.24
	now := s.now()
	d = mailbox.Domain{ID: mailbox.NewID(s.opt.Now()), Mailbox: num, Name: name, Token: hex.EncodeToString(token[2:]),
		Selector: "mk" + now.Format("200601") + hex.EncodeToString(token[:2]), CreatedAt: now}
	var keys []byte
	for _, kind := range []string{sender.RSA, sender.Ed25519} {
		text, err := sender.NewKey(kind)
		if err != nil {
			return d, err
		}
		keys = append(keys, text...)
	}
	d.Keys, err = s.seal(keys, d.ID)
	return d, err
}

// aead encrypts what must not lie in the store as it is.
func (s *Service) aead() (cipher.AEAD, error) {
	key := s.derive("private keys")
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func (s *Service) seal(secret []byte, of mailbox.ID) ([]byte, error) {
	a, err := s.aead()
	if err != nil {
		return nil, err
	}
	return a.Seal(nil, nil, secret, of[:]), nil
}

func (s *Service) unseal(sealed []byte, of mailbox.ID) ([]byte, error) {
	a, err := s.aead()
	if err != nil {
		return nil, err
	}
	secret, err := a.Open(nil, nil, sealed, of[:])
	if err != nil {
		return nil, errors.New("a private key cannot be decrypted: the deployment's secret is another one than when it was made")
	}
	return secret, nil
}

// signingKeys gives the keys of a domain.
func (s *Service) signingKeys(d mailbox.Domain) (keys []sender.SigningKey, err error) {
	text, err := s.unseal(d.Keys, d.ID)
	if err != nil {
		return nil, err
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		key, err := sender.ParseKey(block.Bytes)
		if err != nil {
			return nil, err
		}
		selector := d.Selector
		if key.Kind() == sender.Ed25519 {
			selector += "e"
		}
		keys = append(keys, sender.SigningKey{Selector: selector, Key: key})
	}
	return keys, nil
}

// plan is what a domain is to have in the DNS.
func (s *Service) plan(d mailbox.Domain) (zone.Plan, error) {
	p := zone.Plan{Domain: d.Name, Hostname: s.opt.Hostname, Token: d.Token, Own: s.ours(d.Name)}
	keys, err := s.signingKeys(d)
	for _, k := range keys {
		p.Selectors = append(p.Selectors, zone.Selector{Name: k.Selector, Record: sender.Record(k.Key)})
	}
	return p, err
}

func (s *Service) domainRecord(d mailbox.Domain) (DomainRecord, error) {
	p, err := s.plan(d)
	return DomainRecord{Domain: d, Records: p.Records(), Instructions: p.Instructions()}, err
}

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

// VerifyDomain looks the records of a domain up now. When all that is needed is there, the domain is served from then on.
func (s *Service) VerifyDomain(ctx context.Context, in Access, id mailbox.ID) (DomainCheck, error) {
	if s.opt.Zones == nil {
		return DomainCheck{}, mailbox.Errorf(mailbox.Unimplemented, "dns_unavailable", "This service does not ask the DNS (setting dns), so no domain can be verified.")
	}
	found, err := s.Domain(ctx, in, id)
	if err != nil {
		return DomainCheck{}, err
	}
	p, err := s.plan(found.Domain)
	if err != nil {
		return DomainCheck{}, err
	}
	out := DomainCheck{Findings: p.Check(ctx, s.opt.Zones())}
	err = s.update(ctx, func(tx store.Tx) error {
		d, err := s.domain(ctx, tx, in, id)
		if err != nil {
			return err
		}
		f := out.Findings
		d.MX, d.SPF, d.DKIM, d.DMARC = f.Holds(zone.KindMX), f.Holds(zone.KindSPF), f.Holds(zone.KindDKIM), f.Holds(zone.KindDMARC)
		d.Owned = f.Holds(zone.KindOwnership)
		switch {
		case f.Complete(p) && d.VerifiedAt.IsZero():
			if err := s.unclaimed(ctx, tx, d); err != nil {
				return err
			}
			d.VerifiedAt = s.now()
		case !f.Unknown() && !d.Owned && !d.MX && !p.Own: // it has gone elsewhere
			d.VerifiedAt = time.Time{}
		}
		out.Domain = d
		return tx.UpdateDomain(ctx, d)
	})
	out.Message = out.Findings.Message(p)
	s.signers.Delete(out.Name) // its keys may be published now
	if err == nil {
		err = s.loadDomains(ctx)
		s.wake(wake.Changed, 0)
	}
	return out, err
}

// unclaimed refuses a domain that another mailbox has verified.
func (s *Service) unclaimed(ctx context.Context, tx store.Tx, d mailbox.Domain) error {
	used, err := tx.DomainNamed(ctx, d.Name)
	if errors.Is(err, store.ErrNotFound) || err == nil && used.ID == d.ID {
		return nil
	}
	if err == nil {
		err = takenDomain(d.Name)
	}
	return err
}

// DeleteDomain gives a domain up. Mail for it is refused from then on, and nothing can be sent from it.
func (s *Service) DeleteDomain(ctx context.Context, in Access, id mailbox.ID) error {
	err := s.update(ctx, func(tx store.Tx) error {
		d, err := s.domain(ctx, tx, in, id)
		if err != nil {
			return err
		}
		if s.ours(d.Name) {
			return mailbox.Errorf(mailbox.Conflict, "own_domain", "%s is a domain of the deployment itself; it goes with the setting domain.", d.Name)
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
	if d, err = s.newDomain(0, name); err != nil {
		return d, err
	}
	err = s.update(ctx, func(tx store.Tx) error {
		err := tx.InsertDomain(ctx, d, time.Time{})
		if errors.Is(err, store.ErrTaken) { // another request was first
			d, err = tx.DomainNamed(ctx, name)
		}
		return err
	})
	return d, err
}

// signing is who signs the mail of a domain, as far as its keys are published: a signature that nobody can check makes mail look
// worse than none, and an RSA signature costs more than all the rest of sending.
type signing struct {
	signer *sender.Signer // nil: no key is published
	until  time.Time
}

const (
	publishedFor   = time.Hour   // how long keys that were found published are believed to be
	unpublishedFor = time.Minute // how long keys that were not found are not looked for again
)

// signer gives who signs the mail of a domain; nil: nobody.
func (s *Service) signer(ctx context.Context, domain string) (*sender.Signer, error) {
	now := s.now()
	if known, ok := s.signers.Load(domain); ok && now.Before(known.(signing).until) {
		return known.(signing).signer, nil
	}
	var d mailbox.Domain
	var err error
	if s.ours(domain) {
		d, err = s.ownDomain(ctx, domain)
	} else {
		err = s.view(ctx, func(r store.Reader) (err error) {
			d, err = r.DomainNamed(ctx, domain)
			return err
		})
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the keys of %s: %w", domain, err)
	}
	keys, err := s.published(ctx, d)
	if err != nil {
		return nil, err
	}
	made := signing{until: now.Add(unpublishedFor)}
	if len(keys) > 0 {
		made.until = now.Add(publishedFor)
		if made.signer, err = sender.NewSigner(domain, keys...); err != nil {
			return nil, err
		}
	}
	s.signers.Store(domain, made)
	return made.signer, nil
}

// published gives the keys of a domain whose records are in the DNS. Where that cannot be found out, what was found last counts.
func (s *Service) published(ctx context.Context, d mailbox.Domain) ([]sender.SigningKey, error) {
	keys, err := s.signingKeys(d)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{sender.RSA: d.DKIM}
	if s.opt.Zones != nil {
		p, err := s.plan(d)
		if err != nil {
			return nil, err
		}
		for _, f := range p.Check(ctx, s.opt.Zones()) {
			switch {
			case f.Record.Kind == zone.KindDKIM && f.Err == nil:
				found[sender.RSA] = f.Verified
			case f.Record.Kind == zone.KindDKIMEd25519:
				found[sender.Ed25519] = f.Verified
			}
		}
	}
	return slices.DeleteFunc(keys, func(k sender.SigningKey) bool { return !found[k.Key.Kind()] }), nil
}

// OutgoingMessage opens a message as the next server is told it.
func (s *Service) OutgoingMessage(ctx context.Context, d mailbox.Delivery) (*OutgoingMessage, error) {
	raw, from, err := s.outgoingRaw(ctx, d)
	if err != nil {
		return nil, err
	}
	out := &OutgoingMessage{Raw: raw}
	if err := out.look(); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	_, domain := split(from)
	signer, err := s.signer(ctx, domain)
	if err == nil && signer != nil {
		out.Signatures, err = signer.Sign(raw, raw.Size(), s.now())
	}
	if errors.Is(err, sender.ErrUnsignable) {
		s.log.Warn("send a message without a signature", "error", err)
		err = nil
	}
	if err != nil {
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
