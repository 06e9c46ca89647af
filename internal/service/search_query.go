package service

import (
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
)

// indexQuery is what the index is asked for, how many leaves of it come before those for ranking, and whether what it finds is
// all that is asked for.
func indexQuery(q search.Query, p search.Plan) (ask segment.Query, own int, exact bool) {
	all := segment.And{}
	for _, clause := range p.Must {
		any := segment.Or{}
		for _, leaf := range clause {
			both := segment.And{}
			for i, term := range leaf.Terms {
				if leaf.Prefix && i == len(leaf.Terms)-1 {
					both = append(both, segment.Prefix(uint8(leaf.Fields), term))
				} else {
					both = append(both, segment.Word(uint8(leaf.Fields), term))
				}
			}
			any = append(any, both)
		}
		all = append(all, any)
	}
	exact = true
	if p.Verify {
		phrases, plain := phrasesOf(q)
		exact = plain
		all = append(all, phrases...)
	}
	if len(all) == 0 {
		all = append(all, segment.All{})
	}
	own = len(segment.Leaves(all))
	rank := segment.Or{segment.All{}}
	for _, w := range q.Words() {
		rank = append(rank, rankLeaf(w))
	}
	return append(all, rank), own, exact
}

// phrasesOf gives the phrases of a query that consists of words and phrases that must all be there, and tells whether these are
// all there is to look at twice.
func phrasesOf(q search.Query) (phrases []segment.Query, plain bool) {
	if q.Root == nil {
		return nil, false
	}
	nodes := []*search.Node{q.Root}
	if q.Root.Op == search.And {
		nodes = q.Root.Kids
	}
	plain = true
	for _, n := range nodes {
		switch {
		case n.Op == search.Where && (n.Filter.Kind != search.Has || n.Filter.Value != search.HasLink):
		case n.Op == search.Find && !n.Words.Prefix:
			terms, ok := consecutive(n.Words)
			if !ok {
				return nil, false
			}
			phrases = append(phrases, segment.Phrase(uint8(n.Words.Fields), terms...))
		default:
			return nil, false
		}
	}
	return phrases, plain
}

// consecutive gives the words of a phrase one after the other, if they can be found in no other form.
func consecutive(w *search.Words) (terms []string, ok bool) {
	tokens, _ := search.Tokenize(nil, search.Body, w.Text, 0)
	for _, t := range tokens {
		if t.Span > 1 {
			if first, _ := utf8.DecodeRuneInString(t.Text); utf8.RuneCountInString(t.Text) != 2 || first < 0x2e80 {
				return nil, false
			}
			continue // a pair of characters, which are there by themselves
		}
		terms = append(terms, t.Text)
	}
	return terms, len(terms) > 0
}

// rankLeaf finds where a word or phrase occurs, for its relevance.
func rankLeaf(w *search.Words) segment.Leaf {
	terms, ok := consecutive(w)
	switch {
	case ok && len(terms) > 1:
		return segment.Phrase(uint8(w.Fields), terms...)
	case ok && w.Prefix:
		return segment.Leaf{Slots: []segment.Slot{{Terms: terms, Prefix: terms[0]}}, Fields: uint8(w.Fields)}
	case ok:
		return segment.Word(uint8(w.Fields), terms...)
	}
	var all []string
	tokens, _ := search.Tokenize(nil, search.Body, w.Text, 0)
	for _, t := range tokens {
		all = append(all, t.Text)
	}
	return segment.Word(uint8(w.Fields), all...)
}
