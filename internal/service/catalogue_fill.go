package service

import (
	"context"
	"math"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/mailbox"
)

const (
	// catalogueFill is how many texts are read at a time.
	catalogueFill = 50
	// catalogueDelay is how long mail waits that comes while nobody asks, so that much of it is taken up at once.
	catalogueDelay = 100 * time.Millisecond
)

// FillCaptured keeps the list of captured mail ready until ctx ends, so that nobody who searches waits for texts: those
// that are stored are read once, the newest first, and those that come are taken up soon. While nothing comes it does
// nothing.
func (s *Service) FillCaptured(ctx context.Context) error {
	if !s.catchesAll() {
		return nil
	}
	worker := s.opt.Workers.Worker("catalogue")
	ear := s.catalogued.marks.listen(math.MaxInt)
	defer s.catalogued.marks.unlisten(ear)
	for {
		wait := catalogueDelay
		if err := s.fillCaptured(ctx); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			wait = worker.Failed("read captured mail", err)
		} else {
			worker.Progress()
			select {
			case <-ear:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// fillCaptured reads the texts that the list does not have, and has room for.
func (s *Service) fillCaptured(ctx context.Context) error {
	in, err := s.Captured(ctx)
	for last, more := int64(0), true; more && err == nil; {
		var bare []mailbox.Message
		err = s.withCaptured(ctx, in, func(list *catalogue.List, _ catalogue.Load) error {
			bare = list.Bare(last, catalogueFill)
			return nil
		})
		if more = err == nil && len(bare) > 0; !more {
			break
		}
		last = bare[len(bare)-1].Seq
		err = s.fillSome(ctx, in, bare)
	}
	return err
}

// fillSome gives messages of the list their cards, which it makes while others may use the list.
func (s *Service) fillSome(ctx context.Context, in Access, bare []mailbox.Message) error {
	cards := make([]*catalogue.Card, len(bare))
	for i := range bare {
		var err error
		if cards[i], err = s.readCard(ctx, &bare[i]); err != nil {
			return err
		}
	}
	return s.withCaptured(ctx, in, func(list *catalogue.List, _ catalogue.Load) error {
		for i, c := range cards {
			list.SetCard(bare[i].Seq, c)
		}
		return nil
	})
}
