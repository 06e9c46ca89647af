package service

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Indexed tells whether everything that is stored is in the index, everything that was deleted is out of it, and nothing is to be
// merged.
func (s *Service) Indexed(ctx context.Context) (bool, error) {
	behind, err := s.indexBehind(ctx)
	if err != nil || behind {
		return false, err
	}
	boxes, err := s.opt.Index.Unmerged(ctx, 1)
	return len(boxes) == 0 && !s.sweepIsDue(), err
}

// indexBehind tells whether the index has something to do.
func (s *Service) indexBehind(ctx context.Context) (behind bool, err error) {
	place, err := s.opt.Index.Place(ctx)
	if err != nil {
		return false, err
	}
	err = s.view(ctx, func(r store.Reader) error {
		work, err := r.ToIndex(ctx, place, 1)
		if err != nil {
			return err
		}
		gone, err := r.Forgotten(ctx, 1)
		behind = len(work)+len(gone) > 0
		return err
	})
	return behind, err
}

// notIndexed counts the messages of a mailbox that the index has not got yet.
func (s *Service) notIndexed(ctx context.Context, r store.Reader, num mailbox.Num) (int64, error) {
	if s.opt.Index == nil {
		return 0, nil
	}
	place, err := s.opt.Index.Place(ctx)
	if err != nil {
		return 0, nil // it is not known: the counts of mail are all the same
	}
	waiting, err := r.NotIndexed(ctx, num, place, searchWaiting)
	return int64(len(waiting)), err
}

// IndexLag is how long the index is behind the store.
func (s *Service) IndexLag(ctx context.Context) (time.Duration, error) {
	place, err := s.opt.Index.Place(ctx)
	if err != nil {
		return 0, fail(err)
	}
	var lag time.Duration
	err = s.view(ctx, func(r store.Reader) error {
		next, err := r.ToIndex(ctx, place, 1)
		if err == nil && len(next) > 0 {
			lag = max(time.Since(time.UnixMicro(next[0].Place)), 0) // places are times
		}
		return err
	})
	return lag, err
}
