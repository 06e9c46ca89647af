package search

import (
	"slices"
	"time"
)

// Doc is a mail that a query is matched against.
type Doc struct {
	Tokens   []Token // as Mail.Tokens returns them
	Labels   []string
	Received time.Time
	Seen     bool
	Sent     bool // it went out
	Files    bool // it has attachments
	Code     bool
	Link     bool
}

// Hits are how often the words of a query occur in a mail.
type Hits struct {
	Words  []WordHits  // in the order of Query.Words
	Length [Fields]int // words in each field
}

// WordHits are how often one word or phrase occurs, in each field.
type WordHits struct {
	Exact [Fields]int
	Begun [Fields]int // as the beginning of longer words
}

// Any tells whether it occurs at all.
func (h *WordHits) Any() bool { return h.Exact != [Fields]int{} || h.Begun != [Fields]int{} }

// Matcher matches mails against one query. It may be used by one goroutine at a time.
type Matcher struct {
	q     Query
	steps []step             // the arcs of all words
	first []int              // the first step of each of them, and the end
	exact map[string][]int32 // steps by their text
	begin []int32            // steps that are beginnings
	sieve sieve
	found []found
	ways  [][]way // at each node of the words at hand
	same  []int   // words that were there before: look at those instead; -1 if none
}

type step struct {
	arc
	words int
	seen  []place // where in the mail its text is
}

// sieve has the lengths, by the first byte, of the texts that are looked for. Most words fall through.
type sieve [256]uint64

func (s *sieve) add(text string) { s[text[0]] |= 1 << (len(text) - 1) }

// addLonger adds everything that begins like a text and is longer.
func (s *sieve) addLonger(text string) { s[text[0]] |= ^uint64(0) << (len(text) - 1) }

func (s *sieve) holds(first byte, length int) bool { return s[first]>>(length-1)&1 != 0 }

// place is where a token is.
type place struct {
	field Field
	begun bool
	span  uint16
	pos   uint32
}

func (p place) compare(q place) int {
	if p.field != q.field {
		return int(p.field) - int(q.field)
	}
	return int(p.pos) - int(q.pos)
}

// found is where words were found: positions from pos to end.
type found struct {
	words    int
	field    Field
	begun    bool
	pos, end uint32
}

// NewMatcher prepares a query.
func NewMatcher(q Query) *Matcher {
	m := &Matcher{q: q, exact: make(map[string][]int32)}
	had := make(map[string]int)
	for i, w := range q.words {
		m.first = append(m.first, len(m.steps))
		key := either(w.barred, "-", "+") + w.String()
		if at, ok := had[key]; ok {
			m.same = append(m.same, at)
			continue
		}
		had[key] = i
		m.same = append(m.same, -1)
		for _, a := range w.arcs {
			at := int32(len(m.steps))
			m.steps = append(m.steps, step{arc: a, words: i})
			m.exact[a.text] = append(m.exact[a.text], at)
			m.sieve.add(a.text)
			if a.prefix {
				m.begin = append(m.begin, at)
			}
		}
	}
	m.first = append(m.first, len(m.steps))
	return m
}

// Match tells whether a mail is what the query asks for, and where its words are. Hits are also given for a mail that
// does not match.
func (m *Matcher) Match(d *Doc) (Hits, bool) {
	h := Hits{Words: make([]WordHits, len(m.q.words))}
	if m.q.Void {
		return h, false
	}
	m.look(d.Tokens, &h)
	m.found = m.found[:0]
	for i := range h.Words {
		if at := m.same[i]; at >= 0 {
			h.Words[i] = h.Words[at]
			continue
		}
		m.find(i, &h.Words[i])
	}
	return h, m.q.Root == nil || m.holds(m.q.Root, d, &h, new(int))
}

// look notes where the steps' texts are.
func (m *Matcher) look(tokens []Token, h *Hits) {
	for i := range m.steps {
		m.steps[i].seen = m.steps[i].seen[:0]
	}
	for i := range tokens {
		t := &tokens[i]
		if t.Span == 1 {
			h.Length[t.Field]++
		}
		if t.Text == "" {
			continue
		}
		if m.sieve.holds(t.Text[0], len(t.Text)) {
			for _, at := range m.exact[t.Text] {
				m.note(at, t, false)
			}
		}
		if len(m.begin) > 0 && PrefixFields.Has(t.Field) {
			m.lookBegun(t)
		}
	}
}

func (m *Matcher) lookBegun(t *Token) {
	for _, at := range m.begin {
		if text := m.steps[at].text; len(t.Text) > len(text) && t.Text[:len(text)] == text {
			m.note(at, t, true)
		}
	}
}

func (m *Matcher) note(at int32, t *Token, begun bool) {
	s := &m.steps[at]
	w := m.q.words[s.words]
	if w.Fields.Has(t.Field) && (w.end > 1 || len(s.seen) < maxSeen) {
		s.seen = append(s.seen, place{t.Field, begun, t.Span, t.Pos})
	}
}

// holds evaluates a node. next counts the words as they come, in the order of Query.Words.
func (m *Matcher) holds(n *Node, d *Doc, h *Hits, next *int) bool {
	switch n.Op {
	case Find:
		*next++
		return h.Words[*next-1].Any()
	case Where:
		return n.Filter.holds(d)
	case Not:
		return !m.holds(n.Kids[0], d, h, next)
	}
	yes := n.Op == And
	for _, k := range n.Kids {
		// Every kid is looked at, or next would go wrong.
		if holds := m.holds(k, d, h, next); n.Op == And {
			yes = yes && holds
		} else {
			yes = yes || holds
		}
	}
	return yes || n.Op == Count
}

func (f Filter) holds(d *Doc) bool {
	switch f.Kind {
	case Label:
		return slices.Contains(d.Labels, f.Value)
	case Before:
		return d.Received.Before(f.Time)
	case After:
		return !d.Received.Before(f.Time)
	case Seen:
		return d.Seen == f.Yes
	case Direction:
		return d.Sent == f.Yes
	}
	return f.Value == HasAttachment && d.Files || f.Value == HasCode && d.Code || f.Value == HasLink && d.Link
}
