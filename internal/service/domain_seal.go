package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// resealDomains re-encrypts the private keys that were encrypted with the root secret of before.
func (s *Service) resealDomains(ctx context.Context) error {
	if s.secrets().rootOld == "" {
		return nil
	}
	all, err := s.allDomains(ctx)
	n := 0
	for _, d := range all {
		if err != nil {
			return err
		}
		if s.sealedWithOld(d.Keys, d.ID) || s.sealedWithOld(d.NextKeys, d.ID) {
			err = s.reseal(ctx, d)
			n++
		}
	}
	if n > 0 {
		s.signers.Clear()
	}
	if err == nil && n > 0 {
		s.log.Info("encrypted the private keys of domains with the new secret", "domains", n)
	}
	return err
}

func (s *Service) allDomains(ctx context.Context) (all []mailbox.Domain, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		all, err = r.Domains(ctx, 0)
		return err
	})
	return all, err
}

func (s *Service) reseal(ctx context.Context, d mailbox.Domain) error {
	return s.update(ctx, func(tx store.Tx) error {
		now, err := tx.Domain(ctx, d.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && (!bytes.Equal(now.Keys, d.Keys) ||
			!bytes.Equal(now.NextKeys, d.NextKeys)) {
			return nil // another node was first, or it is gone
		}
		if err != nil {
			return err
		}
		for _, keys := range []*[]byte{&now.Keys, &now.NextKeys} {
			if !s.sealedWithOld(*keys, now.ID) {
				continue
			}
			text, _, err := s.unseal(*keys, now.ID)
			if err == nil {
				*keys, err = s.seal(text, now.ID)
			}
			if err != nil {
				return err
			}
		}
		return tx.SetDomainKeys(ctx, now)
	})
}

// sealedWithOld tells whether keys are encrypted with the root secret of before.
func (s *Service) sealedWithOld(keys []byte, of mailbox.ID) bool {
	if len(keys) == 0 {
		return false
	}
	_, old, err := s.unseal(keys, of)
	return err == nil && old
}

// newSelector is a name for keys that no earlier ones have had.
func newSelector(now time.Time) string {
	var random [2]byte
	_, _ = rand.Read(random[:]) // never fails since Go 1.24
	return "mk" + now.Format("200601") + hex.EncodeToString(random[:])
}

// mayMakeKeys bounds how many keys are made for a mailbox in a UTC day.
func (s *Service) mayMakeKeys(ctx context.Context, r store.Reader, num mailbox.Num) error {
	now := s.now()
	used, err := r.Tally(ctx, num, domainsTally, utcDay(now))
	if err != nil || used < maxDomains {
		return err
	}
	tomorrow := time.Unix((utcDay(now)+1)*86400, 0).UTC()
	return &mailbox.Error{Kind: mailbox.Limited, Code: "domain_daily_limit", RetryAfter: tomorrow.Sub(now),
		Message: "This mailbox has had as many keys made for domains today as it may; try again tomorrow (UTC).",
		Quota:   &mailbox.Quota{Limit: maxDomains, Used: used, ResetsAt: tomorrow}}
}

func (s *Service) countKeys(ctx context.Context, tx store.Tx, num mailbox.Num) error {
	return tx.Count(ctx, num, domainsTally, utcDay(s.now()), s.now().Add(48*time.Hour))
}

// sealedLogged is how often it is logged that mail of a domain waits because its keys cannot be opened.
const sealedLogged = 10 * time.Minute

// logSealed says, now and then, that mail of a domain cannot be signed.
func (s *Service) logSealed(ctx context.Context, domain string, err error) {
	if !errors.Is(err, ErrSealed) {
		return
	}
	now := s.now()
	last, ok := s.sealedLog.Load(domain)
	if ok && now.Before(last.(time.Time).Add(sealedLogged)) {
		return
	}
	s.sealedLog.Store(domain, now)
	s.log.Error("mail waits: it cannot be signed", "domain", domain, "error", err,
		"next", sealedNext(domain, s.broughtBy(ctx, domain)))
}

// sealedNext is what the operator can do about keys that cannot be opened. The domain of a mailbox is reached by its
// owner's address.
func sealedNext(domain, owner string) string {
	if owner != "" {
		domain += " --mailbox " + owner
	}
	return `Set secret_old to the earlier secret and start again, or make new keys with "mailkin domain rekey ` +
		domain +
		`" and publish their records.`
}

// broughtBy is the address of the mailbox whose domain is served; empty: it is the deployment's own, or nobody's.
func (s *Service) broughtBy(ctx context.Context, domain string) (address string) {
	d, ok := s.served.find(domain)
	if !ok || d.owner == 0 {
		return ""
	}
	_ = s.view(ctx, func(r store.Reader) error { // without it a line of the log says less
		box, err := r.Mailbox(ctx, d.owner)
		address = box.Address
		return err
	})
	return address
}
