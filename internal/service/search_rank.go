package service

import (
	"cmp"
	"context"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
)

// scored is a message with its place in an order. Where no more than its Seq was needed for that its row was not read.
type scored struct {
	seq   int64
	score float64
	row   *mailbox.Message
}

// ranked gives the best of the newest messages that match.
func (x *finder) ranked(ctx context.Context) ([]scored, error) {
	var all []hit
	x.ranking = true
	if x.exact && x.unfiltered() {
		x.thin, x.page = true, searchRanked
	}
	err := x.each(ctx, 0, func(h hit) bool {
		all = append(all, h)
		return len(all) < searchRanked
	})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	st, err := x.stats(ctx)
	if err != nil {
		return nil, err
	}
	now := x.s.now()
	out := make([]scored, len(all))
	for i, h := range all {
		out[i] = scored{h.seq, x.query.Score(h.hits, st, now.Sub(h.at)), h.row}
	}
	slices.SortStableFunc(out, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return out, nil
}

// stats are the mailbox's own counts of the query's words.
func (x *finder) stats(ctx context.Context) (st search.Stats, err error) {
	var total segment.Stats
	var with []int64
	err = x.mending(ctx, func() error {
		if total, err = segment.TotalStats(ctx, x.readers); err != nil {
			return err
		}
		with, err = segment.Frequencies(ctx, x.readers, x.ask)
		return err
	})
	if err != nil {
		return st, err
	}
	st.Mails = int(total.Docs) + len(x.waiting)
	for _, n := range with[x.own:] {
		st.With = append(st.With, int(n))
	}
	for f := range search.Fields {
		if total.Docs > 0 {
			st.Length[f] = float64(total.Tokens[f]) / float64(total.Docs)
		}
	}
	return st, nil
}

// whole reads the rows of a page that were not read yet. What was deleted meanwhile is left out.
func (x *finder) whole(ctx context.Context, page []scored) ([]Found, error) {
	var seqs []int64
	for _, f := range page {
		if f.row == nil {
			seqs = append(seqs, f.seq)
		}
	}
	var rows map[int64]*mailbox.Message
	if len(seqs) > 0 {
		var err error
		if rows, err = x.s.messagesAt(ctx, x.num, seqs); err != nil {
			return nil, err
		}
	}
	found := make([]Found, 0, len(page))
	for _, f := range page {
		if f.row == nil {
			f.row = rows[f.seq]
		}
		if f.row != nil {
			found = append(found, Found{Message: *f.row, Score: f.score})
		}
	}
	return found, nil
}
