package lexicon

import "unicode/utf8"

// Script is what a character beyond ASCII does to words.
type Script uint8

const (
	NoLetter Script = iota // parts words
	Spaced                 // a letter of a script that writes spaces
	Unspaced               // a letter of a script that writes none
	Stop                   // ends a sentence
	mixed                  // of a block of characters: these are of more than one class
)

// lowScripts are the classes of the characters up to those of Japanese.
var lowScripts = func() (t [0x3100]Script) {
	for r := range t {
		t[r] = ScriptOf(rune(r))
	}
	return t
}()

// LowScript is the class of a character below U+3100.
func LowScript(r rune) Script { return lowScripts[r] }

// blockScripts are those of the characters of three bytes, by the first two bytes: most blocks of 64 characters are of
// one class.
var blockScripts = func() (t [0x400]Script) {
	for block := 0x800 >> 6; block < len(t); block++ {
		from, step := rune(block<<6), rune(1)
		if from >= 0x3100 {
			step = 63 // from here on a block whose ends are alike has no others
		}
		t[block] = ScriptOf(from)
		for r := from; r < from+64; r += step {
			if ScriptOf(r) != t[block] {
				t[block] = mixed
				break
			}
		}
	}
	return t
}()

// ScriptAt is the class of the character at i, which is beyond ASCII, and how long it is. Folded text is valid UTF-8.
func ScriptAt[T string | []byte](text T, i int) (Script, int) {
	if i+1 < len(text) && text[i] < 0xe0 {
		return lowScripts[rune(text[i]&0x1f)<<6|rune(text[i+1]&0x3f)], 2
	}
	if i+2 < len(text) && text[i] < 0xf0 {
		if script := ScriptOfThree(text, i); script != mixed {
			return script, 3
		}
	}
	r, n := utf8.DecodeRuneInString(string(text[i:min(len(text), i+utf8.UTFMax)]))
	return ScriptOf(r), n
}

// ScriptOfThree is the class of the character of three bytes at i, or mixed if that would take longer.
func ScriptOfThree[T string | []byte](text T, i int) Script {
	block := int(text[i]&0xf)<<6 | int(text[i+1]&0x3f)
	if script := blockScripts[block]; script != mixed || block >= len(lowScripts)>>6 {
		return script
	}
	return lowScripts[block<<6|int(text[i+2]&0x3f)]
}

// ScriptOf is the class of a character beyond ASCII.
func ScriptOf(r rune) Script {
	switch r {
	case '。', '।', '॥', '۔', '።', '։', '؟':
		return Stop
	}
	switch {
	case IsUnspaced(r):
		if r >= 0x3000 && r <= 0x303f || r == 0x30fb {
			return NoLetter
		}
		return Unspaced
	case joinsWords(r):
		return Spaced
	}
	return NoLetter
}

// joinsWords says whether a character beyond ASCII is part of a word that spaces delimit: punctuation is not, and
// neither are scripts that write without spaces.
func joinsWords(r rune) bool {
	switch {
	case r < 0xc0, r >= 0x55a && r <= 0x55f, r == 0x589, r == 0x60c, r == 0x61b, r == 0x61f, r == 0x6d4, r == 0x964,
		r == 0x965, r >= 0x1361 && r <= 0x1368:
		return false
	case IsUnspaced(r):
		return false
	}
	return r < 0x2000 || r >= 0x2c00 && r < 0x2e00 || r >= 0xa000 && r < 0xd800 || r >= 0xfb00 && r < 0xfe00
}

// IsUnspaced is a letter of a script that writes no spaces, or puts words together freely.
func IsUnspaced(r rune) bool {
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
