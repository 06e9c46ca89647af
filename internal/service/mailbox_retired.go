package service

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// The address of a deleted mailbox is retired: mail for its former owner may still come, and a stranger who claimed the
// address would read it. Only the operator can give such an address out before its time is over.

// retireAddresses notes that a mailbox's addresses were given up. Random ones are left out: nobody can ask for them.
func (s *Service) retireAddresses(ctx context.Context, tx store.Tx, box mailbox.Mailbox) error {
	if s.live().RetireAddresses == 0 {
		return nil
	}
	for _, address := range append([]string{box.Address}, box.Aliases...) {
		if local, _ := split(address); mailbox.Random(local) || address == s.opt.Configured {
			continue
		}
		if err := tx.Retire(ctx, address, s.now()); err != nil {
			return err
		}
	}
	return nil
}

// retirement is when a mailbox of this address was deleted, zero for never, and whether the address can still not be
// claimed.
func (s *Service) retirement(ctx context.Context, r store.Reader, address string) (at time.Time, barred bool,
	err error) {
	at, err = r.Retired(ctx, address)
	if errors.Is(err, store.ErrNotFound) {
		return time.Time{}, false, nil
	}
	return at, err == nil && s.now().Before(at.Add(s.live().RetireAddresses)), err
}

// unretired refuses an address that cannot be claimed yet.
func (s *Service) unretired(ctx context.Context, r store.Reader, address string) error {
	at, barred, err := s.retirement(ctx, r, address)
	if err != nil || !barred {
		return err
	}
	return mailbox.Errorf(mailbox.Conflict, "address_retired",
		"The address %s belonged to a mailbox that was deleted and cannot be claimed before %s; choose another name.",
		address, at.Add(s.live().RetireAddresses).Format(time.DateOnly))
}

// trimRetired forgets addresses that were retired long ago. They are remembered for twice the time that they cannot be
// claimed in, so that a person who confirms a claim after it is told.
func (s *Service) trimRetired(ctx context.Context, tx store.Tx) (removed int, more bool, err error) {
	return tx.TrimRetired(ctx, s.now().Add(-2*s.live().RetireAddresses), trimStep)
}
