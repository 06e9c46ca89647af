package view

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// Selectors that ask for what stands after the start of an element. The first reading finds it, and the second one
// knows it. A selector that asks for what is not found makes its rule unsure.

// facts are what is known of an element once it is closed.
type facts struct {
	children int32
	ofType   int32 // its place among the siblings of its type, from the end and from 1; 0 if it is not known
	empty    bool
	cover    cover // of all that stands in it
}

// having is an element together with what :has asks for: the number of a list, and whether only children count. For
// what a sheet asks for, the element is 0.
type having struct {
	list, element int32
	child         bool
}

// found notes the facts of an element that is closed.
func (b *builder) found(e *element) {
	b.factsOf(e.number).children = e.children
	b.factsOf(e.number).empty = e.children == 0 && !e.written
	if !b.sheet.siblings {
		return
	}
	type kind struct {
		atom atom.Atom
		name string
	}
	count := map[kind]int32{}
	kids := b.kids[min(int(e.kidsFrom), len(b.kids)):]
	for i := len(kids) - 1; i >= 0; i-- {
		k := kind{atom: kids[i].atom}
		if k.atom == 0 {
			k.name = lowered(kids[i].name)
		}
		count[k]++
		if kids[i].number >= 0 {
			b.factsOf(kids[i].number).ofType = count[k]
		}
	}
}

func (b *builder) factsOf(number int32) *facts {
	if n := int(number) + 1 - len(b.facts); n > 0 {
		b.facts = append(b.facts, make([]facts, n)...)
	}
	return &b.facts[number]
}

// noteHaving notes for the elements around e that they have it, where :has asks for such a one.
func (b *builder) noteHaving(e *element) {
	s := b.sheet
	for _, h := range s.having {
		if s.budget <= 0 {
			return
		}
		depth := len(b.stack) - 1
		s.budget--
		if !b.matchFrom(depth, &e.node, &s.inner, s.lists[h.list]) {
			continue
		}
		for d := depth - 1; d >= 0; d-- {
			s.budget -= 3 // it asks a map
			key := having{list: h.list, element: b.stack[d].number}
			if b.having[key] {
				break // and so have those around it
			}
			if b.having == nil {
				b.having = map[having]bool{}
			}
			if b.having[key] = true; h.child {
				break
			}
		}
	}
}

// matchContent tells whether a node matches a selector that asks for what follows its start.
func (b *builder) matchContent(depth int, n *node, p *part) bool {
	if !b.second || n.number < 0 {
		return false
	}
	known := facts{}
	if int(n.number) < len(b.facts) {
		known = b.facts[n.number]
	}
	switch p.kind {
	case partEmpty:
		return known.empty
	case partNthLastType:
		return known.ofType > 0 && isNth(known.ofType, p.a, p.b)
	case partNthLast:
		if depth == 0 || int(b.stack[depth-1].number) >= len(b.facts) {
			return false
		}
		after := b.facts[b.stack[depth-1].number].children - n.index
		return after >= 0 && isNth(after+1, p.a, p.b)
	}
	for list := p.lists[0]; list < p.lists[1]; list++ {
		b.sheet.budget -= 3 // it asks a map
		if b.having[having{list: list, element: n.number}] {
			return true
		}
	}
	return false
}

// matchInherited tells whether a node matches :lang or :dir, by the nearest attribute.
func (b *builder) matchInherited(depth int, n *node, p *part) bool {
	name := "lang"
	if p.kind == partDir {
		name = "dir"
	}
	value, ok := attributeOf(n.attrs, name)
	for d := depth - 1; d >= 0 && !ok; d-- {
		b.sheet.budget--
		value, ok = attributeOf(b.stack[d].attrs, name)
	}
	value = lowered(trim(unescapeValue(value)))
	if p.kind == partDir {
		return value == p.value || p.value == "ltr" && !ok
	}
	for want := range strings.SplitSeq(p.value, ",") {
		want = strings.Trim(trim(want), `"'`)
		if want != "" && (value == want || strings.HasPrefix(value, want+"-")) {
			return true
		}
	}
	return false
}

// fromEnd reads a pseudo-class that counts from the last sibling.
func (s *sheet) fromEnd(name, args string) (p part, ok bool) {
	p, ok = part{kind: partNthLast, b: 1}, true
	first := partNth
	if strings.HasSuffix(name, "of-type") {
		p.kind, first, s.siblings = partNthLastType, partNthType, true
	}
	if strings.HasPrefix(name, "nth") {
		ok = s.nth(&p, args)
	}
	if strings.HasPrefix(name, "only") { // it is the first, too
		s.parts = append(s.parts, part{kind: first, b: 1})
	}
	if s.counts = true; s.streams {
		p.kind, s.vague = partUnknown, true
	}
	return p, ok
}

// nth reads an+b. Which of the siblings count ("of") is not followed.
func (s *sheet) nth(p *part, args string) (ok bool) {
	args, _, of := strings.Cut(lowered(args), " of ")
	if p.a, p.b, ok = nth(args); of {
		p.kind, s.vague = partUnknown, true
	}
	return ok
}

// list reads the selectors of :not and :is. They are kept apart from the others.
func (s *sheet) list(args string, not bool) (of [2]int32, points uint32, vague, ok bool) {
	// Lists within the list come before it.
	if !s.spend(len(args)) {
		return of, 0, false, false
	}
	inner := sheet{quirks: s.quirks, streams: s.streams, inner: s.inner, lists: s.lists, having: s.having,
		budget: s.budget}
	defer func() { s.budget, s.exceeded = inner.budget, inner.exceeded }()
	var list [][2]int32
	for args != "" {
		var one string
		one, args = cutSelector(args)
		from := int32(len(inner.compounds))
		worth, ok := inner.parse(trim(one))
		if !ok {
			return of, 0, false, false
		}
		list = append(list, [2]int32{from, int32(len(inner.compounds))})
		points = max(points, worth)
	}
	s.inner, s.lists, s.having = inner.inner, inner.lists, inner.having
	parts, compounds := int32(len(s.inner.parts)), int32(len(s.inner.compounds))
	for _, c := range inner.compounds {
		c.parts[0] += parts
		c.parts[1] += parts
		s.inner.compounds = append(s.inner.compounds, c)
	}
	s.inner.parts = append(s.inner.parts, inner.parts...)
	of[0] = int32(len(s.lists))
	for _, l := range list {
		s.lists = append(s.lists, [2]int32{l[0] + compounds, l[1] + compounds})
	}
	of[1] = int32(len(s.lists))
	s.counts, s.siblings, s.vague = s.counts || inner.counts, s.siblings || inner.siblings, s.vague || inner.vague
	return of, points, inner.vague, len(list) > 0 || not
}

// has reads what :has asks for. Only a child or a descendant is followed, by what it is itself.
func (s *sheet) has(args string) (p part, points uint32, ok bool) {
	rest, child := strings.CutPrefix(args, ">")
	s.counts = false
	lists, points, vague, ok := s.list(trim(rest), false)
	vague = vague || s.counts // the first reading does not know it
	s.counts = true
	for _, l := range s.lists[lists[0]:lists[1]] {
		vague = vague || l[1]-l[0] > 1
	}
	if !ok || vague || s.streams {
		s.vague = true
		return part{kind: partUnknown}, pointsClass, true
	}
	for i := lists[0]; i < lists[1]; i++ {
		s.having = append(s.having, having{list: i, child: child})
	}
	return part{kind: partHas, lists: lists}, points, true
}
