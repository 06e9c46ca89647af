package index

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// renewals are what this node knows of mailboxes whose part of the index is to be rebuilt.
type renewals struct {
	due     atomic.Bool  // the list is to be looked at
	damaged atomic.Int64 // how often a part was found to be damaged

	mu    sync.Mutex
	noted map[mailbox.Num]time.Time
	total int64 // the most that were on the list since it was last empty
	// sizes are how many messages the mailboxes had that were on the list since then, each when it was first seen
	// there: mail that comes later would let progress go backwards. messages is their sum.
	sizes    map[mailbox.Num]int64
	messages int64
	reached  reached
	seen     time.Time // when this node last knew what is on the list
}

// reached is how many messages of a mailbox this node has reindexed so far.
type reached struct {
	num      mailbox.Num
	messages int64
}

// notedFor is how long damage is not reported again: another node may be rebuilding the part without telling.
const notedFor = 10 * time.Minute

// note tells whether a damage is news.
func (r *renewals) note(num mailbox.Num) bool {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, ok := r.noted[num]; ok && now.Sub(at) < notedFor {
		return false
	}
	if r.noted == nil {
		r.noted = make(map[mailbox.Num]time.Time)
	}
	maps.DeleteFunc(r.noted, func(_ mailbox.Num, at time.Time) bool { return now.Sub(at) >= notedFor })
	r.noted[num] = now
	return true
}

func (r *renewals) done(num mailbox.Num) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.noted, num)
}

// isDamage tells whether an error says that a segment is not as it was written: bytes that are others, or none.
func isDamage(err error) bool {
	return errors.Is(err, segment.ErrCorrupt) || errors.Is(err, store.ErrNotFound)
}

// unlessDamaged gives an error of work on a mailbox's segments back, unless it is that they are damaged: then they are
// rebuilt.
func (x *indexer) unlessDamaged(ctx context.Context, num mailbox.Num, err error) error {
	if !isDamage(err) {
		return err
	}
	if x.ix.renewals.note(num) {
		if err := x.ix.renewDamaged(ctx, x.index, num, err); err != nil {
			return err
		}
	}
	// not to be tried again and again
	return x.index.Update(ctx, func(tx store.IndexTx) error { return tx.Merged(num) })
}

// renewDamaged has the part of a mailbox rebuilt because it is damaged, and reports it.
func (ix *Index) renewDamaged(ctx context.Context, index store.Index, num mailbox.Num, cause error) error {
	ix.renewals.damaged.Add(1)
	ix.opt.Log.Error("the index of a mailbox is damaged, and is rebuilt", "mailbox", num, "error", cause)
	if err := renew(ctx, index, num); err != nil {
		ix.renewals.done(num)
		return err
	}
	ix.renewals.due.Store(true)
	ix.indexing.Wake(0)
	return nil
}

func renew(ctx context.Context, index store.Index, nums ...mailbox.Num) error {
	return index.Update(ctx, func(tx store.IndexTx) error {
		for _, num := range nums {
			if err := tx.Renew(num); err != nil {
				return err
			}
		}
		return nil
	})
}

// damaged is for a search that found damage: the caller does not wait for the note.
func (ix *Index) damaged(num mailbox.Num, cause error) {
	if !ix.renewals.note(num) {
		return
	}
	ix.looks.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := ix.renewDamaged(ctx, ix.opt.Index, num, cause); err != nil {
			ix.opt.Log.Error("note that the index of a mailbox is damaged", "mailbox", num, "error", err)
		}
	})
}

// Damaged counts how often a mailbox's part of the index was found to be damaged.
func (ix *Index) Damaged() int64 { return ix.renewals.damaged.Load() }
