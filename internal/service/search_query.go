package service

import (
	"slices"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
)

// A query may have more words than the index takes: half of its leaves are for what must be there, some for phrases and what must not, and the
// rest for ranking. What does not fit is left out, and messages are looked at twice.
const (
	mustLeaves   = segment.MaxLeaves / 2
	phraseLeaves = segment.MaxLeaves * 2 / 3
	// phraseTerms is how much of a phrase the index is asked for.
	phraseTerms = 16
)

// asking is a query for the index as it grows.
type asking struct {
	all    segment.And
	leaves int
	slots  int
}

// fits tells whether a part may have its place, within so many leaves and as large a share of the slots.
func (a *asking) fits(part segment.Query, leaves int) bool {
	list := segment.Leaves(part)
	slots := 0
	for _, l := range list {
		slots += len(l.Slots)
	}
	if a.leaves+len(list) > leaves || a.slots+slots > segment.MaxSlots*leaves/segment.MaxLeaves {
		return false
	}
	a.leaves, a.slots = a.leaves+len(list), a.slots+slots
	return true
}

// indexQuery is what the index is asked for, with and without what is only for ranking, how many leaves come before that, and whether what it finds is
// all that is asked for.
func indexQuery(q search.Query, p search.Plan) (ask, must segment.Query, own int, exact bool) {
	var a asking
	exact = true
	for _, clause := range p.Must {
		if any := clauseQuery(clause); a.fits(any, mustLeaves) {
			a.all = append(a.all, any)
		} else {
			exact = false
		}
	}
	if p.Verify {
		phrases, plain := phrasesOf(q)
		exact = exact && plain
		for _, phrase := range phrases {
			if a.fits(phrase, phraseLeaves) {
				a.all = append(a.all, phrase)
			} else {
				exact = false
			}
		}
	}
	if len(a.all) == 0 {
		a.all = append(a.all, segment.All{})
	}
	own = a.leaves
	rank := segment.Or{segment.All{}}
	for _, w := range q.Words() {
		leaf := rankLeaf(w)
		if !a.fits(leaf, segment.MaxLeaves) {
			break
		}
		rank = append(rank, leaf)
	}
	return append(slices.Clone(a.all), rank), a.all, own, exact
}

// clauseQuery finds what has one of the leaves of a clause.
func clauseQuery(clause search.Clause) segment.Query {
	any := segment.Or{}
	for _, leaf := range clause {
		both := segment.And{}
		for i, term := range leaf.Terms {
			if leaf.Prefix && i == len(leaf.Terms)-1 {
				both = append(both, segment.Prefix(fieldsOf(leaf.Fields), term))
			} else {
				both = append(both, segment.Word(fieldsOf(leaf.Fields), term))
			}
		}
		any = append(any, both)
	}
	return any
}

// fieldsOf is a set of fields as the index takes it: all of them are none, which need not be looked at.
func fieldsOf(m search.Mask) uint8 {
	if m == search.AllFields {
		return 0
	}
	return uint8(m)
}

// phrasesOf gives what must hold beside the words of a query, as far as the index can tell: its phrases, and what must not be there. Plain says
// that these are all there is to look at twice.
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
		if n.Op == search.Where && (n.Filter.Kind != search.Has || n.Filter.Value != search.HasLink) {
			continue
		}
		barred := n.Op == search.Not
		if barred {
			n = n.Kids[0]
		}
		if n.Op != search.Find || n.Words.Prefix && !barred {
			plain = false
			continue
		}
		terms, ok := consecutive(n.Words)
		switch {
		case !ok, barred && len(terms) > phraseTerms:
			plain = false
		case barred: // what has the whole word is out; what has only its beginning is to be looked at
			phrases = append(phrases, segment.Not{Of: segment.Phrase(fieldsOf(n.Words.Fields), terms...)})
			plain = plain && !n.Words.Prefix
		default:
			plain = plain && len(terms) <= phraseTerms
			phrases = append(phrases, segment.Phrase(fieldsOf(n.Words.Fields), terms[:min(len(terms), phraseTerms)]...))
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
		return segment.Phrase(fieldsOf(w.Fields), terms[:min(len(terms), phraseTerms)]...)
	case ok && w.Prefix:
		return segment.Leaf{Slots: []segment.Slot{{Terms: terms, Prefix: terms[0]}}, Fields: fieldsOf(w.Fields)}
	case ok:
		return segment.Word(fieldsOf(w.Fields), terms...)
	}
	var all []string
	tokens, _ := search.Tokenize(nil, search.Body, w.Text, 0)
	for _, t := range tokens {
		all = append(all, t.Text)
	}
	return segment.Word(fieldsOf(w.Fields), all[:min(len(all), segment.MaxAlike)]...)
}
