package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// The chores that package janitor calls at its times. Each works in small transactions with pauses between them, so
// that mail never waits for more than one of them.

// expireStep is how many expired mailboxes are looked up at a time.
const expireStep = 100

// Expire removes the mailboxes whose time is over, and everything in them. They are refused from their last instant on;
// this is for their data.
func (s *Service) Expire(ctx context.Context) error {
	for last := mailbox.Num(0); ; {
		var list []mailbox.Mailbox
		err := s.view(ctx, func(r store.Reader) (err error) {
			list, err = r.Expired(ctx, s.now(), expireStep)
			return err
		})
		if err != nil || len(list) == 0 {
			return err
		}
		if list[0].Num == last {
			return fmt.Errorf("mailbox %d is over, was removed, and is still there", last)
		}
		last = list[0].Num
		for _, box := range list {
			if err := s.expire(ctx, box); err != nil {
				return err
			}
		}
	}
}

func (s *Service) expire(ctx context.Context, box mailbox.Mailbox) error {
	err := s.update(ctx, func(tx store.Tx) error {
		now, err := tx.Mailbox(ctx, box.Num)
		if err != nil {
			return err
		}
		if !now.Expired(s.now()) { // claimed meanwhile
			return store.ErrNotFound
		}
		if err := s.retireAddresses(ctx, tx, now); err != nil {
			return err
		}
		return tx.RemoveMailbox(ctx, box.Num)
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	s.removed(box)
	_, err = s.purge(ctx, box.Num)
	return err
}

// trimStep is how many events go in one transaction.
const trimStep = 500

// claimsKept is how long a claim is remembered, so that a late answer can say what became of it.
const claimsKept = 24 * time.Hour

// Trim forgets what is too old to be asked for: events, claims, quotas, keys that have ended, mail in quarantine.
func (s *Service) Trim(ctx context.Context) error {
	now := s.now()
	err := s.update(ctx, func(tx store.Tx) error {
		if err := tx.TrimKeys(ctx, now); err != nil {
			return err
		}
		if err := tx.TrimTopics(ctx, utcDay(now)-observationsFor); err != nil {
			return err
		}
		return tx.TrimClaims(ctx, now.Add(-claimsKept), utcDay(now))
	})
	for _, trim := range []func(store.Tx) (removed int, more bool, err error){
		func(tx store.Tx) (int, bool, error) { return s.trimRetired(ctx, tx) },
		func(tx store.Tx) (int, bool, error) { return s.trimAudits(ctx, tx) },
		func(tx store.Tx) (int, bool, error) { return tx.TrimSends(ctx, now, now.Add(-keysKept), trimStep) },
		func(tx store.Tx) (int, bool, error) { return tx.TrimDrafts(ctx, now.Add(-sentDraftsKept), trimStep) },
		func(tx store.Tx) (int, bool, error) { return tx.TrimEvents(ctx, now.Add(-s.opt.EventsKept), trimStep) },
		func(tx store.Tx) (int, bool, error) {
			return tx.TrimDomainReports(ctx, now.Add(-domainReportsKept), trimStep)
		},
		func(tx store.Tx) (int, bool, error) { return tx.TrimHooks(ctx, now.Add(-s.opt.EventsKept), trimStep) },
	} {
		if err == nil {
			err = s.steps(ctx, trim)
		}
	}
	if err == nil {
		err = s.trimQuarantine(ctx)
	}
	return errors.Join(err, s.endSecrets(ctx))
}

// errNoProgress ends a chore that would go on for ever. The caller counts that, and comes back at its next
// time.
var errNoProgress = errors.New("there is more to do, and the last step did nothing")

// steps does a chore until there is no more to do.
func (s *Service) steps(ctx context.Context, one func(store.Tx) (removed int, more bool, err error)) error {
	for more := true; more; {
		err := s.step(ctx, func(tx store.Tx) error {
			removed, left, err := one(tx)
			if more = left; err == nil && left && removed == 0 {
				err = errNoProgress
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// step does one of many steps of a chore, and then leaves the store to others for as long as it took.
func (s *Service) step(ctx context.Context, fn func(store.Tx) error) error {
	began := time.Now()
	err := s.update(ctx, fn)
	pause := time.NewTimer(time.Since(began))
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
		err = errors.Join(err, fail(ctx.Err()))
	}
	return err
}

// Recover finishes what a crash or an error may have left undone: the purging of deleted mailboxes.
func (s *Service) Recover(ctx context.Context) error {
	var left []mailbox.Num
	err := s.view(ctx, func(r store.Reader) (err error) {
		left, err = r.Purging(ctx)
		return err
	})
	for _, num := range left {
		_, e := s.purge(ctx, num)
		err = errors.Join(err, e)
	}
	return err
}

// Refresh reads again what is remembered of the store: another node may have changed it, and its notice may be lost.
func (s *Service) Refresh(ctx context.Context) error {
	return errors.Join(s.loadSecrets(ctx), s.keepSecrets(), s.loadDomains(ctx), s.loadLists(ctx))
}
