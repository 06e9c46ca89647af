package view

import (
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
	vague := s.vague
	for list != "" {
		var one string
		one, list = cutSelector(list)
		from := len(s.compounds)
		s.vague = false
		specificity, ok := s.parse(trim(one))
		if !ok {
			s.compounds, s.parts, s.rules = s.compounds[:compounds], s.parts[:parts], s.rules[:rules]
			s.vague = vague
			return
		}
		r := rule{compounds: [2]int32{int32(from), int32(len(s.compounds))}, decls: decls,
			precedence: uint64(specificity)<<32 | uint64(s.order)}
		if !s.layered {
			r.precedence |= unlayered
		}
		if s.doubt || s.vague {
			r.decls = s.doubts(decls)
		}
		s.rules = append(s.rules, r)
	}
	s.vague = vague
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
	text = trim(text)
	if any, ok := strings.CutPrefix(text, "*|"); ok { // of whatever namespace
		text = any
	}
	name, rest := identifier(strings.TrimPrefix(text, "|"))
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
			p.kind = partUnknown
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
		if p.kind, s.counts = partEmpty, true; s.streams {
			p.kind, s.vague = partUnknown, true
		}
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
