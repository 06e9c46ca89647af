package segment

import (
	"cmp"
	"context"
	"slices"
)

// segmentEval is a query in one segment.
type segmentEval struct {
	r     *Reader
	v     *view
	root  cursor
	hits  []LeafHit // by leaf
	spare LeafHit   // for leaves under Not
	leaf  int       // number of the next leaf while compiling
	cut   bool

	bound int64 // no undecided document is above it
	found bool  // the one at bound is a hit
	sizes *docCursor
}

// open compiles the query against the segment.
func (e *segmentEval) open(ctx context.Context, q Query, c *cache, w *work) error {
	v, err := newView(ctx, e.r, c)
	if err != nil {
		return err
	}
	v.work = w
	e.v = v
	e.hits = make([]LeafHit, len(Leaves(q)))
	e.root, err = e.compile(ctx, q, false)
	return err
}

// compile makes the cursor of a part. Under Not the leaves have nothing to tell.
func (e *segmentEval) compile(ctx context.Context, q Query, silent bool) (cursor, error) {
	switch q := q.(type) {
	case And:
		return e.compileAnd(ctx, q, silent)
	case Or:
		return e.compileOr(ctx, q, silent, false)
	case First:
		return e.compileOr(ctx, q, silent, true)
	case Not:
		return e.compileAnd(ctx, And{q}, silent)
	case Leaf:
		return e.compileLeaf(ctx, q, silent)
	}
	return &everything{docs: newDocCursor(e.v)}, nil
}

func (e *segmentEval) compileOr(ctx context.Context, parts []Query, silent, first bool) (cursor, error) {
	c := &either{first: first}
	for _, part := range parts {
		p, err := e.compile(ctx, part, silent)
		if err != nil {
			return nil, err
		}
		if p != (nothing{}) {
			c.parts = append(c.parts, p)
		}
	}
	if len(c.parts) == 0 {
		return nothing{}, nil
	}
	return c, nil
}

// compileAnd gives up at the first part that the segment does not have: the other lists are never opened.
func (e *segmentEval) compileAnd(ctx context.Context, parts And, silent bool) (cursor, error) {
	var with, without, noted []cursor
	end := e.leaf
	for _, part := range parts {
		end += len(Leaves(part))
	}
	for _, part := range parts {
		if or, ok := part.(Or); ok && slices.Contains(or, Query(All{})) {
			more, err := e.compileNoted(ctx, or, silent)
			if err != nil {
				return nil, err
			}
			noted = append(noted, more...)
			continue
		}
		not, isNot := part.(Not)
		if isNot {
			part = not.Of
		}
		c, err := e.compile(ctx, part, silent || isNot)
		if err != nil {
			return nil, err
		}
		switch {
		case isNot && c == (nothing{}):
		case isNot:
			without = append(without, c)
		case c == (nothing{}):
			e.leaf = end
			return nothing{}, nil
		default:
			with = append(with, c)
		}
	}
	return e.join(with, without, noted), nil
}

// compileNoted makes the cursors of a disjunction that every document matches: it excludes nothing, and what its leaves
// find is noted of those documents that match otherwise.
func (e *segmentEval) compileNoted(ctx context.Context, or Or, silent bool) (noted []cursor, err error) {
	for _, part := range or {
		if part == (All{}) {
			continue
		}
		c, err := e.compile(ctx, part, silent)
		if err != nil {
			return nil, err
		}
		if c != (nothing{}) && !silent {
			noted = append(noted, c)
		}
	}
	return noted, nil
}

func (e *segmentEval) compileLeaf(ctx context.Context, l Leaf, silent bool) (cursor, error) {
	hit := &e.hits[e.leaf]
	e.leaf++
	if silent {
		hit = &e.spare
	}
	fields := l.Fields
	if fields == 0 {
		fields = anyField
	}
	var slots []*slotCursor
	for _, s := range l.Slots {
		c, err := e.compileSlot(ctx, s)
		if err != nil {
			return nil, err
		}
		if c.cost() == 0 {
			return nothing{}, nil
		}
		slots = append(slots, c)
	}
	if len(slots) == 1 {
		return &word{slotCursor: *slots[0], fields: fields, hit: hit}, nil
	}
	order := slices.Clone(slots)
	slices.SortStableFunc(order, func(a, b *slotCursor) int { return cmp.Compare(a.cost(), b.cost()) })
	p := &phrase{slots: slots, order: order, fields: fields, hit: hit}
	if slices.ContainsFunc(l.Slots, func(s Slot) bool { return len(s.Parts) > 0 }) {
		p.parted, p.find = true, func(ctx context.Context) (parts []*slotCursor, err error) {
			return e.compileParts(ctx,
				l.Slots)
		}
	}
	return p, nil
}

// compileParts finds the parts of slots: nil if the segment has none.
func (e *segmentEval) compileParts(ctx context.Context, slots []Slot) (parts []*slotCursor, err error) {
	some := false
	for _, s := range slots {
		c, err := e.compileSlot(ctx, Slot{Terms: s.Parts})
		if err != nil {
			return nil, err
		}
		some = some || c.cost() > 0
		parts = append(parts, c)
	}
	if !some {
		return nil, nil
	}
	return parts, nil
}

func (e *segmentEval) compileSlot(ctx context.Context, s Slot) (*slotCursor, error) {
	c := &slotCursor{v: e.v}
	terms := slices.Compact(slices.Sorted(slices.Values(s.Terms)))
	for _, term := range terms {
		if s.Prefix != "" && len(term) >= len(s.Prefix) && term[:len(s.Prefix)] == s.Prefix {
			continue // the prefix has it
		}
		l, ok, err := e.v.lookup(ctx, term)
		if err != nil {
			return nil, err
		}
		if ok {
			c.add(l)
		}
	}
	if s.Prefix == "" {
		return c, nil
	}
	x := expansion{keep: prefixLists}
	if err := e.v.expand(ctx, s.Prefix, &x); err != nil {
		return nil, err
	}
	for _, l := range x.lists {
		c.add(l.list)
	}
	c.rare = x.rare
	e.cut = e.cut || x.cut
	return c, nil
}

func (s *slotCursor) add(l list) {
	p := &Postings{}
	p.reset(s.v, &l)
	s.lists = append(s.lists, p)
}
