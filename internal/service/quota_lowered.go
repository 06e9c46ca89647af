package service

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// tellLimits tells the owner of a mailbox whose limits were changed that most of them is used.
func (s *Service) tellLimits(ctx context.Context, tx store.Tx, num mailbox.Num) (told bool, err error) {
	box, used, err := useOf(ctx, tx, num)
	if err != nil {
		return false, err
	}
	return s.tellUse(ctx, tx, box, used, used)
}

// tellDefaults tells the owners of mailboxes that use most of the default limits, who were not told: the limits may
// have been lowered since the last start.
func (s *Service) tellDefaults(ctx context.Context) error {
	u := s.opt.Limits.MailboxUse().Told()
	for last, more := mailbox.Num(0), s.opt.Limits.Bounded(); more; {
		var list, untold []mailbox.Num
		err := s.view(ctx, func(r store.Reader) (err error) {
			list, err = r.Above(ctx, u, last, spareStep)
			untold = nil
			for _, num := range list {
				if err == nil {
					untold, err = s.appendUntold(ctx, r, num, untold)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		if more = len(list) == spareStep; more {
			last = list[len(list)-1]
		}
		for _, num := range untold {
			err := s.update(ctx, func(tx store.Tx) error {
				_, err := s.tellLimits(ctx, tx, num)
				return err
			})
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

// appendUntold appends a mailbox if its owner is to be told of its limits.
func (s *Service) appendUntold(ctx context.Context, r store.Reader, num mailbox.Num,
	to []mailbox.Num) ([]mailbox.Num, error) {
	box, err := r.Mailbox(ctx, num)
	if errors.Is(err, store.ErrNotFound) {
		return to, nil
	}
	if err != nil {
		return to, err
	}
	used, err := r.Use(ctx, num)
	if list, _ := s.allowance(box).Notices(box.Control().Told, used, used); len(list) > 0 {
		to = append(to, num)
	}
	return to, err
}
