package service

import (
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
	"github.com/mailkin/mailkin/internal/store"
)

// SuppressionsQuery narrows the list of addresses that a mailbox does not send to.
type SuppressionsQuery struct {
	Words        string // that an entry has
	Reason       string // empty: any
	Older, Newer int64  // only those before the one with this number, or those right after it; 0: any
	Page         Page
}

// Suppressions lists the addresses that the mailbox does not send to, newest first.
func (s *Service) Suppressions(ctx context.Context, in Access, q SuppressionsQuery) (
	List[mailbox.Suppression], error) {
	f := store.SuppressionFilter{Reason: q.Reason, Before: q.Older, After: q.Newer, Oldest: q.Newer != 0,
		Offset: q.Page.Offset, Limit: q.Page.Limit + 1}
	if q.Words != "" {
		return s.findSuppressions(ctx, in, q)
	}
	if q.Page.Cursor != "" {
		var err error
		if f.Before, err = decodeCursor(cursorSuppression, q.Page.Cursor); err != nil {
			return List[mailbox.Suppression]{}, err
		}
	}
	var rows []mailbox.Suppression
	err := s.view(ctx, func(r store.Reader) (err error) {
		rows, err = r.Suppressions(ctx, in.Box.Num, f)
		return err
	})
	out := list(rows, q.Page.Limit, cursorSuppression, func(x mailbox.Suppression) int64 { return x.Number })
	if f.Oldest {
		slices.Reverse(out.Items)
	}
	return out, err
}

// findSuppressions lists those that have words.
func (s *Service) findSuppressions(ctx context.Context, in Access, q SuppressionsQuery) (
	List[mailbox.Suppression], error) {
	return narrowing[mailbox.Suppression]{kind: cursorSuppression, most: narrowMost,
		place: func(x mailbox.Suppression) int64 { return x.Number },
		fits:  func(x mailbox.Suppression) bool { return wordsIn(q.Words, x.Address, x.Reason, x.Detail) },
		read: func(before int64, limit int) (rows []mailbox.Suppression, err error) {
			err = s.view(ctx, func(r store.Reader) (err error) {
				rows, err = r.Suppressions(ctx, in.Box.Num, store.SuppressionFilter{Reason: q.Reason, Before: before,
					Limit: limit})
				return err
			})
			return rows, err
		}}.page(q.Page)
}

// Suppression finds an entry of the list by its number, or where that is 0 by its address.
func (s *Service) Suppression(ctx context.Context, in Access, number int64, address string) (
	found mailbox.Suppression, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		if number == 0 {
			found, err = r.Suppression(ctx, in.Box.Num, canonical(address))
			return err
		}
		list, err := r.Suppressions(ctx, in.Box.Num, store.SuppressionFilter{Before: number + 1, After: number - 1,
			Limit: 1})
		if err == nil && len(list) == 0 {
			return store.ErrNotFound
		}
		if err == nil {
			found = list[0]
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNotSuppressed
	}
	return found, err
}

var errNotSuppressed = mailbox.Errorf(mailbox.NotFound, "not_found", "This address is not on the suppression list")

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
type AddedSuppressions struct {
	Added, Present int
	Entries        []mailbox.Suppression // one for each address that was given, in their order
}

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
		known := make(map[string]mailbox.Suppression)
		for _, address := range list {
			if _, again := known[address]; !again {
				added, err := s.addSuppression(ctx, tx, mailbox.Suppression{Mailbox: in.Box.Num, Address: address,
					Reason: mailbox.SuppressedByHand, Detail: n.Reason, At: s.now()}, &done)
				if err != nil {
					return err
				}
				known[address] = added
			}
			done.Entries = append(done.Entries, known[address])
		}
		return nil
	})
	return done, in.gone(err)
}

// addSuppression adds an entry if there is none, counts it, and returns the one that is there then.
func (s *Service) addSuppression(ctx context.Context, tx store.Tx, n mailbox.Suppression,
	done *AddedSuppressions) (mailbox.Suppression, error) {
	old, err := tx.Suppression(ctx, n.Mailbox, n.Address)
	switch {
	case err == nil:
		done.Present++
		return old, nil
	case !errors.Is(err, store.ErrNotFound):
		return old, err
	}
	done.Added++
	if err := tx.InsertSuppression(ctx, n); err != nil {
		return n, err
	}
	return tx.Suppression(ctx, n.Mailbox, n.Address)
}

// suppressible returns the canonical forms of addresses.
func suppressible(addresses []string) ([]string, error) {
	if len(addresses) == 0 || len(addresses) > maxSuppressed {
		return nil, mailbox.InvalidField("addresses", "Give 1 to %d addresses.", maxSuppressed)
	}
	list := make([]string, 0, len(addresses))
	for _, text := range addresses {
		a, err := compose.ParseAddress(text)
		if err != nil {
			return nil, mailbox.InvalidAs("addresses", err)
		}
		list = append(list, canonical(a.Address))
	}
	return list, nil
}

// DeleteSuppression takes an address off the list.
func (s *Service) DeleteSuppression(ctx context.Context, in Access, address string) error {
	if address == "" {
		return mailbox.InvalidField("address", "Say which address with the parameter address.")
	}
	err := s.update(ctx, func(tx store.Tx) error { return tx.DeleteSuppression(ctx, in.Box.Num, canonical(address)) })
	if errors.Is(err, store.ErrNotFound) {
		return errNotSuppressed
	}
	return err
}
