package index

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/store"
)

// Found is a message that a search found.
type Found struct {
	mailbox.Message
	Score      float64 // 0 to 1; only by relevance
	Highlights []Highlight
	worded     bool // it was found by its words, not by its meaning or a filter
}

// Highlight is a piece of a message with what was searched for.
type Highlight struct {
	Field string
	search.Snippet
}

const (
	searchWaiting = 2000 // messages that are not yet indexed and are looked through
	searchPage    = 200  // hits of the index that are looked up together
	searchRanked  = 1000 // newest hits that are ranked
	searchTime    = 5 * time.Second
)

// Query is what is looked for in a mailbox.
type Query struct {
	Mailbox mailbox.Num
	Text    string
	Mode    string              // keyword, semantic or hybrid
	Filter  store.MessageFilter // of the rows
	Files   bool                // the text of attachments is searched too
}

// ErrFiles is that a query asks for the text of attachments, where that is not searched.
var ErrFiles = errors.New("the query is about attachments")

// Newest lists the newest messages that have the words of a query.
func (ix *Index) Newest(ctx context.Context, q Query) (rows []mailbox.Message, err error) {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	done, err := ix.searchSlot(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	x, err := ix.finder(ctx, q, false)
	if err != nil {
		return nil, err
	}
	if x.nearlyExact() && x.unfiltered() {
		x.page = min(q.Filter.Offset+q.Filter.Limit, searchPage) // few of them will be gone
	}
	skip := q.Filter.Offset
	err = x.each(ctx, q.Filter.Before, func(h hit) bool {
		if skip--; skip >= 0 {
			return true
		}
		rows = append(rows, *h.row)
		return len(rows) < q.Filter.Limit
	})
	return rows, err
}

var errNoMeaning = mailbox.Errorf(mailbox.Unavailable, "semantic_search_unavailable", "Search by meaning does not "+
	"work at the moment; search by words (mode=keyword).")

// Place is where a page of hits begins. It names what was shown, because the order of the rest may change meanwhile:
// with every message that is deleted, and with every vector that is made. So each hit is shown once.
type Place struct {
	UpTo  int64   // the newest message that was among the hits; 0: whichever there is. What came since is not shown
	Shown []int64 // the Seqs of those that were shown
	Skip  int     // so many of the others are passed over
}

// Result is a page of what a search found.
type Result struct {
	Found   []Found
	Next    *Place // nil: this is the last page
	Partial bool   // some messages have no vector yet, and were looked for by their words alone, if at all
}

// Search lists the messages that match a query, the best first, from a place on.
func (ix *Index) Search(ctx context.Context, q Query, from Place, limit int) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	done, err := ix.searchSlot(ctx)
	if err != nil {
		return Result{}, err
	}
	defer done()
	x, err := ix.finder(ctx, q, true)
	if err != nil {
		return Result{}, err
	}
	x.upTo = from.UpTo
	ranked, err := x.best(ctx, q.Mode)
	if err != nil {
		return Result{}, err
	}
	page, next, err := x.pageOf(ctx, from.unshown(ranked), from.Skip, limit)
	if err != nil {
		return Result{}, err
	}
	return Result{Found: page, Partial: x.partial, Next: from.next(ranked, next)}, x.highlightAll(ctx, page)
}

// unshown are the hits that were not shown yet.
func (p Place) unshown(ranked []scored) []scored {
	if len(p.Shown) == 0 {
		return ranked
	}
	shown := make(map[int64]bool, len(p.Shown))
	for _, seq := range p.Shown {
		shown[seq] = true
	}
	return slices.DeleteFunc(slices.Clone(ranked), func(f scored) bool { return shown[f.seq] })
}

// next is where the page begins that follows one which ended after the first n hits that had not been shown; 0: it was
// the last one.
func (p Place) next(ranked []scored, n int) *Place {
	if n == 0 {
		return nil
	}
	next := Place{UpTo: p.UpTo, Shown: slices.Clone(p.Shown)}
	for _, f := range ranked {
		next.UpTo = max(next.UpTo, f.seq)
	}
	for _, f := range p.unshown(ranked)[:n] {
		next.Shown = append(next.Shown, f.seq)
	}
	return &next
}

// best returns what was found, by words, by meaning or by both, the best first.
func (x *finder) best(ctx context.Context, mode string) ([]scored, error) {
	var words, near []scored
	var err error
	text := x.query.Meant()
	if mode != "semantic" || text == "" || x.ix.opt.Encoder == nil {
		if words, err = x.ranked(ctx, allWords); err == nil && mode == "hybrid" && text != "" {
			words, err = x.withSome(ctx, words)
		}
		if err != nil {
			return nil, err
		}
	}
	if mode == "keyword" || text == "" || x.ix.opt.Encoder == nil {
		return words, nil
	}
	near, err = x.byMeaning(ctx, text, mode == "semantic")
	switch {
	case err != nil && ctx.Err() == nil:
		x.ix.opt.Log.Warn("search by meaning", "mailbox", x.num, "error", err)
		if mode == "semantic" {
			return nil, errNoMeaning
		}
		return words, nil
	case err != nil:
		return nil, err
	case mode == "semantic":
		return near, nil
	}
	return fused(words, near), nil
}
