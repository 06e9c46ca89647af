package view

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// selectors keeps a list of selectors for some declarations. Where one of them is none, all are dropped, as in
// browsers.
func (s *sheet) selectors(list string, decls [2]int32) {
	if len(s.rules) == 0 {
		s.rules = append(s.rules, rule{})
		if s.byID == nil {
			s.byID, s.byClass, s.byTag = map[string]int32{}, map[string]int32{}, map[atom.Atom]int32{}
		}
	}
	compounds, parts, rules := len(s.compounds), len(s.parts), len(s.rules)
	for list != "" {
		var one string
		one, list = cutSelector(list)
		from := len(s.compounds)
		specificity, ok := s.parse(trim(one))
		if !ok {
			s.compounds, s.parts, s.rules = s.compounds[:compounds], s.parts[:parts], s.rules[:rules]
			return
		}
		s.rules = append(s.rules, rule{compounds: [2]int32{int32(from), int32(len(s.compounds))}, decls: decls,
			precedence: uint64(specificity)<<32 | uint64(s.order)})
	}
	for i := rules; i < len(s.rules); i++ {
		s.file(int32(i))
	}
}

// file puts a rule where an element that it may match looks for it.
func (s *sheet) file(number int32) {
	r := &s.rules[number]
	last := s.compounds[r.compounds[1]-1]
	best, key := &s.others, (*part)(nil)
	for i := last.parts[0]; i < last.parts[1]; i++ {
		p := &s.parts[i]
		switch {
		case p.kind == partID, p.kind == partClass && (key == nil || key.kind == partTag),
			p.kind == partTag && key == nil:
			key = p
		}
	}
	switch {
	case key == nil:
		r.next, *best = *best, number
	case key.kind == partID:
		r.next = s.byID[key.name]
		s.byID[key.name] = number
	case key.kind == partClass:
		r.next = s.byClass[key.name]
		s.byClass[key.name] = number
	default:
		r.next = s.byTag[key.atom]
		s.byTag[key.atom] = number
	}
}

// maxCompounds bounds how many elements a selector asks about.
const maxCompounds = 64

// parse reads a selector into compounds.
func (s *sheet) parse(text string) (specificity uint32, ok bool) {
	left := byte(0)
	first := len(s.compounds)
	for text != "" {
		from := int32(len(s.parts))
		rest, points, ok := s.compound(text)
		if !ok {
			return 0, false
		}
		to := int32(len(s.parts))
		s.compounds = append(s.compounds, compound{parts: [2]int32{from, to}, left: left})
		specificity += points
		if n := len(s.compounds); n-first > maxCompounds { // the innermost are kept: it matches more, never less
			copy(s.compounds[first:], s.compounds[first+1:])
			s.compounds = s.compounds[:n-1]
		}
		trimmed := trim(rest)
		if trimmed == "" {
			return specificity, true
		}
		left = ' '
		if c := trimmed[0]; c == '>' || c == '+' || c == '~' {
			left, trimmed = c, trim(trimmed[1:])
			s.siblings = s.siblings || c != '>'
		} else if len(trimmed) == len(rest) {
			return 0, false
		}
		if text = trimmed; text == "" {
			return 0, false
		}
	}
	return specificity, false
}

// Points of specificity. Ten bits each.
const (
	pointsID    = 1 << 20
	pointsClass = 1 << 10
	pointsTag   = 1
)

// compound reads the simple selectors for one element.
func (s *sheet) compound(text string) (rest string, points uint32, ok bool) {
	for i := 0; text != ""; i++ {
		switch c := text[0]; {
		case c == '*':
			text = text[1:]
			if i > 0 {
				return "", 0, false
			}
		case c == '.' || c == '#':
			name, after := identifier(text[1:])
			if name == "" {
				return "", 0, false
			}
			if s.quirks {
				name = lowered(name)
			}
			kind, worth := partClass, uint32(pointsClass)
			if c == '#' {
				kind, worth = partID, pointsID
			}
			s.parts = append(s.parts, part{kind: kind, name: name})
			points += worth
			text = after
		case c == '[':
			end := bracketEnd(text)
			if end < 0 || !s.attribute(text[1:end]) {
				return "", 0, false
			}
			points += pointsClass
			text = text[end+1:]
		case c == ':':
			after, worth, ok := s.pseudo(text)
			if !ok {
				return "", 0, false
			}
			points += worth
			text = after
		case c <= ' ' || c == '>' || c == '+' || c == '~':
			return text, points, i > 0
		default:
			name, after := identifier(text)
			if name == "" || i > 0 {
				return "", 0, false
			}
			name = lowered(name)
			p := part{kind: partTag, atom: atomOf(name), name: name}
			if p.atom == 0 {
				p.kind = partName
			}
			s.parts = append(s.parts, p)
			points += pointsTag
			text = after
		}
	}
	return "", points, true
}

// identifier is the name that s begins with.
func identifier(s string) (name, rest string) {
	i := 0
	for i < len(s) && (isLetter(s[i]) || s[i]-'0' < 10 || s[i] == '-' || s[i] == '_' || s[i] >= 0x80 || s[i] == '\\') {
		if s[i] == '\\' {
			i += escapeLength(s[i:]) - 1
		}
		i++
	}
	i = min(i, len(s))
	if name = s[:i]; strings.IndexByte(name, '\\') >= 0 {
		name = unescapeName(name)
	}
	return name, s[i:]
}

// escapeLength is the length of the escape that s begins with: up to six hexadecimal digits and a space, or one
// character.
func escapeLength(s string) int {
	n := 1
	for n < 7 && n < len(s) && hexDigit(s[n]) >= 0 {
		n++
	}
	if n == 1 || n < len(s) && s[n] <= ' ' {
		n++
	}
	return n
}

// bracketEnd is where the bracket that s begins with is closed, -1 if nowhere.
func bracketEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case ']':
			return i
		case '"', '\'':
			i = skipNested(s, i)
		}
	}
	return -1
}

// attribute reads what stands between brackets.
func (s *sheet) attribute(text string) bool {
	name, rest := identifier(trim(text))
	rest = trim(rest)
	p := part{kind: partAttribute, name: lowered(name)}
	if name == "" {
		return false
	}
	if rest != "" {
		if strings.IndexByte("~|^$*", rest[0]) >= 0 {
			p.op, rest = rest[0], rest[1:]
		} else {
			p.op = '='
		}
		if !strings.HasPrefix(rest, "=") {
			return false
		}
		value := trim(rest[1:])
		if n := len(value); n > 2 && (value[n-1] == 'i' || value[n-1] == 's') && (value[n-2] <= ' ' ||
			value[n-2] == '"' || value[n-2] == '\'') {
			p.fold, value = value[n-1] == 'i', trim(value[:n-1])
		}
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		if strings.IndexByte(value, '\\') >= 0 {
			value = unescapeName(value)
		}
		p.value = value
		switch p.name { // HTML compares these in any case
		case "type", "align", "bgcolor", "color", "dir", "lang", "media", "rel", "valign", "hidden", "checked":
			p.fold = true
		}
	}
	s.parts = append(s.parts, p)
	return true
}

// pseudo reads a pseudo-class.
func (s *sheet) pseudo(text string) (rest string, points uint32, ok bool) {
	if strings.HasPrefix(text, "::") {
		_, after := identifier(text[2:]) // generated text and the like
		s.parts = append(s.parts, part{kind: partNever})
		return strings.TrimLeft(after, "()"), 1, true
	}
	name, after := identifier(text[1:])
	args := ""
	if strings.HasPrefix(after, "(") {
		end := skipNested(after, 0)
		if end >= len(after) {
			return "", 0, false
		}
		args, after = trim(after[1:end]), after[end+1:]
	}
	p := part{kind: partNever}
	points = pointsClass
	switch name = lowered(name); name {
	case "not", "is", "where", "matches", "-webkit-any", "any":
		p.kind = partIs
		if name == "not" {
			p.kind = partNot
		}
		var vague, ok bool
		if p.lists, points, vague, ok = s.list(args, name == "not"); !ok {
			return "", 0, false
		}
		if name == "where" {
			points = 0
		}
		if vague && name == "not" { // what it leaves cannot be told
			p.kind = partNever
		}
	case "first-child":
		p.kind, p.b = partNth, 1
	case "nth-child":
		p.kind = partNth
		if ok = s.nth(&p, args); !ok {
			return "", 0, false
		}
	case "first-of-type":
		p.kind, p.b, s.siblings = partNthType, 1, true
	case "nth-of-type":
		p.kind, s.siblings = partNthType, true
		if ok = s.nth(&p, args); !ok {
			return "", 0, false
		}
	case "last-child", "nth-last-child", "only-child", "last-of-type", "nth-last-of-type", "only-of-type":
		if p, ok = s.fromEnd(name, args); !ok {
			return "", 0, false
		}
	case "empty":
		p.kind, s.counts = partEmpty, true
	case "has":
		if p, points, ok = s.has(args); !ok {
			return "", 0, false
		}
	case "root", "scope":
		p.kind = partRoot
	case "lang", "dir":
		p.kind, p.value = partLang, lowered(args)
		if name == "dir" {
			p.kind = partDir
		}
	case "link", "any-link", "-webkit-any-link":
		p.kind = partLink
	case "checked", "default":
		p.kind = partChecked
	case "before", "after", "first-line", "first-letter", "hover", "focus", "active", "visited", "target",
		"focus-within",
		"focus-visible", "disabled", "invalid", "valid", "required", "placeholder-shown", "read-write", "indeterminate",
		"open",
		"in-range", "out-of-range", "fullscreen", "autofill", "user-invalid", "user-valid", "modal", "popover-open":
	case "enabled", "optional":
		p.kind = partField
	case "read-only", "defined":
		p.kind = partAlways
	default:
		return "", 0, false
	}
	s.parts = append(s.parts, p)
	return after, points, true
}

// nth reads an+b.
func nth(s string) (a, b int32, ok bool) {
	s = strings.ReplaceAll(lowered(s), " ", "")
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	before, after, has := strings.Cut(s, "n")
	if !has {
		v, err := strconv.Atoi(s)
		return 0, int32(v), err == nil
	}
	a = 1
	switch before {
	case "", "+":
	case "-":
		a = -1
	default:
		v, err := strconv.Atoi(before)
		if err != nil {
			return 0, 0, false
		}
		a = int32(v)
	}
	if after == "" {
		return a, 0, true
	}
	v, err := strconv.Atoi(after)
	return a, int32(v), err == nil
}

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
		s.budget -= len(n.class) / 16
		return hasWord(n.class, p.name, s.quirks)
	case partAttribute:
		s.budget -= len(n.attrs) / 16
		return matchAttribute(n, p)
	case partNot, partIs:
		for _, l := range s.lists[p.lists[0]:p.lists[1]] {
			if b.matchFrom(depth, n, &s.inner, l) {
				return p.kind == partIs
			}
		}
		return p.kind == partNot
	case partAlways:
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
