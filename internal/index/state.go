package index

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Places are how far the index and the vectors have come with a mailbox; -1: that is not known, or there are none. They
// are asked for before a view of the store and never inside of one: both may want a connection to the same database,
// and callers that hold one each and wait for another would wait for ever.
func (ix *Index) Places(ctx context.Context, num mailbox.Num) (words, vectors int64) {
	words, vectors = -1, -1
	if ix.opt.Index == nil {
		return words, vectors
	}
	if places, err := ix.opt.Index.Places(ctx); err == nil {
		words = places[ix.opt.Index.Partition(num)]
	}
	if ix.opt.Encoder == nil {
		return words, vectors
	}
	if place, _, err := ix.opt.Index.VectorPlace(ctx); err == nil {
		vectors = place
	}
	return words, vectors
}

// Behind counts the messages of a mailbox after a place, at most as many as a search looks through.
func Behind(ctx context.Context, r store.Reader, num mailbox.Num, place int64) (int64, error) {
	if place < 0 {
		return 0, nil // it is not known: the counts of mail are all the same
	}
	waiting, err := r.NotIndexed(ctx, num, place, searchWaiting)
	return int64(len(waiting)), err
}

// Lag is how long the index is behind the store, in the partition where that is longest. Where nobody has asked for it,
// it is not late.
func (ix *Index) Lag(ctx context.Context) (time.Duration, error) {
	if ix.undemanded(time.Now()) {
		return 0, nil
	}
	places, err := ix.opt.Index.Places(ctx)
	if err != nil {
		return 0, err
	}
	var lag time.Duration
	err = ix.opt.Store.View(ctx, func(r store.Reader) error {
		next, err := r.ToIndex(ctx, places, 1)
		if err == nil && len(next) > 0 {
			var oldest []mailbox.Message
			if oldest, err = r.MessagesAt(ctx, next[0].Mailbox, next[0].Seq); len(oldest) > 0 {
				lag = max(ix.opt.Now().Sub(oldest[0].ReceivedAt), time.Millisecond)
			}
		}
		return err
	})
	return lag, err
}
