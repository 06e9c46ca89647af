package search

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Limits of a query. What is beyond them is ignored.
const (
	maxQuery = 2_000 // bytes
	maxDepth = 32    // parentheses in each other
	maxTerms = 64    // words, phrases and filters
)

// Parse reads a query. It never fails: what is not understood is searched for as plain words. now is for dates like 7d.
// See [Help].
//
// If the text ends in the middle of a word, nothing but letters after it, that word is also taken as the beginning of
// a longer one.
func Parse(text string, now time.Time) Query {
	cut := mailbox.Cut(strings.ToValidUTF8(text, " "), maxQuery)
	p := parser{lexemes: lex(cut), now: now, left: maxTerms, open: len(cut) == len(text)}
	p.balance()
	root := p.spell(p.and(inAll, false))
	q := Query{Root: root, Void: root == nil && strings.TrimSpace(text) != ""}
	root.collect(&q.words, false)
	return q
}

// collect lists the words of a query, and marks those that are under a negation.
func (n *Node) collect(words *[]*Words, barred bool) {
	if n == nil {
		return
	}
	if n.Words != nil {
		n.Words.barred = barred
		*words = append(*words, n.Words)
	}
	for _, k := range n.Kids {
		k.collect(words, barred != (n.Op == Not))
	}
}

type parser struct {
	lexemes []lexeme
	i       int
	now     time.Time
	left    int  // terms that may still come
	open    bool // the end of the text is where typing stopped
}

// inAll is the operator of words that stand alone.
const inAll = ""

// balance takes away parentheses that are not closed or opened, and those that are too deep.
func (p *parser) balance() {
	var stack []int
	for i := range p.lexemes {
		switch p.lexemes[i].kind {
		case lexOpen:
			stack = append(stack, i)
			p.lexemes[i].kind = lexNothing
		case lexClose:
			p.lexemes[i].kind = lexNothing
			if len(stack) == 0 {
				continue
			}
			if len(stack) <= maxDepth {
				p.lexemes[i].kind, p.lexemes[stack[len(stack)-1]].kind = lexClose, lexOpen
			}
			stack = stack[:len(stack)-1]
		}
	}
	kept := p.lexemes[:0]
	for i, l := range p.lexemes {
		if l.kind == lexNothing {
			if l.text == "(" && i > 0 && len(kept) > 0 && kept[len(kept)-1].kind == lexField {
				kept[len(kept)-1].kind = lexWord // an operator that has lost its parenthesis
			}
			continue
		}
		kept = append(kept, l)
	}
	p.lexemes = kept
}

func (p *parser) peek() lexKind {
	if p.i < len(p.lexemes) {
		return p.lexemes[p.i].kind
	}
	return lexEnd
}

// and reads up to a closing parenthesis or the end.
func (p *parser) and(field string, negated bool) *Node {
	var kids []*Node
	for p.peek() != lexEnd && p.peek() != lexClose {
		if p.peek() == lexAnd && len(kids) > 0 && p.operand(p.i+1) {
			p.i++
			continue
		}
		kids = append(kids, p.or(field, negated))
	}
	return p.numbers(all(And, kids))
}

// operand tells whether something to search for is at i.
func (p *parser) operand(i int) bool {
	if i >= len(p.lexemes) {
		return false
	}
	switch p.lexemes[i].kind {
	case lexWord, lexPhrase, lexOpen, lexField, lexNot, lexMinus:
		return true
	}
	return false
}

// or binds tighter than standing side by side: kim lee OR park is kim and one of the others.
func (p *parser) or(field string, negated bool) *Node {
	kids := []*Node{p.not(field, negated)}
	for p.peek() == lexOr && p.operand(p.i+1) {
		p.i++
		kids = append(kids, p.not(field, negated))
	}
	return all(Or, kids)
}

func (p *parser) not(field string, negated bool) *Node {
	if k := p.peek(); (k == lexNot || k == lexMinus) && p.operand(p.i+1) {
		odd := false
		for (p.peek() == lexNot || p.peek() == lexMinus) && p.operand(p.i+1) {
			odd = !odd
			p.i++
		}
		n := p.term(field, true)
		if odd {
			n = not(n)
		}
		return n
	}
	return p.term(field, negated)
}

func (p *parser) term(field string, negated bool) *Node {
	l := p.lexemes[p.i]
	p.i++
	switch l.kind {
	case lexOpen:
		n := p.and(field, negated)
		p.i++ // the closing one: balance has seen to it
		return n
	case lexField:
		return p.valued(l.text, negated)
	}
	return p.leaf(l, field, negated)
}

// valued reads the value of an operator: the lexer has seen that there is one.
func (p *parser) valued(field string, negated bool) *Node {
	if p.peek() == lexEnd || p.peek() == lexClose {
		return p.leaf(lexeme{kind: lexWord, text: field}, inAll, negated)
	}
	return p.term(field, negated)
}

// leaf makes a node of a word or phrase, as the value of an operator or alone.
func (p *parser) leaf(l lexeme, field string, negated bool) *Node {
	fields, isText := textFields(field)
	if !isText {
		if p.left == 0 {
			return nil
		}
		if f, ok := parseFilter(field, l.text, p.now); ok {
			p.left--
			return &Node{Op: Where, Filter: f}
		}
		l.text = field + " " + l.text // no such value: plain words
	}
	words, ends := parseWords(l.text, fields, l.kind == lexPhrase && isText)
	starred := l.kind == lexWord && strings.HasSuffix(l.text, "*") || l.starred
	typing := p.open && l.last && l.kind == lexWord && !negated
	var kids []*Node
	for i, w := range words {
		if p.left == 0 {
			break
		}
		p.left--
		if ends[i] == len(strings.TrimSuffix(l.text, "*")) && (starred || typing) || l.starred {
			w.beginning()
		}
		kids = append(kids, &Node{Op: Find, Words: w})
	}
	return p.numbers(all(And, kids))
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || r == utf8.RuneError }
