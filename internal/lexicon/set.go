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

// MaxLanguages is how many languages there can be.
const MaxLanguages = 128

// LanguageSet is a set of languages, by their places (see [Language]).
type LanguageSet [MaxLanguages / 64]uint64

func languageSet(i int) (s LanguageSet) {
	s[i/64] = 1 << (i % 64)
	return s
}

func (s *LanguageSet) add(t LanguageSet) {
	s[0] |= t[0]
	s[1] |= t[1]
}

// Meets tells whether the two have a language in common.
func (s LanguageSet) Meets(t LanguageSet) bool { return s[0]&t[0]|s[1]&t[1] != 0 }

// Len is how many languages are in it.
func (s LanguageSet) Len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// All goes through the places of its languages.
func (s LanguageSet) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, set := range s {
			for ; set != 0; set &= set - 1 {
				if !yield(64*k + bits.TrailingZeros64(set)) {
					return
				}
			}
		}
	}
}
