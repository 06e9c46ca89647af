package code

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// kinds is a set of kind.
type kinds uint32

func (k kinds) has(one kind) bool { return k&(1<<one) != 0 }

// any says whether the two have something in common.
func (k kinds) any(other kinds) bool { return k&other != 0 }

func setOf(ks ...kind) (s kinds) {
	for _, k := range ks {
		s |= 1 << k
	}
	return s
}

// phrases are the phrases of all languages, those that begin a word and those found anywhere.
type phrases struct {
	*lexicon.Table
	starts, inside *lexicon.Pairs
	gate           *gate
	unspaced       *charPairs
}

// at is the longest phrase at i. Within a word only some are looked for.
func (ph *phrases) at(text []byte, i int, within bool) (n int, ks kinds) {
	a, b := text[i], text[i+1]
	if !within {
		if node := ph.starts.Node(a, b); node != 0 {
			n, ks = longestFrom(ph.Starts, node, text[i:], 2)
		}
	}
	if node := ph.inside.Node(a, b); node != 0 {
		if m, more := longestFrom(ph.Inside, node, text[i:], 2); m > n {
			return m, more
		}
	}
	return n, ks
}

// longestFrom is the longest phrase text begins with, from the node on that its first i bytes lead to.
func longestFrom(a *lexicon.Automaton, node uint32, text []byte, i int) (n int, ks kinds) {
	n, v := lexicon.LongestFrom(a, node, text, i)
	return n, kinds(v.Means)
}

var allPhrases = sync.OnceValue(func() *phrases {
	list := section().Phrases()
	ph := &phrases{Table: lexicon.Compile(list, true), unspaced: new(charPairs)}
	ph.starts, ph.inside = ph.Starts.Pairs(), ph.Inside.Pairs()
	ph.gate = newGate(list, ph.inside)
	for i := range list {
		if list[i].Anywhere {
			ph.unspaced.add(list[i].Text, ph.Inside)
		}
	}
	return ph
})
