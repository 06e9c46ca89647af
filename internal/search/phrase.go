package search

import (
	"cmp"
	"slices"
)

// maxSeen is how often a word by itself is counted. More of it says nothing more.
const maxSeen = 1_000

// way is words half found: they begin at start, and what is still missing has to be at pos.
type way struct {
	field      Field
	begun      bool // the last word is the beginning of a longer one
	start, pos uint32
}

func (w way) compare(other way) int {
	return cmp.Or(cmp.Compare(w.field, other.field), cmp.Compare(w.pos, other.pos))
}

// find counts where words are. It goes from node to node with all ways at once, so that the work is bounded by the
// forms of the words times their occurrences, however often they begin to fit.
func (m *Matcher) find(words int, h *WordHits) {
	steps := m.steps[m.first[words]:m.first[words+1]]
	end := m.q.words[words].end
	for len(m.ways) <= end {
		m.ways = append(m.ways, nil)
	}
	for i := range end + 1 {
		m.ways[i] = m.ways[i][:0]
	}
	for i := range steps {
		s := &steps[i]
		if !slices.IsSortedFunc(s.seen, place.compare) {
			slices.SortFunc(s.seen, place.compare)
		}
		if s.from == 0 {
			m.begins(s)
		} else {
			m.leads(s)
		}
	}
	for _, w := range m.at(end) {
		m.count(h, found{words, w.field, w.begun, w.start, w.pos})
	}
}

// begins starts a way wherever a first step is.
func (m *Matcher) begins(s *step) {
	for _, p := range s.seen {
		m.ways[s.to] = append(m.ways[s.to], way{p.field, p.begun, p.pos, s.after(p)})
	}
}

// leads takes the ways that a step leads on. Steps come sorted by where they are from, so all that lead to that node
// are done.
func (m *Matcher) leads(s *step) {
	seen := s.seen
	for _, w := range m.at(s.from) {
		at := place{field: w.field, pos: w.pos}
		if len(seen) > 8 && seen[8].compare(at) < 0 {
			i, _ := slices.BinarySearchFunc(seen, at, place.compare)
			seen = seen[i:]
		}
		for len(seen) > 0 && seen[0].compare(at) < 0 {
			seen = seen[1:]
		}
		for _, p := range seen {
			if p.compare(at) != 0 {
				break
			}
			m.ways[s.to] = append(m.ways[s.to], way{w.field, p.begun, w.start, s.after(p)})
		}
	}
}

// at returns the ways that have come to a node, one for each position: an exact one if there is one, then the one that
// began first.
func (m *Matcher) at(node int) []way {
	ways := m.ways[node]
	if !slices.IsSortedFunc(ways, func(a, b way) int { return cmp.Or(a.compare(b), -1) }) {
		slices.SortFunc(ways, func(a, b way) int {
			return cmp.Or(a.compare(b), compareBool(a.begun, b.begun), cmp.Compare(a.start, b.start))
		})
		ways = slices.CompactFunc(ways, func(a, b way) bool { return a.compare(b) == 0 })
		m.ways[node] = ways
	}
	return ways
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func (m *Matcher) count(h *WordHits, f found) {
	if f.begun {
		h.Begun[f.field]++
	} else {
		h.Exact[f.field]++
	}
	m.found = append(m.found, f)
}

// after is the position after a step.
func (s *step) after(p place) uint32 {
	if s.pair {
		return p.pos + uint32(s.to-s.from)
	}
	return p.pos + uint32(p.span)
}
