package service

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Indexed tells whether everything that is stored is in the index, with the text of attachments, everything that was deleted is out of it, and nothing is to be
// merged.
func (s *Service) Indexed(ctx context.Context) (bool, error) {
	behind, err := s.indexBehind(ctx)
	if err != nil || behind {
		return false, err
	}
	for _, step := range []store.TextStep{store.ReadText, store.IndexText} {
		if work, err := s.textWork(ctx, step, 0, 1); err != nil || len(work) > 0 {
			return false, err
		}
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

// places are how far the index and the vectors have come; -1: that is not known, or there are none. They are asked for before a view of the store and never
// inside of one: both may want a connection to the same database, and callers that hold one each and wait for another would wait for ever.
func (s *Service) places(ctx context.Context) (words, vectors int64) {
	words, vectors = -1, -1
	if s.opt.Index == nil {
		return words, vectors
	}
	if place, err := s.opt.Index.Place(ctx); err == nil {
		words = place
	}
	if s.opt.Encoder == nil {
		return words, vectors
	}
	if place, _, err := s.opt.Index.VectorPlace(ctx); err == nil {
		vectors = place
	}
	return words, vectors
}

// behindPlace counts the messages of a mailbox after a place, at most so many as a search looks through.
func behindPlace(ctx context.Context, r store.Reader, num mailbox.Num, place int64) (int64, error) {
	if place < 0 {
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
			var oldest []mailbox.Message
			if oldest, err = r.MessagesAt(ctx, next[0].Mailbox, next[0].Seq); len(oldest) > 0 {
				lag = max(s.now().Sub(oldest[0].ReceivedAt), time.Millisecond)
			}
		}
		return err
	})
	return lag, err
}
