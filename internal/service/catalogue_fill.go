package service

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
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

// FillCaptured keeps the list of captured mail ready until ctx ends, so that nobody who lists waits for more than what
// has just come. Texts that nobody has searched for a while are dropped. While nothing comes it does nothing.
func (s *Service) FillCaptured(ctx context.Context) error {
	if !s.catchesAll() {
		return nil
	}
	worker := s.opt.Workers.Worker("catalogue")
	ear := s.catalogued.marks.listen(math.MaxInt)
	defer s.catalogued.marks.unlisten(ear)
	for {
		wait := catalogueDelay
		texts, err := s.fillCaptured(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			wait = worker.Failed("read captured mail", err)
		default:
			worker.Progress()
			if err := s.captureNews(ctx, ear, texts); err != nil {
				return err
			}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// captureNews waits until mail has changed, or texts are asked for, or those that there are may be dropped.
func (s *Service) captureNews(ctx context.Context, ear <-chan struct{}, texts bool) error {
	var drop <-chan time.Time
	if texts {
		timer := time.NewTimer(s.catalogued.textLeft(time.Now()))
		defer timer.Stop()
		drop = timer.C
	}
	select {
	case <-ear:
	case <-s.catalogued.asked:
	case <-drop:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// fillCaptured reads what the list does not have, and drops the texts that nobody asks for. It returns whether there
// are some.
func (s *Service) fillCaptured(ctx context.Context) (texts bool, err error) {
	in, err := s.Captured(ctx)
	if err != nil {
		return false, err
	}
	if err := s.fillCards(ctx, in, s.catalogued.textLeft(time.Now()) > 0, 1); err != nil {
		return false, err
	}
	dropped := false
	err = s.withCaptured(ctx, in, func(list *catalogue.List, _ catalogue.Load) error {
		if texts = list.Texts() > 0; texts && s.catalogued.textLeft(time.Now()) == 0 {
			list.DropTexts()
			dropped, texts = true, false
		}
		return nil
	})
	if dropped {
		debug.FreeOSMemory() // a server that is idle would collect no garbage for minutes
	}
	return texts, err
}

// textsFor reads the texts that a query needs, on all processors: somebody waits for them.
func (s *Service) textsFor(ctx context.Context, in Access, q *CapturedQuery) error {
	if !q.NeedsText() {
		return nil
	}
	s.catalogued.wantText(time.Now())
	s.catalogued.reading.Lock()
	defer s.catalogued.reading.Unlock()
	return s.fillCards(ctx, in, true, runtime.GOMAXPROCS(0))
}

// fillCards reads the cards that the list does not have, or the texts that it has room for, with so many readers.
func (s *Service) fillCards(ctx context.Context, in Access, text bool, readers int) (err error) {
	for last, more := int64(0), true; more && err == nil; {
		var bare []mailbox.Message
		err = s.withCaptured(ctx, in, func(list *catalogue.List, _ catalogue.Load) error {
			bare = list.Bare(last, readers*catalogueFill, text)
			return nil
		})
		if more = err == nil && len(bare) > 0; !more {
			break
		}
		last = bare[len(bare)-1].Seq
		err = s.fillSome(ctx, in, bare, text, readers)
	}
	return err
}

// fillSome gives messages of the list their cards, which it makes while others may use the list.
func (s *Service) fillSome(ctx context.Context, in Access, bare []mailbox.Message, text bool, readers int) error {
	cards := make([]*catalogue.Card, len(bare))
	errs := make([]error, readers)
	var wg sync.WaitGroup
	for r := range readers {
		wg.Go(func() {
			for i := r; i < len(bare) && errs[r] == nil; i += readers {
				cards[i], errs[r] = s.readCard(ctx, &bare[i], text)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return s.withCaptured(ctx, in, func(list *catalogue.List, _ catalogue.Load) error {
		for i, c := range cards {
			list.SetCard(bare[i].Seq, c)
		}
		return nil
	})
}
