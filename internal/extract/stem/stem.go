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

// Table holds stems by a hash of their first bytes. It is never changed once made.
type Table struct {
	used    [buckets / 64]uint64 // which buckets have entries: most words of a text are told by it
	first   [buckets + 1]uint16  // where a bucket begins in entries
	entries []entry
	short   bool // it has stems that are no longer than shortest
}

type entry struct {
	stem  string
	means Set
	whole bool
	last  byte // of the stem: most entries are told by it, without a look at the stem itself
}

const (
	shortest  = 3 // bytes that a stem has at least: three Latin letters, one Chinese
	indexBits = 13
	buckets   = 1 << indexBits
)

// key is the first four bytes of what a stem or a word is folded to, with a zero behind three.
type key uint32

func keyOf(s []byte) key {
	k := key(s[0])<<24 | key(s[1])<<16 | key(s[2])<<8
	if len(s) > shortest {
		k |= key(s[3])
	}
	return k
}

// short is the key of a stem that has three bytes.
func (k key) short() key { return k &^ 0xFF }

func (k key) hash() uint32 { return uint32(k) * 0x9E3779B1 >> (32 - indexBits) }

// NewTable makes a table. Stems that are too short to be hashed are left out.
func NewTable(rows ...Row) *Table {
	t := new(Table)
	var sorted [buckets][]entry
	n := 0
	for _, r := range rows {
		for s := range strings.SplitSeq(r.Stems, ",") {
			word, whole := strings.CutSuffix(strings.TrimSpace(s), ".")
			folded := Fold(nil, word)
			if len(folded) < shortest {
				continue
			}
			t.short = t.short || len(folded) == shortest
			h := keyOf(folded).hash()
			sorted[h] = append(sorted[h], entry{string(folded), r.Means, whole, folded[len(folded)-1]})
			n++
		}
	}
	t.entries = make([]entry, 0, n)
	for h, list := range sorted {
		t.entries = append(t.entries, list...)
		t.first[h+1] = uint16(len(t.entries))
		if len(list) > 0 {
			t.used[h/64] |= 1 << (h % 64)
		}
	}
	return t
}

// bucket is where the stems with a key are, and perhaps others.
func (t *Table) bucket(k key) []entry {
	h := k.hash()
	if t.used[h/64]&(1<<(h%64)) == 0 {
		return nil
	}
	return t.entries[t.first[h]:t.first[h+1]]
}

// In is everything that is meant in a text.
func (t *Table) In(text string) Set {
	if found, ok := t.inASCII(text); ok {
		return found
	}
	return t.inFolded(text)
}

func (t *Table) inFolded(text string) Set {
	var room [512]byte
	folded := Fold(room[:0], text)
	var found Set
	prev := none
	for i := 0; i+shortest <= len(folded); i++ {
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
	if len(folded) < shortest {
		return 0
	}
	return t.at(folded)
}

func (t *Table) at(folded []byte) Set {
	k := keyOf(folded)
	found := among(t.bucket(k), folded)
	if t.short {
		found |= among(t.bucket(k.short()), folded)
	}
	return found
}

// among is what is meant by those of some entries that a text begins with.
func among(bucket []entry, folded []byte) Set {
	var found Set
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
