package segment

import (
	"context"
	"slices"
)

// cursor finds the documents of a segment that match a part of a query. Both methods are asked newest first.
//
// A candidate is cheap: seek takes a bounded number of chunks, whatever the lists look like, and so may stop at a
// document that does not match. This is what lets Eval stop between any two candidates and go on from there.
type cursor interface {
	// seek returns a candidate: no document above it and not above target matches. noDoc if there is none.
	seek(ctx context.Context, target int64) (int64, error)
	// at tells whether this very document matches, and notes what the leaves found.
	at(ctx context.Context, seq int64) (bool, error)
	// cost is about how many documents it has.
	cost() int
}

// runner is a cursor that can tell from a document it matches how far down all others match too.
type runner interface {
	// run is asked after at said yes to seq. All documents from seq down to what it returns match.
	run(seq int64) int64
}

// nothing is a word that the segment does not have.
type nothing struct{}

func (nothing) seek(context.Context, int64) (int64, error) { return noDoc, nil }
func (nothing) at(context.Context, int64) (bool, error)    { return false, nil }
func (nothing) cost() int                                  { return 0 }

// everything is all documents of the segment.
type everything struct{ docs docCursor }

func (c *everything) seek(ctx context.Context, target int64) (int64, error) {
	return c.docs.seek(ctx, target)
}

func (c *everything) at(ctx context.Context, seq int64) (bool, error) {
	found, err := c.docs.seek(ctx, seq)
	return found == seq, err
}

func (c *everything) cost() int { return c.docs.v.r.meta.Docs }

// both is a conjunction: without is what must not match.
type both struct {
	with    []cursor // cheapest first, at least one
	without []cursor
	noted   []cursor // asked of what matches, for what their leaves find
	leads   int      // so many of with say what a candidate is

	high, low int64 // the documents between, both included, are known not to match
}

// muchLonger is in how many times as many documents a part is that is not asked for candidates: hardly one of those
// that the other parts have would be passed over, and each takes a chunk of its list.
const muchLonger = 16

// leaps is how often the parts of a conjunction are asked in turn before it gives a candidate they do not agree on.
const leaps = 16

func (c *both) seek(ctx context.Context, target int64) (int64, error) {
	if c.low <= target && target <= c.high {
		if target = c.low - 1; target == noDoc {
			return noDoc, nil
		}
	}
	for range leaps {
		start := target
		for _, part := range c.with[:c.leads] {
			seq, err := part.seek(ctx, target)
			if err != nil || seq == noDoc {
				return noDoc, err
			}
			target = seq
		}
		if c.leads == 1 || target == start {
			break
		}
	}
	return target, nil
}

func (c *both) at(ctx context.Context, seq int64) (bool, error) {
	for _, part := range c.with {
		if ok, err := part.at(ctx, seq); err != nil || !ok {
			return false, err
		}
	}
	for _, part := range c.without {
		bad, err := part.at(ctx, seq)
		if err != nil {
			return false, err
		}
		if bad {
			c.pass(part, seq)
			return false, nil
		}
	}
	for _, part := range c.noted {
		if _, err := part.at(ctx, seq); err != nil {
			return false, err
		}
	}
	return true, nil
}

// pass notes how far the part that must not match goes on: where nearly every mail has a word, whole chunks are passed
// over unread.
func (c *both) pass(part cursor, seq int64) {
	if r, ok := part.(runner); ok {
		c.high, c.low = seq, r.run(seq)
	}
}

func (c *both) cost() int { return c.with[0].cost() }

// either is a disjunction.
type either struct {
	parts []cursor
	first bool // one part that matches is enough to know
}

func (c *either) seek(ctx context.Context, target int64) (int64, error) {
	best := int64(noDoc)
	for _, part := range c.parts {
		seq, err := part.seek(ctx, target)
		if err != nil {
			return noDoc, err
		}
		best = max(best, seq)
	}
	return best, nil
}

// at asks every part, because relevance wants to know all that match, unless one is enough.
func (c *either) at(ctx context.Context, seq int64) (bool, error) {
	any := false
	for _, part := range c.parts {
		ok, err := part.at(ctx, seq)
		if err != nil {
			return false, err
		}
		if any = any || ok; any && c.first {
			break
		}
	}
	return any, nil
}

func (c *either) run(seq int64) int64 {
	low := seq
	for _, part := range c.parts {
		if r, ok := part.(runner); ok {
			low = min(low, r.run(seq))
		}
	}
	return low
}

func (c *either) cost() int {
	sum := 0
	for _, part := range c.parts {
		sum += part.cost()
	}
	return sum
}

// join makes a conjunction of what must and must not match, and what is to be noted of it.
func (e *segmentEval) join(with, without, noted []cursor) cursor {
	if len(with) == 0 {
		with = []cursor{&everything{docs: newDocCursor(e.v)}}
	}
	if len(with) == 1 && len(without) == 0 && len(noted) == 0 {
		return with[0]
	}
	without = slices.DeleteFunc(without, func(part cursor) (whole bool) {
		if w, ok := part.(*word); ok {
			with, whole = w.lacksOf(with)
		}
		return whole
	})
	slices.SortStableFunc(with, func(a, b cursor) int { return a.cost() - b.cost() })
	leads := 1
	for leads < len(with) && with[leads].cost()/muchLonger <= with[0].cost() {
		leads++
	}
	return &both{with: with, without: without, noted: noted, leads: leads}
}
