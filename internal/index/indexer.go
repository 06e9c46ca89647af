package index

import (
	"context"
	"errors"
	"maps"
	"math"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// The index of words is written in the background, after the commits: messages in the order in which they were stored,
// in batches, each batch with the note how far it has come. Nothing waits for it: a search also looks through what its
// own mailbox still has waiting.
//
// Where much comes in it is reception that needs the processor, so the indexer does what must be done within a second,
// in the largest pieces, and leaves merging for later, within bounds. It runs at the lowest priority as long as that is
// enough. Where it is not, and nobody searches, everything is put off for a while (postpone.go).

const (
	// indexBatch is how many messages are indexed at a time, over all partitions, and indexBatchLeast how many of one
	// partition where there are many.
	indexBatch, indexBatchLeast = 4096, 64
	// indexPause lets mail gather, so that a batch is worth its commit. A segment of many messages costs a third for
	// each of what one of a single message does, so where much comes in, more is gathered: for as long as it can be
	// indexed within indexWithin of its coming, even if it came when the work of the last batch had just begun.
	indexPause  = 25 * time.Millisecond
	busyPause   = 500 * time.Millisecond
	indexWithin = 650 * time.Millisecond
	busyBatch   = 100
	// indexLong is how long a batch may take before the work is done in a hurry: two of them and what gathers in
	// between must fit into a second.
	indexLong = 100 * time.Millisecond
	// indexPage is how many messages are read together.
	indexPage = 16
	// indexIdle is how long the indexer waits before it looks again without having been woken.
	indexIdle = time.Second
	// indexBytes is how much memory the words of one segment may take before it is written.
	indexBytes = 4 << 20
)

// indexer makes the index of some partitions. A node has one, and each partition is one node's.
type indexer struct {
	ix      *Index
	index   store.Index  // lists mailboxes of these partitions only
	own     map[int]bool // those
	builder *segment.Builder
	tokens  []search.Token
	unread  []store.IndexWork

	last              int           // messages in the last batch
	began             time.Time     // when that was read
	took              time.Duration // how long it was indexed
	pieces            map[mailbox.Num]int
	drops             map[mailbox.Num]int // messages deleted since the mailbox was last looked at for that
	compacted, merged mailbox.Num         // where relieve goes on
	renew             *renewal            // what is being rebuilt; nil: nothing
	looked            time.Time
	scrub             bool             // bytes of what was deleted are in the files
	textless          []store.TextWork // indexed without the text of their attachments, and not yet noted
	foldDocs          int              // see foldDocs
	folded            mailbox.Num      // where foldTexts goes on

	writing *background.Worker
	tidying *background.Worker // everything that is not about new mail
	tidyAt  time.Time          // not before that

	sweptTo  mailbox.Num // how far a sweep in parts has come; 0: none is under way
	scrubNow bool        // such a sweep is done, and the files still have what it removed
}

func newIndexer(ix *Index, index store.Index, partitions []int) *indexer {
	own := make(map[int]bool, len(partitions))
	for _, p := range partitions {
		own[p] = true
	}
	return &indexer{ix: ix, index: index, own: own, builder: segment.NewBuilder(), pieces: make(map[mailbox.Num]int),
		drops: make(map[mailbox.Num]int), foldDocs: foldDocs,
		writing: ix.opt.Workers.Worker("index"), tidying: ix.opt.Workers.Worker("index_merge")}
}

// Run keeps the index of words of this node's partitions up to date, until ctx ends.
func (ix *Index) Run(ctx context.Context) error {
	if ix.opt.Index == nil {
		return nil
	}
	err := ix.opt.Share(ctx, "index", ix.opt.Index.Partitions(), func(ctx context.Context, s store.Share) error {
		index := fenced(ix.opt.Index, s.Lease, s.Fence)
		if f, ok := index.(store.FencedIndex); ok {
			index = f.Within(s.Partitions)
		}
		return ix.indexTurn(ctx, newIndexer(ix, index, s.Partitions))
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// fenced returns an index whose updates are refused when it is another node's turn.
func fenced(x store.Index, what string, fence int64) store.Index {
	if f, ok := x.(store.FencedIndex); ok && fence != 0 {
		return f.Fenced(what, fence)
	}
	return x
}

// mine tells whether a mailbox is in a partition of this indexer's.
func (x *indexer) mine(num mailbox.Num) bool { return x.own[x.index.Partition(num)] }

// indexTurn indexes until ctx ends.
func (ix *Index) indexTurn(ctx context.Context, x *indexer) error {
	ix.held.Store(int64(len(x.own)))
	defer ix.held.Store(0)
	ear := ix.indexing.Listen(0, 1<<30)
	defer ear.Close()
	var feeding sync.WaitGroup
	defer feeding.Wait()
	feeding.Go(func() { ix.feedTexts(ctx, x.mine) })
	defer ix.renewals.reach(reached{}) // the next indexer starts the mailbox over
	for ctx.Err() == nil {
		var more bool
		err := x.inTime(func() (err error) {
			more, err = x.round(ctx)
			return err
		})
		if errors.Is(err, store.ErrFenced) {
			return err
		}
		if err != nil && ctx.Err() == nil {
			sleep(ctx, nil, roundFailed(x.writing, "index messages", err))
			continue
		}
		x.tidyInTime(ctx, ear.C, more)
		if more {
			continue
		}
		if x.renew == nil && !x.scrub || time.Now().Before(x.tidyAt) {
			sleep(ctx, ear.C, indexIdle)
		}
		x.gather(ctx)
	}
	return nil
}

// tidyInTime does what is not about new mail, unless that went wrong a short time ago.
func (x *indexer) tidyInTime(ctx context.Context, wake <-chan struct{}, more bool) {
	if time.Now().Before(x.tidyAt) {
		return
	}
	err := x.tidy(ctx, wake, more)
	switch {
	case errors.Is(err, errNoRoom):
		x.tidyAt = time.Now().Add(indexIdle)
		x.scrub = true // what is deleted may be room
	case err != nil && ctx.Err() == nil:
		x.tidyAt = time.Now().Add(roundFailed(x.tidying, "merge the index", err))
	case err == nil && !time.Now().Before(x.tidyAt):
		x.tidying.Progress()
	}
}

// roundFailed notes that a round failed, and returns how long to wait. A full disk may have room again in the next
// moment.
func roundFailed(w *background.Worker, doing string, err error) time.Duration {
	if errors.Is(err, store.ErrFull) {
		return max(indexIdle, w.NoProgress("doing", doing, "error", err))
	}
	return w.Failed(doing, err)
}

// inTime does what new mail waits for. The indexer's goroutine may have been given the lowest priority, which is right
// while its work fits between theirs. Where the last batch took long it did not, and what waits would grow for as long
// as much comes in: then it is done among equals.
func (x *indexer) inTime(do func() error) error {
	if x.took < indexLong {
		return do()
	}
	done := make(chan error)
	go func() { done <- do() }()
	return <-done
}

// pause is how long mail gathers. The oldest of it came when the last batch was begun, and the next one may take as
// long.
func (x *indexer) pause() time.Duration {
	if !x.busy() {
		return indexPause
	}
	return min(max(indexWithin-x.took-time.Since(x.began), indexPause), busyPause)
}

// busy tells whether much is coming in: many messages in the last batch, or at such a rate that batches which gather
// for longer are worth it. Otherwise a steady stream would be indexed mail by mail, and always keep the indexer from
// merging.
func (x *indexer) busy() bool { return x.last > busyBatch || x.ix.opt.Pressure.high(time.Now()) }

// tidy does what is not about new mail: as long as there is none, or, where much comes, what cannot be put off.
func (x *indexer) tidy(ctx context.Context, wake <-chan struct{}, more bool) error {
	if err := x.foldTexts(ctx); err != nil {
		return err
	}
	if err := x.inTime(func() error { return x.relieve(ctx) }); err != nil {
		return err
	}
	if x.busy() || more {
		if err := x.sweepInTime(ctx); err != nil {
			return err
		}
		return x.renewSome(ctx)
	}
	if err := x.scrubSome(ctx); err != nil { // first, because the rest may need the room
		return err
	}
	if x.ix.sweepIsDue() {
		if _, err := x.sweep(ctx, math.MaxInt64); err != nil {
			return err
		}
	}
	if err := x.merge(ctx, wake); err != nil {
		return err
	}
	if err := x.scrubSome(ctx); err != nil { // what the sweep deleted
		return err
	}
	return x.renewSome(ctx)
}

// foundWork tells rounds apart by where their work begins.
type foundWork struct{ place, gone int64 }

func firstOf(work []store.IndexWork, gone []store.Forgotten) (found foundWork) {
	if len(work) > 0 {
		found.place = work[0].Place
	}
	if len(gone) > 0 {
		found.gone = gone[0].Number
	}
	return found
}

// sleep waits for a time or a wake; false: ctx is over.
func sleep(ctx context.Context, wake <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-wake:
	case <-ctx.Done():
		return false
	}
	return true
}

// round indexes one batch, and tells whether there may be more.
func (x *indexer) round(ctx context.Context) (more bool, err error) {
	x.began = time.Now()
	idle := x.ix.undemanded(x.began)
	if !idle {
		x.ix.backlog.looked()
	}
	defer func() { x.took = time.Since(x.began) }()
	places, err := x.places(ctx)
	if err != nil {
		return false, err
	}
	each := max(indexBatch/len(x.own), indexBatchLeast)
	var gone []store.Forgotten
	var work []store.IndexWork
	err = x.ix.opt.Store.View(ctx, func(r store.Reader) (err error) {
		if gone, err = x.forgotten(ctx, r); err == nil && !idle {
			work, err = r.ToIndex(ctx, places, each)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	full := x.full(work, each)
	work, need, err := x.ix.affordable(ctx, work)
	if err != nil {
		return false, err
	}
	if x.ix.opt.Disk.ToForget() == 0 {
		gone = nil
	}
	x.last = len(work)
	if len(gone) == 0 && len(work) == 0 {
		x.writing.Progress()
		return false, nil
	}
	if wait := x.writing.Found(firstOf(work, gone), "places", places); wait > 0 {
		sleep(ctx, nil, wait)
	}
	release := x.ix.opt.Disk.Hold(need)
	err = x.write(ctx, work, gone)
	release()
	x.ix.fresh.settle(time.Now())
	if err == nil && len(gone) > 0 {
		err = x.forgot(ctx, gone)
	}
	return full && len(work) > 0 || len(gone) >= indexBatch, err
}

// places are how far the index has come in this indexer's partitions.
func (x *indexer) places(ctx context.Context) (store.Places, error) {
	places, err := x.index.Places(ctx)
	maps.DeleteFunc(places, func(p int, _ int64) bool { return !x.own[p] })
	return places, err
}

// full tells whether a partition has as many messages as were asked for, so that there may be more.
func (x *indexer) full(work []store.IndexWork, each int) bool {
	counts := make(map[int]int)
	for _, w := range work {
		p := x.index.Partition(w.Mailbox)
		if counts[p]++; counts[p] == each {
			return true
		}
	}
	return false
}

// forgotten lists what is to be forgotten in this indexer's partitions. Of the others' there is little, unless their
// node has died.
func (x *indexer) forgotten(ctx context.Context, r store.Reader) (list []store.Forgotten, err error) {
	for after := int64(0); ; {
		page, err := r.Forgotten(ctx, after, indexBatch)
		for _, g := range page {
			if after = g.Number; x.mine(g.Mailbox) {
				list = append(list, g)
			}
		}
		if err != nil || len(page) < indexBatch || len(list) >= indexBatch {
			return list, err
		}
	}
}

func (x *indexer) forgot(ctx context.Context, gone []store.Forgotten) error {
	numbers := make([]int64, len(gone))
	for i, g := range gone {
		numbers[i] = g.Number
	}
	return x.ix.opt.Store.Update(ctx, func(tx store.Tx) error { return tx.Forgot(ctx, numbers...) })
}
