package stem

import "math/bits"

// A text in ASCII, as most are, is looked through as it is written, eight bytes at a time: few of its words begin as a stem
// does, and only those need to be folded.

// A byte of eight is marked by its high bit.
const ones, highs = 0x0101010101010101, 0x8080808080808080

// inASCII is In for a text in ASCII. Ok is false for any other.
func (t *Table) inASCII(text string) (found Set, ok bool) {
	before := uint64(0) // the byte before is of a word
	for at := 0; at < len(text); at += 8 {
		v := eight(text[at:])
		if v&highs != 0 {
			return 0, false
		}
		word := wordBytes(v)
		for starts := word &^ (word<<8 | before); starts != 0; starts &= starts - 1 {
			found |= t.word(text[at+bits.TrailingZeros64(starts)/8:])
		}
		before = word >> 56
	}
	return found, true
}

// eight are the first eight bytes of s, with zeros behind its end.
func eight(s string) (v uint64) {
	if len(s) >= 8 {
		return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	}
	for i := range len(s) {
		v |= uint64(s[i]) << (8 * i)
	}
	return v
}

// wordBytes marks those of eight ASCII characters that are letters or digits.
func wordBytes(v uint64) uint64 {
	lower := v | ' '*ones // of a letter
	letters := (lower + (0x80-'a')*ones) &^ (lower + (0x80-'z'-1)*ones)
	digits := (v + (0x80-'0')*ones) &^ (v + (0x80-'9'-1)*ones)
	return (letters | digits) & highs
}

// word is what is meant where a text in ASCII has the beginning of a word.
func (t *Table) word(text string) Set {
	if len(text) < shortest {
		return 0
	}
	k := key(plain[text[0]])<<24 | key(plain[text[1]])<<16
	i := behind(text, 1)
	if i == len(text) {
		return 0
	}
	k |= key(plain[text[i]]) << 8
	if i = behind(text, i); i < len(text) {
		k |= key(plain[text[i]])
	}
	var found Set
	if b := t.bucket(k); len(b) > 0 {
		found = written(b, text)
	}
	if t.short {
		if b := t.bucket(k.short()); len(b) > 0 {
			found |= written(b, text)
		}
	}
	return found
}

// written is among for a text in ASCII that is not folded.
func written(bucket []entry, text string) Set {
	var found Set
	for i := range bucket {
		if e := &bucket[i]; e.begins(text) {
			found |= e.means
		}
	}
	return found
}

// begins tells whether a text in ASCII begins with a stem, once it is folded.
func (e *entry) begins(text string) bool {
	i := 0
	for k := range len(e.stem) {
		if i == len(text) || plain[text[i]] != e.stem[k] {
			return false
		}
		i = behind(text, i)
	}
	return !e.whole || i == len(text) || classes[plain[text[i]]] != ascii || classes[e.last] != ascii // as ends
}

// behind is where the next byte of the folded text comes from, after that of text[i]: white space folds to one space.
func behind(text string, i int) int {
	if plain[text[i]] != ' ' {
		return i + 1
	}
	for i < len(text) && plain[text[i]] == ' ' {
		i++
	}
	return i
}
