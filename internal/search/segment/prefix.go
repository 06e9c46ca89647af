package segment

import (
	"bytes"
	"cmp"
	"context"
	"slices"
)

const (
	prefixLists = 64   // lists of a prefix that are walked
	prefixTerms = 2048 // terms of a prefix that are looked at
)

// expansion is what a prefix stands for in a segment: the terms in most documents as lists, and the postings of all
// the rare ones, which the dictionary holds, in one.
type expansion struct {
	keep  int
	names bool // keep terms, and rare ones as lists too

	lists []expanded
	rare  []rarePosting
	cut   bool // there is more than was kept
}

type expanded struct {
	term string
	list list
}

// rarePosting is a posting of some term with few documents; its positions begin that many numbers after offset.
type rarePosting struct {
	posting
	offset  int64
	numbers int
}

func (v *view) expand(ctx context.Context, prefix string, x *expansion) error {
	c := newDictCursor(v)
	ok, err := c.seek(ctx, []byte(prefix))
	for seen := 0; ok && err == nil && bytes.HasPrefix(c.term(), []byte(prefix)); seen++ {
		if seen == prefixTerms {
			x.cut = true
			break
		}
		x.take(&c)
		ok, err = c.next(ctx)
	}
	if err != nil {
		return err
	}
	slices.SortStableFunc(x.lists, func(a, b expanded) int { return b.list.docs - a.list.docs })
	if len(x.lists) > x.keep {
		x.cut = true
		x.lists = slices.Clip(x.lists[:x.keep])
	}
	slices.SortStableFunc(x.rare, func(a, b rarePosting) int { return cmp.Compare(b.seq, a.seq) })
	return nil
}

func (x *expansion) take(c *dictCursor) {
	if x.names {
		x.lists = append(x.lists, expanded{string(c.term()), list{docs: c.list.docs}})
		return
	}
	if c.list.docs > inlineDocs {
		x.lists = append(x.lists, expanded{list: c.list})
		return
	}
	numbers := 0
	for _, p := range c.list.few[:c.list.docs] {
		x.rare = append(x.rare, rarePosting{p, c.list.pos, numbers})
		numbers += numbersOf(p.mask, uint16(p.freq-1))
	}
}

func (x *expansion) counts() []TermCount {
	counts := make([]TermCount, len(x.lists))
	for i, l := range x.lists {
		counts[i] = TermCount{l.term, l.list.docs}
	}
	return counts
}
