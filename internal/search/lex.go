package search

import (
	"strings"
	"unicode/utf8"
)

type lexKind uint8

const (
	lexEnd lexKind = iota
	lexNothing
	lexWord
	lexPhrase // in quotes; text is without them
	lexField  // an operator; its value comes next
	lexOpen
	lexClose
	lexMinus
	lexNot
	lexAnd
	lexOr
)

type lexeme struct {
	kind    lexKind
	text    string
	last    bool // nothing comes after it, not even a space
	starred bool // a phrase with a star after it
}

// lex cuts a query into lexemes.
func lex(text string) []lexeme {
	var out []lexeme
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		if isSpace(r) {
			text = text[n:]
			continue
		}
		var l lexeme
		l, text = next(text)
		l.last = text == ""
		out = append(out, l)
	}
	return out
}

// next reads a lexeme from a text that begins with no space.
func next(text string) (l lexeme, rest string) {
	r, n := utf8.DecodeRuneInString(text)
	switch {
	case r == '(':
		return lexeme{kind: lexOpen, text: "("}, text[n:]
	case r == ')':
		return lexeme{kind: lexClose, text: ")"}, text[n:]
	case isQuote(r):
		return phrase(text[n:])
	case r == '-' && negates(text[n:]):
		return lexeme{kind: lexMinus, text: "-"}, text[n:]
	}
	end := wordEnd(text)
	if name, n := operator(text[:end]); n > 0 && hasValue(text[n:]) {
		return lexeme{kind: lexField, text: name}, text[n:]
	}
	return keyword(text[:end]), text[end:]
}

// phrase reads up to the closing quote. Without one it was only a character.
func phrase(text string) (l lexeme, rest string) {
	for i, r := range text {
		if isQuote(r) {
			rest := text[i+utf8.RuneLen(r):]
			after, starred := strings.CutPrefix(rest, "*")
			return lexeme{kind: lexPhrase, text: text[:i], starred: starred}, after
		}
	}
	return lexeme{kind: lexNothing}, text
}

func isQuote(r rune) bool { return r == '"' || r == '“' || r == '”' || r == '„' }

// negates tells whether a minus before the text is an operator: something to search for follows at once.
func negates(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	if r == '(' || isQuote(r) {
		return true
	}
	switch fold(r).class {
	case gap, nothing:
		return false
	}
	return text != ""
}

func wordEnd(text string) int {
	for i, r := range text {
		if isSpace(r) || r == ')' || r == '(' {
			return i
		}
	}
	return len(text)
}

// operator is the name before the colon, if it is one, and where its value begins.
func operator(word string) (name string, value int) {
	for i, r := range word {
		if r != ':' && r != '：' {
			continue
		}
		if operators[strings.ToLower(word[:i])] != "" {
			return word[:i], i + utf8.RuneLen(r)
		}
		break
	}
	return "", 0
}

// hasValue tells whether an operator's value follows. A quote must be closed.
func hasValue(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	if isQuote(r) {
		l, _ := phrase(text[n:])
		return l.kind == lexPhrase
	}
	return text != "" && !isSpace(r) && r != ')'
}

func keyword(word string) lexeme {
	switch word {
	case "OR", "|", "||":
		return lexeme{kind: lexOr, text: word}
	case "AND", "&&":
		return lexeme{kind: lexAnd, text: word}
	case "NOT":
		return lexeme{kind: lexNot, text: word}
	}
	return lexeme{kind: lexWord, text: word}
}
