package search

import (
	"cmp"
	"slices"
)

// leastShare is what of a query's words, by their worth, a mail must have to be found by some of them.
const leastShare = 0.5

// rounding is what a sum of shares may be off by.
const rounding = 1e-9

// Some is a query of which not all words are there: whoever types four words may have one of them wrong.
type Some struct {
	Query // what such mail matches, and some more: Share tells those apart
	free  []choice
}

// choice is a word that may be missing, with the ways in which it is written, as places in Query.Words.
type choice struct {
	words []int
	worth float64 // of all that a mail may have, which is 1
}

// Some asks for mail that has at least half of the words, by their rarity in the mailbox, and everything that binds
// otherwise: what is in a group, quoted, for one field or barred is to be there, or not, as before. It is not ok where
// fewer than two words are left to choose from.
func (q Query) Some(st Stats) (some Some, ok bool) {
	var bound, free []*Node
	for _, n := range q.conjuncts() {
		if (n.Op == Find || n.typed != "") && n.bounds() == nil {
			free = append(free, n)
		} else {
			bound = append(bound, n)
		}
	}
	if q.Void || len(free) < 2 {
		return some, false
	}
	worth := st.worth(free, q.words)
	some.Root = all(And, append(bound, anyOf(free, worth)...))
	some.Root.gather(&some.words)
	for i, n := range free {
		some.free = append(some.free, choice{n.places(some.words), worth[i]})
	}
	return some, true
}

// places are those of a node's words among others.
func (n *Node) places(among []*Words) (at []int) {
	var own []*Words
	n.gather(&own)
	for _, w := range own {
		at = append(at, slices.Index(among, w))
	}
	return at
}

// worth is the rarity of each word, as a share of all. One that no mail has is likely the wrong one, and tells no mail
// from another: it counts as much as the others do on average.
func (st Stats) worth(free []*Node, words []*Words) []float64 {
	worth := make([]float64, len(free))
	sum, known := 0.0, 0.0
	for i, n := range free {
		for _, at := range n.places(words) {
			if at < len(st.With) && st.With[at] > 0 && (worth[i] == 0 || st.rarity(at) < worth[i]) {
				worth[i] = st.rarity(at)
			}
		}
		if worth[i] > 0 {
			sum, known = sum+worth[i], known+1
		}
	}
	usual := 1.0
	if known > 0 {
		usual = sum / known
	}
	sum += usual * (float64(len(free)) - known)
	for i := range worth {
		worth[i] = cmp.Or(worth[i], usual) / sum
	}
	return worth
}

// anyOf are nodes for mail that can have half of the words: without all of the rarest that is not possible, so one of
// those is asked for, and the others count for the rank.
func anyOf(free []*Node, worth []float64) []*Node {
	order := make([]int, len(free))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[a], worth[b]) })
	rest := 0.0
	common, rare := &Node{Op: Count}, &Node{Op: Or}
	for _, i := range order {
		if rest += worth[i]; rest < leastShare-rounding {
			common.Kids = append(common.Kids, free[i])
		} else {
			rare.Kids = append(rare.Kids, free[i])
		}
	}
	if len(common.Kids) == 0 {
		return []*Node{rare}
	}
	return []*Node{rare, common}
}

// Share is how much of the words that may be missing a mail has, by their worth, from 0 to 1; it is not ok if that is
// too little.
func (s Some) Share(h Hits) (share float64, ok bool) {
	for _, c := range s.free {
		if slices.ContainsFunc(c.words, func(at int) bool { return at < len(h.Words) && h.Words[at].Any() }) {
			share += c.worth
		}
	}
	return min(share, 1), share >= leastShare-rounding
}
