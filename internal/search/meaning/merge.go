package meaning

import (
	"cmp"
	"slices"
)

// mergeK is how little the first places of a list count over the next. It is small, because the first place of a scan
// is worth far more than its tenth.
const mergeK = 5

// Match is a mail that words found.
type Match struct {
	ID    uint64
	Share float32 // of the query, by the rarity of its words, that the mail has: 1 for a mail with all of them
}

// Merged is a mail's place among both.
type Merged struct {
	ID    uint64
	Score float32 // 1 for the first of both with every word, 0.5 for the first of one list
}

// Merge makes one list of what a scan and what words found, the best first in each, by reciprocal ranks. A match counts
// by the square of its share: a mail with all words of the query is as good as the nearest one, a mail that only has
// its "the" and "my" is no better than one without. Of equals the higher number, which is the newer, comes first. A
// mail that is twice in a list counts twice.
func Merge(near []Hit, words []Match) []Merged {
	scores := make(map[uint64]float32, len(near)+len(words))
	for i, h := range near {
		scores[h.ID] += place(i)
	}
	for i, m := range words {
		share := min(max(m.Share, 0), 1)
		scores[m.ID] += place(i) * share * share
	}
	merged := make([]Merged, 0, len(scores))
	for id, score := range scores {
		merged = append(merged, Merged{id, score})
	}
	slices.SortFunc(merged, func(a, b Merged) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score),
			cmp.Compare(b.ID, a.ID))
	})
	return merged
}

// place is what a place in a list is worth, half for the first.
func place(i int) float32 { return 0.5 * (mergeK + 1) / float32(mergeK+1+i) }
