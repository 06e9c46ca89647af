package pdf

import (
	"bytes"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// lexer reads values from bytes. At the end, and where a bound is met, it returns nothing more; it never fails
// otherwise.
type lexer struct {
	b     []byte
	pos   int
	depth int
	nodes int           // values that may still be read
	bud   *bound.Budget // of a program, which may be nothing but white space; nil for short things
}

// Bounds of one value.
const (
	maxDepth  = 40
	maxNodes  = 1 << 18
	nodeBytes = 48 // what a value takes in memory, roughly
)

func newLexer(b []byte, pos int) *lexer { return &lexer{b: b, pos: pos, nodes: maxNodes} }

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func isRegular(c byte) bool { return !isSpace(c) && !isDelimiter(c) }

// skip passes white space and comments.
func (l *lexer) skip() {
	for l.pos < len(l.b) {
		c := l.b[l.pos]
		if l.pos&0xffff == 0 && l.bud != nil && !l.bud.Pause() {
			l.pos = len(l.b)
			return
		}
		switch {
		case isSpace(c):
			l.pos++
		case c == '%':
			for l.pos < len(l.b) && l.b[l.pos] != '\n' && l.b[l.pos] != '\r' {
				l.pos++
			}
		default:
			return
		}
	}
}

// next returns the next value or keyword.
func (l *lexer) next() (object, bool) {
	l.skip()
	if l.pos >= len(l.b) || l.nodes <= 0 {
		return nil, false
	}
	l.nodes--
	switch c := l.b[l.pos]; {
	case c == '/':
		l.pos++
		return l.name(), true
	case c == '(':
		return l.literal(), true
	case c == '<' && l.peek(1) == '<':
		l.pos += 2
		return l.dict(), true
	case c == '<':
		return l.hex(), true
	case c == '[':
		l.pos++
		return array(l.values("]")), true
	case c == '>' && l.peek(1) == '>':
		l.pos += 2
		return keyword(">>"), true
	case isDelimiter(c):
		l.pos++
		return keyword(l.b[l.pos-1 : l.pos]), true
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		return l.number(), true
	}
	return l.word(), true
}

func (l *lexer) peek(n int) byte {
	if l.pos+n < len(l.b) {
		return l.b[l.pos+n]
	}
	return 0
}

// word is a keyword, or one of the values that are written as words.
func (l *lexer) word() object {
	start := l.pos
	for l.pos < len(l.b) && isRegular(l.b[l.pos]) {
		l.pos++
	}
	switch w := l.b[start:l.pos]; string(w) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	default:
		return keyword(w[:min(len(w), 64)])
	}
}

// number reads what may be a number. QUIRK: two signs, a sign in the middle and a second point are written by some;
// what is before them counts.
func (l *lexer) number() object {
	negative := false
	for l.peek(0) == '-' || l.peek(0) == '+' {
		negative = negative || l.peek(0) == '-'
		l.pos++
	}
	value, scale, point := 0.0, 1.0, false
	for ; l.pos < len(l.b) && isRegular(l.b[l.pos]); l.pos++ {
		switch c := l.b[l.pos]; {
		case c >= '0' && c <= '9' && !point:
			value = min(value*10+float64(c-'0'), 1e12)
		case c >= '0' && c <= '9':
			if scale *= 0.1; scale > 1e-12 {
				value += scale * float64(c-'0')
			}
		case c == '.' && !point:
			point = true
		case c == '-' || c == '.':
			l.pass()
			return signed(value, negative)
		default: // letters end it: "0Tj" is a number and an operator
			return signed(value, negative)
		}
	}
	return signed(value, negative)
}

// pass skips the rest of a number.
func (l *lexer) pass() {
	for c := l.peek(0); c >= '0' && c <= '9' || c == '-' || c == '.'; c = l.peek(0) {
		l.pos++
	}
}

func signed(v float64, negative bool) float64 {
	if negative {
		return -v
	}
	return v
}

// name reads a name after its slash.
func (l *lexer) name() name {
	start := l.pos
	for l.pos < len(l.b) && isRegular(l.b[l.pos]) {
		l.pos++
	}
	raw := l.b[start:l.pos]
	raw = raw[:min(len(raw), 256)]
	if bytes.IndexByte(raw, '#') < 0 {
		return name(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) && hexDigit(raw[i+1]) < 16 && hexDigit(raw[i+2]) < 16 {
			out = append(out, hexDigit(raw[i+1])<<4|hexDigit(raw[i+2]))
			i += 2
			continue
		}
		out = append(out, raw[i])
	}
	return name(out)
}

// hexDigit is the value of a digit, or 16.
func hexDigit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}

// values reads until the closing keyword, or one that shows it is missing. "7 0 R" becomes a reference.
func (l *lexer) values(end keyword) []object {
	if l.depth >= maxDepth {
		l.nodes = 0
		return nil
	}
	l.depth++
	defer func() { l.depth-- }()
	var out []object
	for {
		o, ok := l.next()
		if !ok {
			return out
		}
		k, isKey := o.(keyword)
		switch {
		case !isKey:
			out = append(out, o)
		case k == end:
			return out
		case k == "R" && len(out) >= 2:
			out = append(out[:len(out)-2], refOf(out[len(out)-2]))
		case k == ">>" || k == "]" || k == "endobj" || k == "obj" || k == "stream":
			l.pos -= len(k)
			return out
		}
	}
}

func refOf(o object) object {
	if n := integer(o); n > 0 {
		return ref(n)
	}
	return nil
}

// dict reads a dictionary after its opening. Of a key that comes twice, the first counts.
func (l *lexer) dict() dict {
	items := l.values(">>")
	d := make(dict, len(items)/2)
	for i := 0; i+1 < len(items); i += 2 {
		key, ok := items[i].(name)
		if !ok {
			i-- // something too much: find the next name
			continue
		}
		if _, twice := d[key]; !twice {
			d[key] = items[i+1]
		}
	}
	return d
}
