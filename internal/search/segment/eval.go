package segment

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// DefaultBudget is enough for any query over some hundred thousand documents, and some ten milliseconds of work.
const DefaultBudget = 1 << 16

// Options of an evaluation. The zero value looks at everything.
type Options struct {
	From   int64 // the newest Seq that is looked at; 0 is all
	Until  int64 // the oldest
	Budget int   // chunks of postings that may be decoded; 0 is DefaultBudget
}

// Result is how an evaluation ended.
type Result struct {
	// Next is 0 when every document was decided. Otherwise found wanted no more, or the budget was spent, and the
	// documents that are not newer than Next are open: go on with it as Options.From.
	Next int64
	// Cut is true when a prefix stood for more terms than were looked at.
	Cut bool
}

// Hit is a document that matches. It is valid during the callback.
type Hit struct {
	Seq    int64
	Leaves []LeafHit // in the order of the function Leaves
	e      *segmentEval
}

// Sizes returns the number of tokens in each field, to an eighth.
func (h Hit) Sizes(ctx context.Context) ([Fields]uint64, error) {
	var sizes [Fields]uint64
	if h.e.sizes == nil {
		c := newDocCursor(h.e.v)
		h.e.sizes = &c
	}
	seq, err := h.e.sizes.seek(ctx, h.Seq)
	if err != nil {
		return sizes, err
	}
	if seq != h.Seq {
		return sizes, corrupt("document %d is not listed", h.Seq)
	}
	for f, b := range h.e.sizes.cur().sizes {
		sizes[f] = byteSize(b)
	}
	return sizes, nil
}

// Eval returns the documents of a mailbox's segments that match, newest first and each once, until found says no. The
// segments come in any order. Segments are opened when the evaluation reaches their newest document.
func Eval(ctx context.Context, segments []*Reader, q Query, opt Options, found func(Hit) bool) (Result, error) {
	if err := validate(q); err != nil {
		return Result{}, err
	}
	if err := oneMailbox(segments); err != nil {
		return Result{}, err
	}
	if opt.Budget <= 0 {
		opt.Budget = DefaultBudget
	}
	if opt.From <= 0 {
		opt.From = math.MaxInt64
	}
	ev := evaluation{q: q, until: max(opt.Until, 1), found: found, last: math.MaxInt64}
	ev.cache, ev.work.left = newCache(cacheBlocks), opt.Budget
	for _, r := range segments {
		if r.meta.MinSeq <= opt.From {
			e := &segmentEval{r: r, bound: min(r.meta.MaxSeq, opt.From)}
			ev.parts = append(ev.parts, e)
			ev.from = max(ev.from, e.bound)
		}
	}
	return ev.run(ctx)
}

func oneMailbox(segments []*Reader) error {
	for _, r := range segments {
		if r.id.Mailbox != segments[0].id.Mailbox {
			return fmt.Errorf("%w: segments of mailboxes %d and %d", ErrQuery, segments[0].id.Mailbox, r.id.Mailbox)
		}
	}
	return nil
}

type evaluation struct {
	q     Query
	from  int64 // where it began
	until int64
	found func(Hit) bool
	last  int64 // the hit given last
	parts []*segmentEval
	cache *cache
	work  work
	cut   bool
}

func (ev *evaluation) run(ctx context.Context) (Result, error) {
	for {
		e, second := ev.newest()
		if e == nil {
			return Result{Cut: ev.cut}, nil
		}
		for more := true; more; more = e.bound > second { // else another one may have the next hit
			if e.found {
				if !ev.give(e) {
					return Result{Next: ev.resumeAt(), Cut: ev.cut}, nil
				}
				continue
			}
			if ev.work.left <= 0 && e.bound < ev.from { // a call that decides nothing would be made for ever
				return Result{Next: ev.resumeAt(), Cut: ev.cut}, nil
			}
			if err := ev.advance(ctx, e, second); err != nil {
				return Result{}, &ReadError{"evaluate", e.r.id, err}
			}
		}
	}
}

// newest returns the segment that may have the next hit, and how far it may go before another must be asked. Those that
// have come to their end are left out from then on. Of two with the same document the later one is first.
func (ev *evaluation) newest() (best *segmentEval, second int64) {
	second = noDoc
	ev.parts = slices.DeleteFunc(ev.parts, func(e *segmentEval) bool { return e.bound < ev.until })
	for _, e := range ev.parts {
		switch {
		case best == nil:
			best = e
		case e.bound > best.bound || e.bound == best.bound && e.r.id.Segment > best.r.id.Segment:
			best, second = e, max(second, best.bound)
		default:
			second = max(second, e.bound)
		}
	}
	return best, second
}

// resumeAt is where to go on: below the last hit, even if a copy of it was not looked at yet.
func (ev *evaluation) resumeAt() int64 {
	e, _ := ev.newest()
	if e == nil || ev.last-1 < ev.until {
		return 0
	}
	return min(e.bound, ev.last-1)
}

// give hands a hit over, unless its copy in a later segment was one.
func (ev *evaluation) give(e *segmentEval) bool {
	seq := e.bound
	e.bound, e.found = seq-1, false
	if seq == ev.last {
		return true
	}
	ev.last = seq
	return ev.found(Hit{Seq: seq, Leaves: e.hits, e: e})
}

// advance decides documents of one segment, down to the next hit, the next segment, or the end of the budget.
func (ev *evaluation) advance(ctx context.Context, e *segmentEval, second int64) error {
	if e.root == nil {
		if err := e.open(ctx, ev.q, ev.cache, &ev.work); err != nil {
			return err
		}
		ev.cut = ev.cut || e.cut
	}
	for {
		seq, err := e.root.seek(ctx, e.bound)
		if err != nil {
			return err
		}
		e.bound = seq
		if seq < ev.until {
			e.bound = noDoc
			return nil
		}
		clear(e.hits)
		if e.found, err = e.root.at(ctx, seq); err != nil || e.found {
			return err
		}
		if e.bound = seq - 1; e.bound < second || ev.work.left <= 0 {
			return nil
		}
	}
}

// Frequencies returns for every leaf in how many documents it is: of a word with alternatives the sum, of a phrase the
// number for its rarest word. It is what relevance weighs words by.
func Frequencies(ctx context.Context, segments []*Reader, q Query) ([]int64, error) {
	if err := validate(q); err != nil {
		return nil, err
	}
	if err := oneMailbox(segments); err != nil {
		return nil, err
	}
	leaves := Leaves(q)
	sums := make([]int64, len(leaves))
	c := newCache(cacheBlocks)
	for _, r := range segments {
		for i, l := range leaves {
			e := &segmentEval{r: r}
			if err := e.open(ctx, l, c, nil); err != nil {
				return nil, &ReadError{"count", r.id, err}
			}
			sums[i] += int64(e.root.cost())
		}
	}
	return sums, nil
}
