package service

import (
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// mostClaims is how many claims are listed. So many wait only where somebody plays with the deployment.
const mostClaims = 500

// PendingClaims lists the claims that wait for a person, newest first.
func (s *Service) PendingClaims(ctx context.Context, _ Access) (list []ShownClaim, err error) {
	if s.opt.Claim == ClaimOff {
		return nil, errClaimOff
	}
	err = s.view(ctx, func(r store.Reader) error {
		list = nil
		claims, err := r.PendingClaims(ctx, s.now(), mostClaims)
		if err != nil {
			return err
		}
		for _, c := range claims {
			shown, err := s.shown(ctx, r, c)
			if errors.Is(err, store.ErrNotFound) {
				continue // it is being deleted with its mailbox
			}
			if err != nil {
				return err
			}
			list = append(list, shown)
		}
		return nil
	})
	return list, err
}

// pendingClaim finds a claim that waits by the id that PendingClaims shows.
func (s *Service) pendingClaim(ctx context.Context, id mailbox.ID) (c mailbox.Claim, err error) {
	if s.opt.Claim == ClaimOff {
		return c, errClaimOff
	}
	err = s.view(ctx, func(r store.Reader) error {
		claims, err := r.PendingClaims(ctx, s.now(), mostClaims)
		if at := slices.IndexFunc(claims, func(c mailbox.Claim) bool { return c.ID() == id }); at >= 0 {
			c = claims[at]
		} else if err == nil {
			err = errNoClaim
		}
		return err
	})
	return c, err
}

// ConfirmPending makes the mailbox that a claim asks for. Only the agent that started the claim gets the key.
func (s *Service) ConfirmPending(ctx context.Context, in Access, id mailbox.ID) (ConfirmedClaim, error) {
	c, err := s.pendingClaim(ctx, id)
	if err != nil {
		return ConfirmedClaim{}, err
	}
	return s.confirm(ctx, c.Link, s.audited(in, c.Address, ""), true)
}

// DenyClaim ends a claim. To the agent it is one that nobody confirmed in time.
func (s *Service) DenyClaim(ctx context.Context, in Access, id mailbox.ID) error {
	c, err := s.pendingClaim(ctx, id)
	if err != nil {
		return err
	}
	return noClaim(s.update(ctx, func(tx store.Tx) error {
		c, err := tx.Claim(ctx, c.Link)
		if err != nil {
			return err
		}
		if c.State(s.now()) != mailbox.ClaimPending {
			return errNoClaim
		}
		c.ExpiresAt = s.now()
		if err := tx.UpdateClaim(ctx, c); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, c.Address, ""))
	}))
}
