package index

import (
	"slices"

	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
)

// A query may have more words than the index takes: half of its leaves are for what must be there, some for phrases and
// what must not, and the rest for ranking. What does not fit is left out, and messages are looked at twice.
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

// fits tells whether a part may have its place, within that many leaves and as large a share of the slots.
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

// question is what the index is asked for.
type question struct {
	ask   segment.Query // must and rank
	must  segment.Query // what is looked for
	rank  segment.Query // where the query's words are in it
	own   int           // leaves of must
	exact bool          // what the index finds needs no second look
	// Where it is not, and there are some, what decides of all these leaves of must needs none either.
	strict []decider
}

// nearlyExact tells whether few of the messages that the index finds need a second look, if any.
func (q *question) nearlyExact() bool { return q.exact || len(q.strict) > 0 }

// decider is a leaf of a phrase that decides, unless it is there in parts; one of a phrase that is barred decides if it
// is not there. Of the leaves of forms one decides if it is there.
type decider struct {
	leaf   int
	barred bool
	forms  []int
}

// decides tells whether it needs no second look at a message in which these leaves were found.
func (d decider) decides(leaves []segment.LeafHit) bool {
	if len(d.forms) > 0 {
		return slices.ContainsFunc(d.forms, func(at int) bool { return leaves[at].Freq > 0 })
	}
	l := leaves[d.leaf]
	return !l.Parted && (!d.barred || l.Freq == 0)
}

// indexQuery makes what the index is asked for. Ranking says that the best are wanted.
func indexQuery(q search.Query, p search.Plan, ranking bool) (out question) {
	var a asking
	byForm := !ranking || bySender(q)
	exact := !slices.ContainsFunc(p.Filters, inText)
	for _, clause := range p.Must {
		clause, first := formsFirst(clause), a.leaves
		if any := clauseQuery(clause); a.fits(any, mustLeaves) {
			a.all = append(a.all, any)
			if forms := formsOf(clause, first); byForm && len(forms) > 0 {
				out.strict = append(out.strict, decider{forms: forms})
			}
		} else {
			exact = false
		}
	}
	if p.Verify {
		phrases, forms, plain := phrasesOf(q)
		exact = exact && plain && forms == len(out.strict)
		for _, phrase := range phrases {
			if !a.fits(phrase.ask, phraseLeaves) {
				exact = false
				continue
			}
			a.all = append(a.all, phrase.ask)
			switch noted := (segment.Or{segment.All{}, phrase.loose}); {
			case phrase.loose == nil && phrase.parted:
				out.strict = append(out.strict, decider{leaf: a.leaves - 1})
			case phrase.loose == nil:
			case a.fits(noted, phraseLeaves):
				a.all = append(a.all, noted)
				out.strict = append(out.strict, decider{leaf: a.leaves - 1, barred: true})
			default:
				exact = false
			}
		}
	}
	if !exact {
		out.strict = nil
	}
	out.exact = exact && len(out.strict) == 0
	if len(a.all) == 0 {
		a.all = append(a.all, segment.All{})
	}
	out.own = a.leaves
	rank := segment.Or{segment.All{}}
	for _, w := range q.Words() {
		leaf := rankLeaf(w, bySender(q))
		if !a.fits(leaf, segment.MaxLeaves) {
			break
		}
		rank = append(rank, leaf)
	}
	out.ask, out.must, out.rank = append(slices.Clone(a.all), rank), a.all, rank
	return out
}

// bySender tells whether nothing but a sender is looked for by words. Such mail differs in its rank by how new it is,
// and hardly by how often the sender is named, so that a form which the index finds is enough to rank it. Other words
// weigh by the length of the text too, of which the index says nothing, where mail is looked at twice.
func bySender(q search.Query) bool {
	words := q.Words()
	return len(words) == 1 && words[0].Fields == search.From.Mask()
}

// formsFirst is a clause with the leaves in front that are all of its words in one form.
func formsFirst(clause search.Clause) search.Clause {
	return slices.SortedStableFunc(slices.Values(clause), func(a, b search.Leaf) int {
		switch {
		case a.Whole == b.Whole:
			return 0
		case a.Whole:
			return -1
		}
		return 1
	})
}

// formsOf are the leaves of a clause that are all of its words in one form, by their places; first is that of its first
// leaf.
func formsOf(clause search.Clause, first int) (forms []int) {
	for _, leaf := range clause {
		if leaf.Whole {
			forms = append(forms, first)
		}
		first += len(leaf.Terms)
	}
	return forms
}

// inText tells a filter that needs the message itself: its row does not say whether there is a link.
func inText(f search.Filter) bool { return f.Kind == search.Has && f.Value == search.HasLink }

// clauseQuery finds what has one of the leaves of a clause, the first of them: others are not asked for.
func clauseQuery(clause search.Clause) segment.Query {
	any := segment.First{}
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

// phrase is what the index is asked for a phrase, or for one that must not be there.
type phrase struct {
	ask    segment.Query
	parted bool          // words of it may stand for several
	loose  segment.Query // of one that is barred then: what has not even this is wanted
}

// newPhrase asks for words one after the other. A word that stands for several, as email does for e-mail, covers as
// many positions, so the next one may be farther after it.
func newPhrase(fields uint8, terms []string, barred bool) phrase {
	strict, loose := segment.Phrase(fields, terms...), segment.Phrase(fields, terms...)
	same := true
	for i, term := range terms[:len(terms)-1] {
		if search.IsPair(search.Token{Text: term, Span: 2}) {
			continue
		}
		for at := range term {
			if at > 0 {
				loose.Slots[i].Parts = append(loose.Slots[i].Parts, term[:at])
				same = false
			}
		}
	}
	switch {
	case same && barred:
		return phrase{ask: segment.Not{Of: strict}}
	case barred:
		return phrase{segment.Not{Of: strict}, true, loose}
	}
	return phrase{ask: loose, parted: !same}
}

// phrasesOf returns what must hold besides the words of a query, as far as the index can tell: its phrases, and what
// must not be there. Forms is how many of its words have a form for all of them, which decides. Plain says that these
// are all there is to look at twice.
func phrasesOf(q search.Query) (phrases []phrase, forms int, plain bool) {
	if q.Root == nil {
		return nil, 0, false
	}
	nodes := []*search.Node{q.Root}
	if q.Root.Op == search.And {
		nodes = q.Root.Kids
	}
	plain = true
	for _, n := range nodes {
		if n.Op == search.Where || n.Op == search.Count {
			continue
		}
		barred := n.Op == search.Not
		if barred {
			n = n.Kids[0]
		}
		if !barred && n.HasForm() {
			forms++
			continue
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
			phrases = append(phrases, newPhrase(fieldsOf(n.Words.Fields), terms, true))
			plain = plain && !n.Words.Prefix
		default:
			plain = plain && len(terms) <= phraseTerms
			phrases = append(phrases, newPhrase(fieldsOf(n.Words.Fields), terms[:min(len(terms), phraseTerms)], false))
		}
	}
	return phrases, forms, plain
}

// consecutive returns the words of a phrase one after the other, if they can be found in no other form. Where two
// characters are a pair, it is that and not the first of them: side by side they may also stand with something between
// them, and then they are no pair.
func consecutive(w *search.Words) (terms []string, ok bool) {
	tokens, end := search.Tokenize(nil, search.Body, w.Text, 0)
	terms = make([]string, end)
	n := end
	for _, t := range tokens {
		if t.Span == 1 {
			if terms[t.Pos] == "" {
				terms[t.Pos] = t.Text
			}
			continue
		}
		if !search.IsPair(t) {
			return nil, false
		}
		terms[t.Pos] = t.Text
		if t.Pos+2 == end {
			n = end - 1 // the pair has the last one
		}
	}
	return terms[:n], n > 0
}

// rankLeaf finds where a word or phrase occurs, for its relevance: of a sender that is looked for alone, its forms.
func rankLeaf(w *search.Words, alone bool) segment.Leaf {
	terms, ok := consecutive(w)
	switch {
	case alone && len(w.Forms()) > 0:
		return segment.Word(fieldsOf(w.Fields), w.Forms()...)
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
