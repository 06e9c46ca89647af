package lexicon

import (
	"iter"
	"unicode/utf8"
)

// Match is a phrase in a folded text: a range of it, up to the end of the word, and what the phrase means.
type Match struct {
	From, To int
	Value
}

// Find goes through the phrases of a text that is folded as the section's phrases are: the longest at each place,
// without those that lie inside another.
func (t *Table) Find(text string) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		starts := true // a word can begin here
		covered := 0
		for i := 0; i < len(text); {
			if !starts && !t.within {
				for i < len(text) && kinds[text[i]]-digit <= letter-digit {
					i++ // to the end of the word
				}
				if i == len(text) {
					return
				}
			}
			script, size := characterAt(text, i)
			if starts || script == Unspaced || t.within {
				if m, ok := t.longestAt(text, i, starts); ok && m.To > covered {
					if !yield(m) {
						return
					}
					covered = m.To
				}
			}
			starts = script != Spaced
			i += size
		}
	}
}

// characterAt is what the character at i does to words, and how long it is.
func characterAt(text string, i int) (Script, int) {
	switch kinds[text[i]] {
	case sign:
		return NoLetter, 1
	case high:
		return ScriptAt(text, i)
	}
	return Spaced, 1
}

// longestAt is the longest phrase at i.
func (t *Table) longestAt(text string, i int, starts bool) (m Match, ok bool) {
	rest := text[i:]
	n := 0
	if node := t.Starts.first[Lowered[rest[0]]]; starts && node != 0 {
		n, m.Value = LongestFrom(t.Starts, node, rest, 1)
	}
	if node := t.Inside.first[Lowered[rest[0]]]; node != 0 {
		if k, v := LongestFrom(t.Inside, node, rest, 1); k > n {
			n, m.Value = k, v
		}
	}
	if n == 0 {
		return m, false
	}
	m.From, m.To = i, i+n
	if last, _ := utf8.DecodeLastRuneInString(text[:m.To]); IsUnspaced(last) {
		return m, true
	}
	for !endsWord(text, m.To, false) {
		_, size := characterAt(text, m.To)
		m.To += size
	}
	return m, true
}
