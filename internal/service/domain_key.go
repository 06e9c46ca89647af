package service

import (
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
	"github.com/mailkin/mailkin/internal/zone"
)

// newDomain makes a domain with its keys.
func (s *Service) newDomain(ctx context.Context, num mailbox.Num, name string) (d mailbox.Domain, err error) {
	var token [16]byte
	_, _ = rand.Read(token[:]) // never fails since Go 1.24
	now := s.now()
	d = mailbox.Domain{ID: mailbox.NewID(s.opt.Now()), Mailbox: num, Name: name, Token: hex.EncodeToString(token[:]),
		Selector: newSelector(now), CreatedAt: now}
	d.Keys, err = s.newKeys(ctx, d.ID)
	return d, err
}

// newKeys makes the keys of a domain, encrypted. Only one caller at a time does: it keeps a core busy.
func (s *Service) newKeys(ctx context.Context, of mailbox.ID) ([]byte, error) {
	select {
	case s.keymaking <- struct{}{}:
		defer func() { <-s.keymaking }()
	case <-ctx.Done():
		return nil, fail(ctx.Err())
	}
	var keys []byte
	for _, kind := range []string{sender.RSA, sender.Ed25519} {
		text, err := s.makeKey(kind)
		if err != nil {
			return nil, err
		}
		keys = append(keys, text...)
	}
	return s.seal(keys, of)
}

// aead encrypts what must not lie in the store as it is.
func aead(root mailbox.Secret) (cipher.AEAD, error) {
	key := derive(root, "private keys")
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func (s *Service) seal(secret []byte, of mailbox.ID) ([]byte, error) {
	a, err := aead(s.secrets().root)
	if err != nil {
		return nil, err
	}
	return a.Seal(nil, nil, secret, of[:]), nil
}

// ErrSealed is returned for private keys that were encrypted with a root secret that is not known.
var ErrSealed = errors.New("the private keys cannot be opened")

// unseal opens what was sealed. old tells that it was with the root secret of before.
func (s *Service) unseal(sealed []byte, of mailbox.ID) (secret []byte, old bool, err error) {
	for i, root := range s.roots() {
		a, err := aead(root)
		if err != nil {
			return nil, false, err
		}
		if secret, err = a.Open(nil, nil, sealed, of[:]); err == nil {
			return secret, i > 0, nil
		}
	}
	return nil, false, fmt.Errorf("%w: the root secret in %s is not the one that they were made with", ErrSealed,
		s.secretPlace(mailbox.SecretRoot))
}

// signingKeys returns the keys of a domain.
func (s *Service) signingKeys(d mailbox.Domain) (keys []sender.SigningKey, err error) {
	text, _, err := s.unseal(d.Keys, d.ID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
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

// signing is who signs the mail of a domain, as far as its keys are published: a signature that nobody can check makes
// mail look worse than none, and an RSA signature costs more than all the rest of sending.
type signing struct {
	signer *sender.Signer // nil: no key is published
	until  time.Time
}

const (
	publishedFor   = time.Hour   // how long keys that were found published are believed to be
	unpublishedFor = time.Minute // how long keys that were not found are not looked for again
)

// signer returns who signs the mail of a domain; nil: nobody.
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
	// another node may have replaced the root secret just now
	if errors.Is(err, ErrSealed) && s.loadSecrets(ctx) == nil {
		keys, err = s.published(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	made := signing{until: now.Add(unpublishedFor)}
	if len(keys) > 0 {
		if err := s.noteSigned(ctx, d); err != nil {
			return nil, err
		}
		made.until = now.Add(publishedFor)
		if made.signer, err = sender.NewSigner(domain, keys...); err != nil {
			return nil, err
		}
	}
	s.signers.Store(domain, made)
	return made.signer, nil
}

// noteSigned stores, once, that mail is signed with the keys of a domain: their records are needed for a while after
// they were replaced.
func (s *Service) noteSigned(ctx context.Context, d mailbox.Domain) error {
	if d.Signed {
		return nil
	}
	return s.update(ctx, func(tx store.Tx) error {
		now, err := tx.Domain(ctx, d.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && (now.Signed || now.Selector != d.Selector) {
			return nil
		}
		if err != nil {
			return err
		}
		now.Signed = true
		return tx.SetDomainKeys(ctx, now)
	})
}

// published returns the keys of a domain whose records are in the DNS. Where that cannot be found out, what was found
// last counts.
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
