package lexicon

import (
	"iter"
	"math/bits"
)

// Set is a set of meanings, one bit each.
type Set uint64

// Has tells whether all of the other are in it.
func (s Set) Has(other Set) bool { return s&other == other }

// Any tells whether one of the other is in it.
func (s Set) Any(other Set) bool { return s&other != 0 }

// MaxLanguages is how many languages a LanguageSet has room for.
const MaxLanguages = 64

// LanguageSet is a set of languages, by their places in a table (see [Table.Language]).
type LanguageSet uint64

// Meets tells whether the two have a language in common.
func (s LanguageSet) Meets(t LanguageSet) bool { return s&t != 0 }

// Len is how many languages are in it.
func (s LanguageSet) Len() int { return bits.OnesCount64(uint64(s)) }

// All goes through the places of its languages.
func (s LanguageSet) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(bits.TrailingZeros64(uint64(s))) {
				return
			}
		}
	}
}
