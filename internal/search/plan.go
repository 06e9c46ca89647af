package search

import (
	"cmp"
	"slices"
)

// Plan is what a store has to ask its index for.
//
// The contract. A mail is a candidate if Filters all hold and in each of Must, one Leaf does. Every mail that [Match]
// accepts is a candidate. If Verify is false, and the index keeps the field of each word, every candidate is also a
// match; otherwise the store gives each candidate's tokens to a [Matcher] before it counts. A store may take fewer of
// Must, expand a beginning to more terms than it has to, or leave out the fields, as long as it verifies then; it may
// never find less.
//
// For an own table of postings (term → mails with their fields, newest first): a leaf is the intersection of its terms'
// lists, a clause the union of its leaves, the plan the intersection of its clauses. They come with the most selective
// first. For FTS5: a clause is (a OR (b AND c)), a plan is clause AND clause, a field is a column filter. For a
// tsvector: the same with | and &; terms have to be quoted for each. Phrases and positions are never asked of an index:
// the words are, and Match looks at positions.
type Plan struct {
	None    bool     // there can be no match; the rest is empty
	Must    []Clause // empty: all mails are candidates, newest first
	Filters []Filter
	Verify  bool
}

// Clause is a choice: one leaf is enough.
type Clause []Leaf

// Leaf is terms that must all be in the same one of Fields.
type Leaf struct {
	Terms  []string
	Fields Mask
	Prefix bool // the last of Terms is the beginning of one
	Whole  bool // whoever has it has all the words of its clause, which other leaves only promise
}

// Limits of a plan. Beyond them it asks for less and verifies.
const (
	maxClauses = 16
	maxPaths   = 8
)

// Plan works out what to ask an index for.
func (q Query) Plan() Plan {
	if q.Void {
		return Plan{None: true}
	}
	var p Plan
	for _, n := range q.conjuncts() {
		if n.Op == Where {
			p.Filters = append(p.Filters, n.Filter)
			continue
		}
		must, exact := n.plan()
		if n.HasForm() {
			must[0].markForms()
		}
		p.Must = append(p.Must, must...)
		p.Verify = p.Verify || !exact
	}
	slices.SortStableFunc(p.Must, func(a, b Clause) int { return cmp.Compare(b.promise(), a.promise()) })
	if len(p.Must) > maxClauses {
		p.Must, p.Verify = p.Must[:maxClauses], true
	}
	return p
}

// HasForm tells whether a node is words that other forms may stand for, of which one is all of them.
func (n *Node) HasForm() bool { return n.Op == Find && len(n.Words.Forms()) > 0 }

// Forms are those that stand for all of several words, as kim@example.com does for kim, example and com.
func (w *Words) Forms() (forms []string) {
	if must, exact := w.plan(); exact || len(must) != 1 {
		return nil
	}
	for _, a := range w.arcs {
		if a.from == 0 && a.to == w.end {
			forms = append(forms, a.text)
		}
	}
	return forms
}

// markForms notes which leaves are such.
func (c Clause) markForms() {
	for i := range c {
		c[i].Whole = len(c[i].Terms) == 1 && !c[i].Prefix
	}
}

func (q Query) conjuncts() []*Node {
	switch {
	case q.Root == nil:
		return nil
	case q.Root.Op == And:
		return q.Root.Kids
	}
	return []*Node{q.Root}
}

// plan returns clauses that hold for every mail the node matches, none if there are no such; exact, if they hold for no
// other.
func (n *Node) plan() (must []Clause, exact bool) {
	switch n.Op {
	case Find:
		return n.Words.plan()
	case And:
		exact = true
		for _, k := range n.Kids {
			m, e := k.plan()
			must, exact = append(must, m...), exact && e
		}
		return must, exact
	case Or:
		return planOr(n.Kids)
	case Count:
		return nil, true
	}
	return nil, false
}

// planOr turns a choice between conjunctions into a conjunction of choices.
func planOr(kids []*Node) (must []Clause, exact bool) {
	must, exact = []Clause{nil}, true
	for _, k := range kids {
		m, e := k.plan()
		if len(m) == 0 {
			return nil, false
		}
		exact = exact && e
		if len(m)*len(must) > maxClauses {
			m, exact = []Clause{best(m)}, false
		}
		if len(must) > maxClauses {
			must, exact = []Clause{best(must)}, false
		}
		product := make([]Clause, 0, len(m)*len(must))
		for _, a := range must {
			for _, b := range m {
				product = append(product, slices.Concat(a, b))
			}
		}
		must = product
	}
	return must, exact
}

func best(clauses []Clause) Clause {
	return slices.MaxFunc(clauses, func(a, b Clause) int { return cmp.Compare(a.promise(), b.promise()) })
}

// promise guesses how selective a clause is: by the longest term of its weakest leaf.
func (c Clause) promise() int {
	worst := MaxText
	for _, l := range c {
		longest := 0
		for i, t := range l.Terms {
			size := len(t)
			if l.Prefix && i == len(l.Terms)-1 {
				size /= 2
			}
			longest = max(longest, size)
		}
		worst = min(worst, longest)
	}
	return worst
}

// plan parts words where no form reaches across, and asks for each section by itself.
func (w *Words) plan() (must []Clause, exact bool) {
	exact = true
	from := 0
	for to := 1; to <= w.end; to++ {
		if w.crossed(to) {
			continue
		}
		clauses, single := w.section(from, to)
		must = append(must, clauses...)
		exact = exact && single && from == 0 && to == w.end
		from = to
	}
	return must, exact
}

// crossed tells whether a form begins before a node and ends after it.
func (w *Words) crossed(node int) bool {
	for _, a := range w.arcs {
		if a.from < node && a.to > node {
			return true
		}
	}
	return false
}

// section returns the clauses for the words between two nodes; single, if each way through is one form.
func (w *Words) section(from, to int) (must []Clause, single bool) {
	paths, ok := w.paths(from, to, nil, nil)
	if !ok { // too many: every way takes one of the first steps, and one of the last
		return []Clause{w.steps(func(a arc) bool { return a.from == from }),
			w.steps(func(a arc) bool { return a.to == to })}, false
	}
	single = true
	var c Clause
	for _, p := range paths {
		single = single && len(p) == 1
		c = append(c, w.leaves(p)...)
	}
	return []Clause{c}, single
}

// steps is a clause of the arcs of one kind.
func (w *Words) steps(of func(arc) bool) (c Clause) {
	for _, a := range w.arcs {
		if of(a) {
			c = append(c, w.leaves([]arc{a})...)
		}
	}
	return c
}

// paths lists the ways between two nodes, or false if there are too many.
func (w *Words) paths(from, to int, before []arc, all [][]arc) ([][]arc, bool) {
	if from == to {
		return append(all, slices.Clone(before)), len(all) < maxPaths
	}
	for _, a := range w.arcs {
		if a.from != from || a.to > to {
			continue
		}
		var ok bool
		if all, ok = w.paths(a.to, to, append(before, a), all); !ok {
			return nil, false
		}
	}
	return all, true
}

// leaves asks for all forms of a way; if the last may be a beginning, also for that.
func (w *Words) leaves(path []arc) []Leaf {
	terms := make([]string, len(path))
	for i, a := range path {
		terms[i] = a.text
	}
	leaves := []Leaf{{Terms: terms, Fields: w.Fields}}
	if path[len(path)-1].prefix {
		leaves = append(leaves, Leaf{Terms: terms, Fields: w.Fields & PrefixFields, Prefix: true})
	}
	return leaves
}
