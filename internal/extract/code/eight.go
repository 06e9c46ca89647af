package code

import "math/bits"

// Most of a mail is words of small letters. The functions here step over such text eight bytes at a time; what they
// step over is what the slower ones would have, and they may stop early.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// load is eight bytes of s, the first in the lowest place.
func load[T string | []byte](s T, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// The following mark bytes of v with their high bit. All bytes of v must be ASCII.

func atLeast(v uint64, c byte) uint64 { return (v + (0x80-uint64(c))*ones) & highs }
func equal(v uint64, c byte) uint64   { return ^(v ^ uint64(c)*ones + 0x7f*ones) & highs }

func letters(v uint64) uint64 { return atLeast(v|0x20*ones, 'a') &^ atLeast(v|0x20*ones, '{') }
func digits(v uint64) uint64  { return atLeast(v, '0') &^ atLeast(v, ':') }
func alnums(v uint64) uint64  { return letters(v) | digits(v) }

// first is how many bytes are before the first one that is marked.
func first(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// asciiWords goes on from n as far as s has visible ASCII characters and single spaces. It stops at a visible one, or
// at a space that may be followed by another.
func asciiWords(s string, n int) int {
	spaced := uint64(0) // the byte before is a space
	for n+8 <= len(s) {
		v := load(s, n)
		spaces := equal(v, ' ')
		if wrong := v | ^atLeast(v, ' ') | atLeast(v, 0x7f) | spaces&(spaces<<8|spaced); wrong&highs != 0 {
			if n += first(wrong & highs); n > 0 && s[n-1] == ' ' {
				n--
			}
			return n
		}
		spaced = spaces >> 56
		n += 8
	}
	if spaced != 0 {
		n--
	}
	return n
}

// nextAlnum is where the next ASCII letter or digit is from i on, or the end of the text.
func nextAlnum(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if isAlnum(text[i]) {
			return i
		}
		v := load(text, i)
		ascii := v &^ highs
		if alnum := alnums(ascii) &^ v; alnum != 0 {
			return i + first(alnum)
		}
	}
	for i < len(text) && !isAlnum(text[i]) {
		i++
	}
	return i
}

// lastLineEnd is where the last line end of the text is, -1 if there is none.
func lastLineEnd(text []byte) int {
	i := len(text)
	for ; i >= 8; i -= 8 {
		v := load(text, i-8) ^ '\n'*ones
		if ends := ^(v | (v&^highs + 0x7f*ones)) & highs; ends != 0 {
			return i - 1 - bits.LeadingZeros64(ends)/8
		}
	}
	for i--; i >= 0 && text[i] != '\n'; {
		i--
	}
	return i
}

// prose steps from i, where a word begins, over text in which no word can be a token, and returns where a word begins
// that may be one, or what parts words. A word in small letters, with a capital or not, is none if a space and another
// word are next to it, and no more than the punctuation of a sentence.
func prose(text []byte, i int) int {
	for {
		n := lettersAndSpaces(text, i)
		word := n
		for word > i && text[word-1] != ' ' {
			word--
		}
		if word == n && word > i {
			for word--; word > i && text[word-1] != ' '; word-- {
			}
			return word
		}
		if word == i || n+1 >= len(text) {
			return word
		}
		switch text[n] {
		case ',', '.', ';', ':', '!', '?':
			if n++; text[n] != ' ' && text[n] != '\n' {
				return word
			}
		case '\n':
		default:
			return word
		}
		for n < len(text) && (text[n] == ' ' || text[n] == '\n') {
			n++
		}
		if n == len(text) || !isLetter(text[n]) {
			return n
		}
		i = n
	}
}

// lettersAndSpaces goes on from n over small letters, capitals with a small letter after them, and spaces.
func lettersAndSpaces(text []byte, n int) int {
	for n+8 <= len(text) {
		v := load(text, n)
		letters := letters(v)
		small := letters & (v << 2)
		wrong := v&highs | highs&^(letters|equal(v, ' ')) | letters&^small&^(small>>8)
		if wrong != 0 && (wrong != 1<<63 || n+8 == len(text) || !isUpper(text[n+7]) || !isLower(text[n+8])) {
			return n + first(wrong)
		}
		n += 8
	}
	return n
}
