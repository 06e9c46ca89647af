package lexicon

import "math/bits"

// A text in ASCII, as most are, is looked through as it is written, eight bytes at a time: few of its words begin as a
// phrase does, and only those need to be folded.

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
			if s := text[at+bits.TrailingZeros64(starts)/8:]; t.filter.opens(prefixASCII(s)) {
				found |= union(t.Starts, s)
			}
		}
		for all := word; t.within && all != 0; all &= all - 1 {
			if s := text[at+bits.TrailingZeros64(all)/8:]; t.filter.opens(prefixASCII(s)) {
				found |= union(t.Inside, s)
			}
		}
		before = word >> 56
	}
	return found, true
}

// eight are the first eight bytes of s, with zeros after its end.
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

// prefixASCII is the prefix of a text in ASCII, which begins with a letter or digit, once it is folded.
func prefixASCII(text string) prefix {
	if len(text) < 4 {
		var room [4]byte
		return prefixOf(Fold(room[:0], text))
	}
	p := prefix(plain[text[0]])<<24 | prefix(plain[text[1]])<<16
	i := behind(text, 1)
	if i == len(text) {
		return p
	}
	p |= prefix(plain[text[i]]) << 8
	if i = behind(text, i); i < len(text) {
		p |= prefix(plain[text[i]])
	}
	return p
}

func isASCII(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		if eight(text)&highs != 0 {
			return false
		}
	}
	return eight(text)&highs == 0
}
