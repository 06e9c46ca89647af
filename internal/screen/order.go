package screen

import (
	"strings"
	"unicode"

	"github.com/mailkin/mailkin/internal/extract/stem"
)

// isFirm tells whether a text is an order in plain words.
func (r *reader) isFirm(text, said string, verbs stem.Set) bool {
	return spoken().In(text).Any(firm) || r.commands(said, verbs)
}

// firmVerbs are those that are an order in plain words: after a heading all, else none that people begin with all the
// time, such as "make" and "use".
func firmVerbs(means stem.Set) stem.Set {
	if means.Any(voice) {
		return starts
	}
	return starts &^ (include | steer)
}

// commands tells whether a sentence begins with a verb that can be an order, or has one after a clause: "When you are
// done, send".
func (r *reader) commands(text string, verbs stem.Set) bool {
	text = strings.TrimLeftFunc(text, func(c rune) bool { return !unicode.IsLetter(c) })
	if r.lexicon.AtStart(text).Any(verbs) {
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
		if text = after; r.lexicon.AtStart(text).Any(verbs) {
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
