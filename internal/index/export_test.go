package index

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/store"
)

// Indexer lets the tests index without waiting.
type Indexer struct{ x *indexer }

// NewIndexer returns an indexer of a service that has no other.
func (ix *Index) NewIndexer() Indexer { return Indexer{newIndexer(ix, ix.opt.Index, []int{0})} }

// Catch indexes and merges all there is.
func (i Indexer) Catch(ctx context.Context) error {
	for {
		more, err := i.x.round(ctx)
		if err != nil {
			return err
		}
		if !more {
			return i.x.merge(ctx, nil)
		}
	}
}

// Round indexes a batch.
func (i Indexer) Round(ctx context.Context) error {
	_, err := i.x.round(ctx)
	return err
}

// RenewPage goes on with what is to be rebuilt, and tells whether there is more to do.
func (i Indexer) RenewPage(ctx context.Context) (bool, error) {
	if i.x.renew == nil {
		i.x.ix.renewals.due.Store(true)
		if err := i.x.beginRenewal(ctx); err != nil || i.x.renew == nil {
			return false, err
		}
	}
	return true, i.x.renewPage(ctx, i.x.renew)
}

// FlushRenewal writes what there is of what is being rebuilt.
func (i Indexer) FlushRenewal(ctx context.Context) error { return i.x.renewFlush(ctx, i.x.renew) }

// RenewSome goes on with it for a while, as the service does.
func (i Indexer) RenewSome(ctx context.Context) error {
	i.x.ix.renewals.due.Store(true)
	return i.x.renewSome(ctx)
}

// EndTurn ends the indexer's turn.
func (i Indexer) EndTurn(ctx context.Context) error {
	ended, end := context.WithCancel(ctx)
	end()
	return i.x.ix.indexTurn(ended, i.x)
}

// LookedBefore makes the last look at what is to be rebuilt seem older.
func (ix *Index) LookedBefore(d time.Duration) { ix.renewals.seen = ix.renewals.seen.Add(-d) }

// IdleRound indexes a batch and does what is done where nothing more comes in.
func (i Indexer) IdleRound(ctx context.Context) error {
	if err := i.Round(ctx); err != nil {
		return err
	}
	return i.x.tidy(ctx, nil, false)
}

// BusyRound indexes a batch and does what cannot be put off, as where much comes in.
func (i Indexer) BusyRound(ctx context.Context) error {
	if err := i.Round(ctx); err != nil {
		return err
	}
	return i.x.tidy(ctx, nil, true)
}

// Overload has the service believe, until a given number of further messages have come, that more mail comes in than it
// can take.
func (ix *Index) Overload() {
	for range ix.opt.Pressure.last {
		ix.opt.Pressure.arrived(time.Now().Add(time.Minute))
	}
	ix.opt.Pressure.others.Store(1000 * othersUnit)
}

// Asked tells whether a search was noted of late.
func (ix *Index) Asked() bool { return !ix.backlog.patient(time.Now()) }

// FoldAbove has the indexer rebuild the part of a mailbox for the text of attachments where a segment has more
// messages.
func (i Indexer) FoldAbove(docs int) { i.x.foldDocs = docs }

// Fold lets messages take up the text of their attachments.
func (i Indexer) Fold(ctx context.Context) error { return i.x.foldTexts(ctx) }

// TextBudget is what the attachments of one message may unpack to, in any time.
func (ix *Index) TextBudget(unpack int64) { ix.reading.time, ix.reading.unpack = time.Hour, unpack }

// TextQueue is the order in which attachments are read.
type TextQueue struct {
	q    textReader
	read func(num mailbox.Num)
}

func NewTextQueue(read func(num mailbox.Num)) *TextQueue { return &TextQueue{read: read} }

// Want asks for a message; false: too many of its mailbox wait.
func (t *TextQueue) Want(num mailbox.Num, seq int64) bool {
	return t.q.want(textKey{num, seq}, false, func() {}) != nil
}

// Run reads all that wait.
func (t *TextQueue) Run() {
	for j := t.q.next(); j != nil; j = t.q.next() {
		t.read(j.key.num)
		t.q.done(j)
	}
}

// Indexed tells whether everything that is stored is in the index, with the text of attachments, everything that was
// deleted is out of it, and nothing is to be merged.
func (ix *Index) Indexed(ctx context.Context) (bool, error) {
	behind, err := ix.indexBehind(ctx)
	if err != nil || behind {
		return false, err
	}
	for _, step := range []store.TextStep{store.ReadText, store.IndexText} {
		if work, err := ix.textWork(ctx, step, 0, 1); err != nil || len(work) > 0 {
			return false, err
		}
	}
	boxes, err := ix.opt.Index.Unmerged(ctx, 1)
	return len(boxes) == 0 && !ix.sweepIsDue(), err
}

// indexBehind tells whether the index has something to do.
func (ix *Index) indexBehind(ctx context.Context) (behind bool, err error) {
	places, err := ix.opt.Index.Places(ctx)
	if err != nil {
		return false, err
	}
	err = ix.opt.Store.View(ctx, func(r store.Reader) error {
		work, err := r.ToIndex(ctx, places, 1)
		if err != nil {
			return err
		}
		gone, err := r.Forgotten(ctx, 0, 1)
		behind = len(work)+len(gone) > 0
		return err
	})
	return behind, err
}

// Arrived is how many messages were noted to have come.
func (ix *Index) Arrived() int64 { return ix.opt.Pressure.count.Load() }

// HandedOver returns the words of a message that were handed over in memory.
func (ix *Index) HandedOver(num mailbox.Num, seq int64) (search.Mail, bool) {
	return ix.fresh.take(freshKey{num, seq})
}

// Stored returns the words of a message as the indexer reads them from the store.
func Stored(m mailbox.Message, c store.Content) (search.Mail, error) {
	d, err := rawmail.Skim(c)
	return searchMail(m, d), err
}
