package index

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
)

// scored is a message with its place in an order. Where no more than its Seq was needed for that its row was not read.
type scored struct {
	seq   int64
	score float64
	share float64 // of the query's words that it has
	row   *mailbox.Message
	words bool // it was found by words
}

// goneMost is how many deleted messages are read for a search.
const goneMost = 1000

// ranked returns the best of the newest messages that match, as far as share finds that they have enough of the words.
func (x *finder) ranked(ctx context.Context, share func(search.Hits) (float64, bool)) ([]scored, error) {
	if x.nearlyExact() && x.unfiltered() {
		x.load, x.page = loadTimes, searchRanked
	}
	x.learnGone(ctx)
	all, err := x.newestHits(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	now := x.ix.opt.Now()
	if x.load == loadNone {
		d := dates{all, now, func(seqs []int64) (map[int64]time.Time, error) { return x.times(ctx, seqs) }}
		if ok, err := d.find(); err != nil {
			return nil, err
		} else if !ok {
			x.goneIncomplete = true // it was deleted meanwhile
			return x.ranked(ctx, share)
		}
	}
	st, err := x.stats(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]scored, 0, len(all))
	words := len(x.query.Words()) > 0
	var room search.Hits
	for i := range all {
		h := &all[i]
		hits := h.wordHits(&room)
		if part, ok := share(hits); ok {
			out = append(out, scored{h.seq, x.query.Score(hits, st, now.Sub(h.at)), part, h.row, words})
		}
	}
	slices.SortFunc(out, func(a, b scored) int {
		if a.score == b.score { // seldom
			return cmp.Compare(b.seq, a.seq)
		}
		return cmp.Compare(b.score, a.score)
	})
	return out, nil
}

// allWords is the share of the words in a message that matches.
func allWords(search.Hits) (share float64, ok bool) { return 1, true }

// someFewer is how many messages with all words are enough: then none is looked for that has only some of them.
const someFewer = 20

// withSome adds to the messages that have all words of the query those that have some of them, where the former are
// few: one wrong word is not to hide what the others find.
func (x *finder) withSome(ctx context.Context, words []scored) ([]scored, error) {
	if len(words) >= someFewer {
		return words, nil
	}
	st, err := x.stats(ctx)
	if err != nil {
		return nil, err
	}
	some, ok := x.query.Some(st)
	if !ok {
		return words, nil
	}
	y := *x
	y.lookFor(some.Query)
	more, err := y.ranked(ctx, some.Share)
	if err != nil {
		return nil, err
	}
	had := make(map[int64]bool, len(words))
	for _, f := range words {
		had[f.seq] = true
	}
	more = slices.DeleteFunc(more, func(f scored) bool { return had[f.seq] })
	return append(words, more...), nil
}

// learnGone has nothing loaded where all deleted messages are known that the index may still find. Those that the index
// had not heard of were read before the segments, and those that it has are read here, so that a deleted message that
// is in the segments is among the one or the other.
func (x *finder) learnGone(ctx context.Context) {
	if x.load == loadRows || x.goneIncomplete || x.dropped > goneMost {
		return
	}
	var err error
	if x.dropped > 0 {
		var dropped map[int64]bool
		if dropped, err = x.ix.opt.Index.Dropped(ctx, x.num); err == nil {
			maps.Copy(x.gone, dropped)
			err = x.open(ctx)
		}
	}
	if err == nil {
		x.load = loadNone
	}
}

// newestHits returns those that are to be ranked.
func (x *finder) newestHits(ctx context.Context) (all []hit, err error) {
	before := int64(0)
	if x.upTo > 0 {
		before = x.upTo + 1
	}
	err = x.each(ctx, before, func(h hit) bool {
		all = append(all, h)
		return len(all) < searchRanked
	})
	return all, err
}

// stats are the mailbox's own counts of the query's words.
func (x *finder) stats(ctx context.Context) (st search.Stats, err error) {
	var total segment.Stats
	var with []int64
	err = x.reopening(ctx, func() error {
		if total, err = segment.TotalStats(ctx, x.readers); err != nil {
			return err
		}
		with, err = segment.Frequencies(ctx, x.readers, x.rank)
		return err
	})
	if err != nil {
		return st, err
	}
	st.Mails = int(total.Docs) + len(x.waiting)
	for _, n := range with {
		st.With = append(st.With, int(n))
	}
	for f := range search.Fields {
		if total.Docs > 0 {
			st.Length[f] = float64(total.Tokens[f]) / float64(total.Docs)
		}
	}
	return st, nil
}

// pageOf returns the rows of what was ranked, from a place on, and where the next page begins; 0: nowhere. What is not
// there any more is passed over: it was deleted meanwhile.
func (x *finder) pageOf(ctx context.Context, ranked []scored, from, limit int) (page []Found, next int, err error) {
	for from < len(ranked) && len(page) < limit {
		end := min(from+limit-len(page), len(ranked))
		part, err := x.readRows(ctx, ranked[from:end])
		if err != nil {
			return nil, 0, err
		}
		page = append(page, part...)
		from = end
	}
	if from < len(ranked) {
		next = from
	}
	return page, next, nil
}

// readRows reads the rows that were not read yet, and leaves out what is not there.
func (x *finder) readRows(ctx context.Context, page []scored) ([]Found, error) {
	var seqs []int64
	for _, f := range page {
		if f.row == nil {
			seqs = append(seqs, f.seq)
		}
	}
	var rows map[int64]*mailbox.Message
	if len(seqs) > 0 {
		var err error
		if rows, err = x.ix.messagesAt(ctx, x.num, seqs); err != nil {
			return nil, err
		}
	}
	found := make([]Found, 0, len(page))
	for _, f := range page {
		if f.row == nil {
			f.row = rows[f.seq]
		}
		if f.row != nil {
			found = append(found, Found{Message: *f.row, Score: f.score, worded: f.words})
		}
	}
	return found, nil
}
