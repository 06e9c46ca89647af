package service

import (
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
	"github.com/mailkin/mailkin/internal/store"
)

// Suppressions lists the addresses that the mailbox does not send to, newest first.
func (s *Service) Suppressions(ctx context.Context, in Access, p Page) (List[mailbox.Suppression], error) {
	before, err := decodeCursor(cursorSuppression, p.Cursor)
	if err != nil {
		return List[mailbox.Suppression]{}, err
	}
	var rows []mailbox.Suppression
	err = s.view(ctx, func(r store.Reader) (err error) {
		rows, err = r.Suppressions(ctx, in.Box.Num, store.SuppressionFilter{Before: before, Offset: p.Offset,
			Limit: p.Limit + 1})
		return err
	})
	return list(rows, p.Limit, cursorSuppression, func(x mailbox.Suppression) int64 { return x.Number }), err
}

const (
	maxSuppressed       = 1000 // addresses in one request
	maxSuppressedReason = 500  // bytes
)

// NewSuppressions are addresses that somebody puts on the list by hand.
type NewSuppressions struct {
	Addresses []string
	Reason    string // in the caller's words; may be empty
}

// AddedSuppressions says how many of them are new, and how many were on the list already and stay as they were.
type AddedSuppressions struct{ Added, Present int }

// AddSuppressions puts addresses on the list of those that the mailbox does not send to: all of them or none.
func (s *Service) AddSuppressions(ctx context.Context, in Access, n NewSuppressions) (done AddedSuppressions,
	err error) {
	if len(n.Reason) > maxSuppressedReason {
		return done, mailbox.InvalidField("reason", "The reason is too long: at most %d bytes.", maxSuppressedReason)
	}
	list, err := suppressible(n.Addresses)
	if err != nil {
		return done, err
	}
	err = s.update(ctx, func(tx store.Tx) error {
		done = AddedSuppressions{}
		if _, err := tx.Mailbox(ctx, in.Box.Num); err != nil {
			return err
		}
		for _, address := range list {
			_, err := tx.Suppression(ctx, in.Box.Num, address)
			if err == nil {
				done.Present++
				continue
			}
			if !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if err := tx.InsertSuppression(ctx, mailbox.Suppression{Mailbox: in.Box.Num, Address: address,
				Reason: mailbox.SuppressedByHand, Detail: n.Reason, At: s.now()}); err != nil {
				return err
			}
			done.Added++
		}
		return nil
	})
	return done, in.gone(err)
}

// suppressible returns the canonical forms of addresses, each once.
func suppressible(addresses []string) ([]string, error) {
	if len(addresses) == 0 || len(addresses) > maxSuppressed {
		return nil, mailbox.InvalidField("addresses", "Give 1 to %d addresses.", maxSuppressed)
	}
	list := make([]string, 0, len(addresses))
	for _, text := range addresses {
		a, err := compose.ParseAddress(text)
		if err != nil {
			return nil, mailbox.InvalidField("addresses", "%q is not an address: %v", mailbox.Clip(text, 100), err)
		}
		list = append(list, canonical(a.Address))
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// DeleteSuppression takes an address off the list.
func (s *Service) DeleteSuppression(ctx context.Context, in Access, address string) error {
	if address == "" {
		return mailbox.InvalidField("address", "Say which address with the parameter address.")
	}
	err := s.update(ctx, func(tx store.Tx) error { return tx.DeleteSuppression(ctx, in.Box.Num, canonical(address)) })
	if errors.Is(err, store.ErrNotFound) {
		return mailbox.Errorf(mailbox.NotFound, "not_found", "This address is not on the suppression list")
	}
	return err
}
