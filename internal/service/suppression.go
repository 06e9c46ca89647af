package service

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
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
