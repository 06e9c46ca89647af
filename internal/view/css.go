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
	depth    int // of lists of selectors within each other

	budget int // steps that may yet be taken
}

// rule is a selector with the declarations that it applies.
type rule struct {
	compounds  [2]int32 // from, to; the last is the one that the element itself must match
	decls      [2]int32
	precedence uint64 // specificity, then order
	next       int32
}

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
	partNever   // what no mail program matches without a mouse, and what is not followed here
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
	stepsPerByte = 48
	leastSteps   = 100_000
)

func (s *sheet) budgetFor(doc string) int { return leastSteps + stepsPerByte*len(doc) }

// add reads a style sheet.
func (s *sheet) add(css string) {
	if strings.Contains(css, "/*") {
		css = stripComments(css)
	}
	s.block(css, "", 0)
}

// deepest is how deep at-rules and nested rules may stand in each other.
const deepest = 8

// block reads rules. Within is the selector of the rule they are nested in.
func (s *sheet) block(css, within string, depth int) {
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
		if depth > deepest {
			continue
		}
		if prelude != "" && prelude[0] == '@' {
			s.atRule(prelude, body, within, depth)
			continue
		}
		s.rule(prelude, body, within, depth)
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

// atRule reads the rules within one that applies.
func (s *sheet) atRule(prelude, body, within string, depth int) {
	name, condition := prelude[1:], ""
	if end := strings.IndexAny(name, " \t\r\n("); end >= 0 {
		name, condition = name[:end], name[end:]
	}
	switch strings.ToLower(name) {
	case "media":
		if !mediaApplies(condition) {
			return
		}
	case "supports":
		if s.supports(lowered(trim(condition)), 0) != supportYes {
			return
		}
	case "layer":
	default: // or it cannot be told whether it applies
		return
	}
	if within != "" { // declarations may stand in it, too
		s.rule(within, body, "", depth+1)
		return
	}
	s.block(body, within, depth+1)
}

// rule reads one rule, and those that are nested in it.
func (s *sheet) rule(selectors, body, within string, depth int) {
	if within != "" {
		const longest = 32 << 10
		if len(within)*(1+strings.Count(selectors, ",")+strings.Count(selectors, "&")) > longest {
			s.budget = 0 // it is no style sheet for a mail
			return
		}
		selectors = nest(within, selectors)
	}
	if strings.IndexByte(body, '{') >= 0 {
		body = s.nested(selectors, body, depth)
	}
	from := int32(len(s.decls))
	s.decls, _ = parseDecls(s.decls, body, &s.vars)
	to := int32(len(s.decls))
	if from == to {
		return
	}
	s.order++
	s.selectors(selectors, [2]int32{from, to})
}

// nested reads the rules in a body, and returns its declarations.
func (s *sheet) nested(selectors, body string, depth int) string {
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
		if len(selectors) < 1000 {
			s.block(body[start:min(end+1, len(body))], selectors, depth+1)
		}
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

// mediaApplies evaluates a list of media queries for the reference.
func mediaApplies(list string) bool {
	const longest = 1000
	if len(list) > longest {
		return true
	}
	for query := range strings.SplitSeq(strings.ToLower(list), ",") {
		if mediaQuery(trim(query)) {
			return true
		}
	}
	return trim(list) == ""
}

func mediaQuery(q string) bool {
	not := false
	if rest, ok := strings.CutPrefix(q, "not "); ok {
		q, not = trim(rest), true
	}
	q = strings.TrimPrefix(q, "only ")
	applies := true
	for q = trim(q); q != ""; {
		if q[0] == '(' {
			end := min(skipNested(q, 0), len(q))
			ok, known := mediaFeature(trim(q[1:end]))
			if !known {
				return false
			}
			applies = applies && ok
			q = trim(q[min(end+1, len(q)):])
			continue
		}
		word, rest := q, ""
		if end := strings.IndexAny(q, " \t\n("); end >= 0 {
			word, rest = q[:end], q[end:]
		}
		switch word {
		case "and", "or":
			if word == "or" && applies {
				return !not
			}
			applies = applies || word == "or"
		case "screen", "all":
		default:
			applies = false
		}
		q = trim(rest)
	}
	return applies != not
}

// mediaFeature evaluates one feature, and tells whether it is known.
func mediaFeature(f string) (applies, known bool) {
	if strings.HasPrefix(f, "(") || strings.HasPrefix(f, "not ") {
		return mediaQuery(f), true
	}
	if strings.ContainsAny(f, "<>") {
		return mediaRange(f)
	}
	name, value, valued := strings.Cut(f, ":")
	name, value = trim(name), trim(value)
	l, _ := parseLength(value)
	px := l.px(rootSize, screenWidth)
	switch name {
	case "max-width", "max-device-width":
		return screenWidth <= px, true
	case "min-width", "min-device-width":
		return screenWidth >= px, true
	case "width", "device-width":
		return !valued || px == screenWidth, true
	case "max-height", "max-device-height":
		return screenHeight <= px, true
	case "min-height", "min-device-height":
		return screenHeight >= px, true
	case "prefers-color-scheme":
		return value == "light" || !valued, true
	case "prefers-reduced-motion", "prefers-contrast", "prefers-reduced-transparency":
		return value == "no-preference", true
	case "orientation":
		return value == "landscape", true
	case "-webkit-min-device-pixel-ratio", "min-device-pixel-ratio", "min--moz-device-pixel-ratio":
		return px <= 1, true
	case "min-resolution":
		return px <= 1 || strings.HasSuffix(value, "dpi") && numberOf(value) <= 96, true
	case "-webkit-max-device-pixel-ratio":
		return px >= 1, true
	case "hover", "any-hover":
		return value == "hover" || !valued, true
	case "pointer", "any-pointer":
		return value == "fine" || !valued, true
	case "color", "min-color", "scripting":
		return name != "scripting" || value == "none", true
	}
	return false, false
}

func numberOf(s string) float32 {
	n, _, _ := number(s)
	return n
}

// mediaRange evaluates "width <= 600px" and "400px < width < 900px".
func mediaRange(f string) (applies, known bool) {
	fields := strings.Fields(strings.NewReplacer("<=", " ≤ ", ">=", " ≥ ", "<", " < ", ">", " > ").Replace(f))
	if len(fields) != 3 && len(fields) != 5 {
		return false, false
	}
	value := func(s string) float32 {
		switch s {
		case "width", "device-width":
			return screenWidth
		case "height", "device-height":
			return screenHeight
		}
		l, _ := parseLength(s)
		return l.px(rootSize, screenWidth)
	}
	applies = true
	for i := 0; i+2 < len(fields); i += 2 {
		a, b := value(fields[i]), value(fields[i+2])
		switch fields[i+1] {
		case "≤":
			applies = applies && a <= b
		case "≥":
			applies = applies && a >= b
		case "<":
			applies = applies && a < b
		case ">":
			applies = applies && a > b
		}
	}
	return applies, true
}
