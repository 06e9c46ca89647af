package service

import (
	"cmp"
	"context"
	"slices"

	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
)

// ranked gives the best of the newest messages that match. Of those that the index has ranked alone there is no more than Seq and time yet:
// whole reads the rest.
func (x *finder) ranked(ctx context.Context) ([]Found, error) {
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
	type place struct {
		score float64
		of    int
	}
	order := make([]place, len(all)) // messages are large: they are put in order once
	for i, h := range all {
		order[i] = place{x.query.Score(h.hits, st, now.Sub(h.ReceivedAt)), i}
	}
	slices.SortFunc(order, func(a, b place) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.of, b.of)) })
	out := make([]Found, len(all))
	for i, p := range order {
		out[i] = Found{Message: all[p.of].Message, Score: p.score}
	}
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

// whole reads the rows of a page of which there is no more than Seq and time. What was deleted meanwhile is left out.
func (x *finder) whole(ctx context.Context, page []Found) ([]Found, error) {
	var seqs []int64
	for _, f := range page {
		if f.ID.IsZero() {
			seqs = append(seqs, f.Seq)
		}
	}
	if len(seqs) == 0 {
		return page, nil
	}
	rows, err := x.s.messagesAt(ctx, x.num, seqs)
	if err != nil {
		return nil, err
	}
	for i, f := range page {
		if f.ID.IsZero() {
			page[i].Message = rows[f.Seq]
		}
	}
	return slices.DeleteFunc(page, func(f Found) bool { return f.ID.IsZero() }), nil
}
