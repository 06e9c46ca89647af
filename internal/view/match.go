package view

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// Which rules apply to an element.

// match is a rule that applies to an element.
type match struct {
	precedence uint64
	decls      [2]int32
}

// matches appends the rules that apply to the innermost of the open elements, the weakest first. It gives false when
// the budget is spent.
func (b *builder) matches(list []match, e *element) ([]match, bool) {
	s := b.sheet
	if len(s.rules) == 0 {
		return list, true
	}
	if e.id != "" && len(s.byID) > 0 {
		list = b.tryRules(list, e, s.byID[s.fold(e.id)])
	}
	if e.class != "" && len(s.byClass) > 0 {
		for name := range strings.FieldsSeq(e.class) {
			s.budget--
			if first := s.byClass[s.fold(name)]; first != 0 {
				list = b.tryRules(list, e, first)
			}
		}
	}
	if e.atom != 0 {
		if first := s.byTag[e.atom]; first != 0 {
			list = b.tryRules(list, e, first)
		}
	}
	list = b.tryRules(list, e, s.others)
	s.budget -= 4 * len(list)
	if s.budget <= 0 {
		return list, false
	}
	slices.SortFunc(list, func(x, y match) int {
		switch {
		case x.precedence < y.precedence:
			return -1
		case x.precedence > y.precedence:
			return 1
		}
		return 0
	})
	return list, true
}

func (s *sheet) fold(name string) string {
	if s.quirks {
		return lowered(name)
	}
	return name
}

func (b *builder) tryRules(list []match, e *element, number int32) []match {
	s := b.sheet
	for ; number != 0 && s.budget > 0; number = s.rules[number].next {
		r := &s.rules[number]
		if s.budget--; b.matchFrom(len(b.stack)-1, &e.node, &s.selectorSet, r.compounds) {
			list = append(list, match{r.precedence, r.decls})
		}
	}
	return list
}

// matchFrom tells whether a node matches the last of some compounds, and what is around it the others. Depth is its
// place among the open elements, or, for a sibling that is closed, that of what stands at its place.
func (b *builder) matchFrom(depth int, n *node, in *selectorSet, of [2]int32) bool {
	s := b.sheet
	c := &in.compounds[of[1]-1]
	if !b.matchCompound(depth, n, in.parts, c.parts) {
		return false
	}
	if of[1]--; of[0] == of[1] {
		return true
	}
	switch c.left {
	case '>':
		return depth > 0 && b.matchFrom(depth-1, &b.stack[depth-1].node, in, of)
	case ' ':
		for d := depth - 1; d >= 0 && s.budget > 0; d-- {
			s.budget--
			if b.matchFrom(d, &b.stack[d].node, in, of) {
				return true
			}
		}
	case '+', '~':
		kids := b.siblingsBefore(depth, n)
		for i := len(kids) - 1; i >= 0 && s.budget > 0; i-- {
			s.budget--
			if b.matchFrom(depth, &kids[i], in, of) {
				return true
			}
			if c.left == '+' {
				break
			}
		}
	}
	return false
}

// matchCompound tells whether a node matches some simple selectors.
func (b *builder) matchCompound(depth int, n *node, parts []part, of [2]int32) bool {
	for i := of[0]; i < of[1]; i++ {
		if b.sheet.budget--; !b.matchPart(depth, n, &parts[i]) {
			return false
		}
	}
	return true
}

func (b *builder) matchPart(depth int, n *node, p *part) bool {
	s := b.sheet
	switch p.kind {
	case partTag:
		return n.atom == p.atom
	case partName:
		return strings.EqualFold(n.name, p.name)
	case partID:
		return n.id == p.name || s.quirks && strings.EqualFold(n.id, p.name)
	case partClass:
		s.budget -= len(n.class) / 2 // in quirks mode letters are folded
		return hasWord(n.class, p.name, s.quirks)
	case partAttribute:
		s.budget -= len(n.attrs) / 8
		return matchAttribute(n, p)
	case partNot, partIs:
		for _, l := range s.lists[p.lists[0]:p.lists[1]] {
			if b.matchFrom(depth, n, &s.inner, l) {
				return p.kind == partIs
			}
		}
		return p.kind == partNot
	case partAlways, partUnknown:
		return true
	case partNth:
		return isNth(n.index, p.a, p.b)
	case partNthType:
		return isNth(b.indexOfType(depth, n), p.a, p.b)
	case partNthLast, partNthLastType, partEmpty, partHas:
		return b.matchContent(depth, n, p)
	case partLang, partDir:
		return b.matchInherited(depth, n, p)
	case partField:
		return n.atom == atom.Input || n.atom == atom.Select || n.atom == atom.Textarea || n.atom == atom.Button
	case partRoot:
		return n.atom == atom.Html
	case partLink:
		_, ok := attributeOf(n.attrs, "href")
		return ok && (n.atom == atom.A || n.atom == atom.Area)
	case partChecked:
		_, ok := attributeOf(n.attrs, "checked")
		return ok
	}
	return false
}

func isNth(index, a, b int32) bool {
	if a == 0 {
		return index == b
	}
	return (index-b)/a >= 0 && (index-b)%a == 0
}

// hasWord tells whether a list of names has one.
func hasWord(list, name string, fold bool) bool {
	if len(list) < len(name) {
		return false
	}
	if list == name {
		return true
	}
	for word := range strings.FieldsSeq(list) {
		if word == name || fold && strings.EqualFold(word, name) {
			return true
		}
	}
	return false
}

// attributeOf finds an attribute among those of a tag, as written.
func attributeOf(attrs, name string) (string, bool) {
	for attrs != "" {
		var key, value string
		key, value, attrs = nextAttribute(attrs)
		if key == "" {
			return "", false
		}
		if len(key) == len(name) && strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

func matchAttribute(n *node, p *part) bool {
	value, ok := attributeOf(n.attrs, p.name)
	if !ok || p.op == 0 {
		return ok
	}
	value, want := unescapeValue(value), p.value
	if p.fold {
		value, want = strings.ToLower(value), strings.ToLower(want)
	}
	switch p.op {
	case '=':
		return value == want
	case '~':
		return want != "" && hasWord(value, want, false)
	case '|':
		return value == want || strings.HasPrefix(value, want+"-")
	case '^':
		return want != "" && strings.HasPrefix(value, want)
	case '$':
		return want != "" && strings.HasSuffix(value, want)
	case '*':
		return want != "" && strings.Contains(value, want)
	}
	return false
}
