package code

import "unicode/utf8"

// scriptClass is what a character beyond ASCII does to words.
type scriptClass uint8

const (
	scriptNone     scriptClass = iota // parts words
	scriptSpaced                      // a letter of a script that writes spaces
	scriptUnspaced                    // a letter of a script that writes none
	scriptStop                        // ends a sentence
)

// lowScripts are the classes of the characters of two bytes.
var lowScripts = func() (t [0x800]scriptClass) {
	for r := range t {
		t[r] = scriptOf(rune(r))
	}
	return t
}()

// scriptAt is the class of the character at i, which is beyond ASCII, and how long it is.
func scriptAt(text []byte, i int) (scriptClass, int) {
	if c := text[i]; c < 0xe0 && i+1 < len(text) {
		return lowScripts[rune(c&0x1f)<<6|rune(text[i+1]&0x3f)], 2
	}
	r, n := utf8.DecodeRune(text[i:])
	return scriptOf(r), n
}

func scriptOf(r rune) scriptClass {
	switch r {
	case '。', '।', '॥', '۔', '።', '։', '؟':
		return scriptStop
	}
	switch {
	case isUnspaced(r):
		if r >= 0x3000 && r <= 0x303f || r == 0x30fb {
			return scriptNone
		}
		return scriptUnspaced
	case joinsWords(r):
		return scriptSpaced
	}
	return scriptNone
}

// joinsWords says whether a character beyond ASCII is part of a word that spaces delimit: punctuation is not, and
// neither are scripts that write without spaces.
func joinsWords(r rune) bool {
	switch {
	case r < 0xc0, r >= 0x55a && r <= 0x55f, r == 0x589, r == 0x60c, r == 0x61b, r == 0x61f, r == 0x6d4, r == 0x964,
		r == 0x965, r >= 0x1361 && r <= 0x1368:
		return false
	case isUnspaced(r):
		return false
	}
	return r < 0x2000 || r >= 0x2c00 && r < 0x2e00 || r >= 0xa000 && r < 0xd800 || r >= 0xfb00 && r < 0xfe00
}

// isUnspaced is a letter of a script that writes no spaces, or puts words together freely.
func isUnspaced(r rune) bool {
	switch {
	case r < 0xe00:
		return false
	case r <= 0xeff, r >= 0x1000 && r <= 0x109f, r >= 0x1100 && r <= 0x11ff, r >= 0x1780 && r <= 0x17ff:
		return true
	}
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7ff || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xff61 && r <= 0xffdc
}

// isRightToLeft is a letter of Hebrew or Arabic, where articles and prepositions are written onto the word.
func isRightToLeft(r rune) bool { return r >= 0x590 && r < 0x700 }
