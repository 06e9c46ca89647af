package screen

import (
	"strings"
	"unicode"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// isFirm tells whether a text is an order in plain words.
func (r *reader) isFirm(text, said string, verbs lexicon.Set) bool {
	return spoken().In(text).Any(firm) || r.commands(said, verbs)
}

// firmVerbs are those that are an order in plain words: after a heading all, else none that people begin with all the
// time, such as "make" and "use".
func firmVerbs(means lexicon.Set) lexicon.Set {
	if means.Any(voice) {
		return starts
	}
	return starts &^ (include | steer)
}

// commands tells whether a sentence begins with a verb that can be an order, or has one after a clause: "When you are
// done, send".
func (r *reader) commands(text string, verbs lexicon.Set) bool {
	text = fromWord(text)
	if r.words.AtStart(text).Any(verbs) {
		return true
	}
	if _, after, ok := strings.Cut(text, ": "); ok && r.words.AtStart(fromWord(after)).Any(verbs) {
		return true
	}
	if !beginsClause(text) {
		return false
	}
	const clauses = 3
	for range clauses {
		_, after, found := strings.Cut(text, ", ")
		if !found {
			return false
		}
		if text = fromWord(after); r.words.AtStart(text).Any(verbs) {
			return true
		}
	}
	return false
}

// beginsClause tells whether a sentence begins with the word of a clause that an order may follow.
func beginsClause(text string) bool {
	word := text[:wordEnd(text, 0)]
	for _, w := range []string{"when", "whenever", "if", "after", "before", "once", "while", "upon"} {
		if strings.EqualFold(word, w) {
			return true
		}
	}
	return false
}

// fromWord is a text without the signs that it begins with.
func fromWord(text string) string {
	return strings.TrimLeftFunc(text, func(c rune) bool { return !unicode.IsLetter(c) })
}
