package view

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// sheet is the style sheets of a document: those of their rules that can change what is seen.
type sheet struct {
	rules []rule
	selectorSet
	inner  selectorSet // of :not, :is and :has
	lists  [][2]int32  // the compounds of each of their selectors
	having []having    // what :has asks for: the number of a list
	decls  []decl

	// The first rule for what the last compound of a selector names; each has the number of the next. 0 is none, so the
	// first rule is not used.
	byID, byClass map[string]int32
	byTag         map[atom.Atom]int32
	others        int32

	order    int32
	quirks   bool // names are compared in any case
	siblings bool // a selector asks what stands before an element
	counts   bool // a selector asks for what follows the start of an element
	vague    bool // a selector asks for what is not followed here
	vars     variables
	frames   map[string]keyframes

	layer   string // the name of the first one
	layered bool   // the rules at hand are in one
	scope   string // the selector that the rules at hand begin at

	streams  bool // what follows the start of an element is never known
	doubt    bool // it cannot be told whether the rules at hand apply
	budget   int  // steps that may yet be taken
	exceeded bool // reading the sheets took more: what they hide is not known
}

// rule is a selector with the declarations that it applies.
type rule struct {
	compounds  [2]int32 // from, to; the last is the one that the element itself must match
	decls      [2]int32
	precedence uint64 // whether it is in no layer, specificity, order
	next       int32
}

// unlayered is in the precedence of rules that are in no layer.
const unlayered = 1 << 63

// compound is what one element must match, and how the one before it stands to it.
type compound struct {
	parts [2]int32
	left  byte // ' ', '>', '+' or '~'; 0 for the first
}

// selectorSet is the memory of some selectors.
type selectorSet struct {
	compounds []compound
	parts     []part
}

func (s selectorSet) empty() selectorSet { return selectorSet{s.compounds[:0], s.parts[:0]} }

// part is a simple selector.
type part struct {
	kind  partKind
	op    byte // of an attribute: '=', '~', '|', '^', '$', '*', or 0 if it need only be there
	fold  bool // its value is compared in any case
	atom  atom.Atom
	a, b  int32 // of nth-child
	name  string
	value string
	lists [2]int32 // of :not, :is and :has: which of the lists
}

type partKind uint8

const (
	partTag partKind = iota
	partName
	partID
	partClass
	partAttribute
	partNot
	partIs
	partNth
	partNthType
	partNthLast
	partNthLastType
	partEmpty
	partHas
	partLang
	partDir
	partField   // a field of a form
	partRoot    // :root
	partLink    // :link
	partChecked // :checked
	partAlways  // what every element is
	partNever   // what no mail program matches without a mouse
	partUnknown // what is not followed here; its rule is in doubt
)

// reset makes the sheet empty, and keeps its memory.
func (s *sheet) reset() {
	clear(s.parts[:cap(s.parts)])
	clear(s.inner.parts[:cap(s.inner.parts)])
	clear(s.byID)
	clear(s.byClass)
	clear(s.byTag)
	*s = sheet{rules: s.rules[:0], selectorSet: s.selectorSet.empty(), inner: s.inner.empty(),
		lists: s.lists[:0], having: s.having[:0], decls: s.decls[:0],
		byID: s.byID, byClass: s.byClass, byTag: s.byTag}
}

// stepsPerByte is how many steps of matching there are for each byte of a document, and leastSteps how many at least.
const (
	stepsPerByte = 24
	leastSteps   = 100_000
)

func (s *sheet) budgetFor(doc string) int {
	if s.exceeded {
		return 0
	}
	return leastSteps + stepsPerByte*len(doc)
}

// spend takes steps for reading a sheet. It is false when there are none left: then everything counts as hidden.
func (s *sheet) spend(steps int) bool {
	if s.budget -= steps; s.budget <= 0 {
		s.exceeded = true
	}
	return !s.exceeded
}

// add reads a style sheet.
func (s *sheet) add(css string) {
	if strings.Contains(css, "/*") {
		css = stripComments(css)
	}
	s.block(css, "")
}

// block reads rules. Within is the selector of the rule they are nested in.
func (s *sheet) block(css, within string) {
	if !s.spend(len(css)) {
		return
	}
	for {
		css = strings.TrimLeft(css, " \t\r\n\f;}")
		switch {
		case css == "":
			return
		case strings.HasPrefix(css, "<!--"):
			css = css[4:]
			continue
		case strings.HasPrefix(css, "-->"):
			css = css[3:]
			continue
		}
		prelude, body, rest := cutRule(css)
		css = rest
		if prelude == "" && body == "" {
			continue
		}
		if prelude != "" && prelude[0] == '@' {
			s.atRule(prelude, body, within)
			continue
		}
		s.rule(prelude, body, within)
	}
}

// cutRule parts the first rule from the others: what is before its block, and its block. A statement without a block
// has none.
func cutRule(css string) (prelude, body, rest string) {
	for i := 0; i < len(css); i++ {
		switch c := css[i]; c {
		case ';':
			if css[0] == '@' {
				return trim(css[:i]), "", css[i+1:]
			}
		case '{':
			end := blockEnd(css, i)
			return trim(css[:i]), css[i+1 : end], css[min(end+1, len(css)):]
		case '}':
			return "", "", css[i+1:]
		case '"', '\'', '(':
			i = skipNested(css, i)
		case '\\':
			i++
		}
	}
	return "", "", ""
}

// blockEnd is where the block that is opened at i ends.
func blockEnd(css string, i int) int {
	for depth := 0; i < len(css); i++ {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			i = skipNested(css, i)
		case '\\':
			i++
		}
	}
	return len(css)
}

// atRule reads the rules within one that applies, or of which it cannot be told.
func (s *sheet) atRule(prelude, body, within string) {
	name, condition := prelude[1:], ""
	if end := strings.IndexAny(name, " \t\r\n("); end >= 0 {
		name, condition = name[:end], name[end:]
	}
	doubt := s.doubt
	defer func() { s.doubt = doubt }()
	switch strings.ToLower(name) {
	case "media":
		if !mediaApplies(condition) {
			return
		}
	case "supports":
		switch s.supports(lowered(trim(condition))) {
		case supportNo:
			return
		case supportUnknown:
			s.doubt = true
		}
	case "layer":
		layered := s.layered
		defer func() { s.layered = layered }()
		if !s.enterLayer(trim(condition), body != "") {
			return
		}
	case "scope":
		root, limits := scopeOf(trim(condition))
		s.doubt = s.doubt || limits || within != "" || s.scope != ""
		if root != "" {
			scope := s.scope
			defer func() { s.scope = scope }()
			s.scope, body = root, strings.ReplaceAll(body, ":scope", ":is("+root+")")
		}
	case "container":
		s.doubt = true
	case "keyframes", "-webkit-keyframes":
		s.keyframes(trim(condition), body)
		return
	case "import":
		s.doubt = true
		s.addData(strings.Trim(condition, "url( \t\r\n)'\""))
		return
	default:
		return
	}
	if within != "" { // declarations may stand in it, too
		s.rule(within, body, "")
		return
	}
	s.block(body, within)
}

// enterLayer notes a layer. It is false for a statement that only names some. The rules of layers are weaker than all
// others, and stronger where they are important. Of several layers, those after the first are in doubt.
func (s *sheet) enterLayer(name string, block bool) bool {
	if s.layer == "" {
		s.layer, _, _ = strings.Cut(name+",", ",")
	} else if block && (s.layered || name != s.layer) {
		s.doubt = true
	}
	if s.layer == "" {
		s.layer = "," // no other has this name
	}
	s.layered = block
	return block
}

// scopeOf is the selector that a scope begins at, and whether it ends somewhere.
func scopeOf(condition string) (root string, limits bool) {
	if !strings.HasPrefix(condition, "(") {
		return "", true
	}
	end := min(skipNested(condition, 0), len(condition))
	return trim(condition[1:end]), trim(condition[min(end+1, len(condition)):]) != ""
}

// rule reads one rule, and those that are nested in it.
func (s *sheet) rule(selectors, body, within string) {
	if within != "" {
		const cost = 32 // steps for each byte of a selector that is made
		if !s.spend(cost * len(within) * (1 + strings.Count(selectors, ",") + strings.Count(selectors, "&"))) {
			return
		}
		selectors = nest(within, selectors)
	} else if s.scope != "" {
		if !s.spend(len(s.scope) * (1 + strings.Count(selectors, ","))) {
			return
		}
		selectors = inScope(s.scope, selectors)
	}
	if strings.IndexByte(body, '{') >= 0 {
		body = s.nested(selectors, body)
	}
	from := int32(len(s.decls))
	s.decls, _ = parseDecls(s.decls, body, &s.vars)
	to := int32(len(s.decls))
	if from == to || !s.spend(len(selectors)) {
		return
	}
	s.order++
	s.selectors(selectors, [2]int32{from, to})
}

// nested reads the rules in a body, and gives its declarations.
func (s *sheet) nested(selectors, body string) string {
	var own strings.Builder
	for body != "" {
		open := strings.IndexByte(body, '{')
		if open < 0 {
			own.WriteString(body)
			break
		}
		start := strings.LastIndexAny(body[:open], ";}") + 1
		own.WriteString(body[:start])
		end := blockEnd(body, open)
		s.block(body[start:min(end+1, len(body))], selectors)
		body = body[min(end+1, len(body)):]
		own.WriteByte(';')
	}
	return own.String()
}

// nest is a selector within another.
func nest(outer, inner string) string {
	if strings.IndexByte(inner, '&') >= 0 {
		return strings.ReplaceAll(inner, "&", ":is("+outer+")")
	}
	var b strings.Builder
	for inner != "" {
		var one string
		if one, inner = cutSelector(inner); b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(":is(" + outer + ") " + one)
	}
	return b.String()
}

// inScope is a list of selectors for what a scope begins at, and for what stands in it.
func inScope(root, list string) string {
	var b strings.Builder
	for list != "" {
		var one string
		if one, list = cutSelector(list); b.Len() > 0 {
			b.WriteByte(',')
		}
		one = trim(one)
		b.WriteString(":is(" + root + ") " + one + "," + one + ":is(" + root + ")")
	}
	return b.String()
}

// cutSelector parts the first of a list of selectors from the others.
func cutSelector(s string) (one, rest string) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ',':
			return s[:i], s[i+1:]
		case '(', '"', '\'':
			i = skipNested(s, i)
		case '[':
			i = indexFrom(s, "]", i)
		case '\\':
			i++
		}
	}
	return s, ""
}
