package service

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// MTA-STS policies are kept in the store: after a restart, and on another node, a domain that once demanded TLS must
// not be sent to without, only because somebody keeps its policy from being fetched now.

const (
	policiesKept = 10_000
	// policyRetry is how long a policy that is due is left to whoever asked for it, at most.
	policyRetry = time.Hour
	policyBatch = 20
)

// Policy is the MTA-STS policy of a domain that is known; with no domain: none is.
func (s *Service) Policy(ctx context.Context, domain string) (p mailbox.Policy, err error) {
	err = s.store.Ask(ctx, func(r store.Reader) (err error) {
		p, err = r.Policy(ctx, domain)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return mailbox.Policy{}, nil
	}
	return p, fail(err)
}

// KeepPolicy remembers one that was fetched.
func (s *Service) KeepPolicy(ctx context.Context, p mailbox.Policy) error {
	return s.update(ctx, func(tx store.Tx) error {
		if err := tx.PutPolicy(ctx, p); err != nil {
			return err
		}
		return tx.TrimPolicies(ctx, s.now(), policiesKept)
	})
}

// DuePolicies returns policies that are to be fetched again, to one caller. It writes nothing where there are none.
func (s *Service) DuePolicies(ctx context.Context) (list []mailbox.Policy, err error) {
	now := s.now()
	err = s.store.Ask(ctx, func(r store.Reader) (err error) {
		list, err = r.DuePolicies(ctx, now, 1)
		return err
	})
	if err != nil || len(list) == 0 {
		return nil, fail(err)
	}
	err = s.update(ctx, func(tx store.Tx) (err error) {
		if list, err = tx.DuePolicies(ctx, now, policyBatch); err != nil {
			return err
		}
		for _, p := range list {
			p.RefreshAt = now.Add(min(policyRetry, max(p.ExpiresAt.Sub(now)/4, time.Minute)))
			if err := tx.PutPolicy(ctx, p); err != nil {
				return err
			}
		}
		return tx.TrimPolicies(ctx, now, policiesKept)
	})
	return list, err
}
