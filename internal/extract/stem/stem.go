// Package stem finds words of many languages in a text, by their stems.
//
// A [Table] is made once from rows of stems, each row with the meanings its stems stand for; [Table.In] then tells in
// one pass which meanings occur in a text. A stem is the beginning of a word: "confirm" is also found in "confirmation".
// One that ends in a full stop is a whole word. Stems may have spaces in them. Scripts that write no spaces between
// words (Chinese, Japanese, Thai) or put articles in front of them (Arabic, Hebrew) are searched at every letter, and so
// is Korean; all others where a word begins.
//
// Texts and stems are folded alike: case, accents, widths and invisible characters do not count (see [Fold]).
package stem

import "strings"

// Set is a set of meanings, one bit each.
type Set uint32

// Has tells whether all of the other are in it.
func (s Set) Has(other Set) bool { return s&other == other }

// Any tells whether one of the other is in it.
func (s Set) Any(other Set) bool { return s&other != 0 }

// Row is the stems, parted by commas, of one meaning or of several at once.
type Row struct {
	Means Set
	Stems string
}

// Table holds stems by a hash of their first three bytes. It is never changed once made.
type Table struct {
	first   [buckets + 1]uint16 // where a bucket begins in entries
	entries []entry
}

type entry struct {
	stem  string
	means Set
	whole bool
	last  byte // of the stem: most entries are told by it, without a look at the stem itself
}

// key is how many bytes are hashed. A stem is at least that long: three Latin letters, one Chinese.
const (
	key     = 3
	bits    = 13
	buckets = 1 << bits
)

func hash(s []byte) uint32 {
	return (uint32(s[0])<<16 | uint32(s[1])<<8 | uint32(s[2])) * 0x9E3779B1 >> (32 - bits)
}

// NewTable makes a table. Stems that are too short to be hashed are left out.
func NewTable(rows ...Row) *Table {
	var sorted [buckets][]entry
	n := 0
	for _, r := range rows {
		for s := range strings.SplitSeq(r.Stems, ",") {
			word, whole := strings.CutSuffix(strings.TrimSpace(s), ".")
			folded := Fold(nil, word)
			if len(folded) < key {
				continue
			}
			h := hash(folded)
			sorted[h] = append(sorted[h], entry{string(folded), r.Means, whole, folded[len(folded)-1]})
			n++
		}
	}
	t := &Table{entries: make([]entry, 0, n)}
	for h, list := range sorted {
		t.entries = append(t.entries, list...)
		t.first[h+1] = uint16(len(t.entries))
	}
	return t
}

// In is everything that is meant in a text.
func (t *Table) In(text string) Set {
	if text == "" {
		return 0
	}
	var room [512]byte
	folded := Fold(room[:0], text)
	var found Set
	prev := none
	for i := 0; i+key <= len(folded); i++ {
		c := classes[folded[i]]
		if c == ascii && prev == ascii {
			continue // within a word, as most are
		}
		if begins(folded[i:], prev, c) {
			found |= t.at(folded[i:])
		}
		prev = c
	}
	return found
}

// AtStart is what a text begins with.
func (t *Table) AtStart(text string) Set {
	const longest = 200
	var room [512]byte
	folded := Fold(room[:0], text[:min(len(text), longest)])
	for len(folded) > 0 && classes[folded[0]] == none {
		folded = folded[1:]
	}
	if len(folded) < key {
		return 0
	}
	return t.at(folded)
}

func (t *Table) at(folded []byte) Set {
	h := hash(folded)
	var found Set
	bucket := t.entries[t.first[h]:t.first[h+1]]
	for i := range bucket {
		e := &bucket[i]
		n := len(e.stem)
		if n > len(folded) || folded[n-1] != e.last {
			continue
		}
		if string(folded[:n]) == e.stem && (!e.whole || ends(folded, n)) {
			found |= e.means
		}
	}
	return found
}

// class parts words: where it changes, one word ends and another begins. Latin is ASCII once it is folded, so that a
// letter of another script ends it.
type class uint8

const (
	none class = iota
	ascii
	other
	inner // not the first byte of a character
)

var classes = func() (of [256]class) {
	for c := range of {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			of[c] = ascii
		case c >= 0xC0:
			of[c] = other
		case c >= 0x80:
			of[c] = inner
		}
	}
	return of
}()

// begins tells whether a stem may begin at s.
func begins(s []byte, prev, c class) bool {
	switch c {
	case ascii:
		return prev != ascii
	case other:
		return prev < other || everywhere(s)
	}
	return false
}

// everywhere tells of the scripts that are searched at each letter: Hebrew and Arabic (U+0580 to U+07FF), Thai and all
// that follows (from U+0E00).
func everywhere(s []byte) bool {
	return s[0] >= 0xD6 && s[0] < 0xE0 || s[0] > 0xE0 || s[0] == 0xE0 && s[1] >= 0xB8
}

// ends tells whether a word ends before s[n].
func ends(s []byte, n int) bool {
	if n == len(s) {
		return true
	}
	c, last := classes[s[n]], classes[s[n-1]]
	return c == none || (c == ascii) != (last == ascii)
}
