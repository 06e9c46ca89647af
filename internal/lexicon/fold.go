package lexicon

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Below is where the table of folded characters ends.
const Below = 0x2000

// Letters says what each character below Below is folded to: letters lose their accents, digits of every script become
// 0 to 9, spellings that people use for one another become one. A letter that becomes ASCII keeps its case, because
// codes are given as they were written; others become small. 0 drops the character. See [Letters.Two] for the rest.
type Letters [Below]uint16

// two is where numbers begin that stand for two letters, which no character below Below becomes.
const two = 0xe000

var twoLetters = [...]string{"ss", "ae", "oe", "th", "SS", "AE", "OE", "TH"}

// Two is the two ASCII letters that an entry of the table stands for; ok is false if it is one character.
func Two(entry uint16) (letters string, ok bool) {
	if entry < two {
		return "", false
	}
	return twoLetters[entry-two], true
}

// Folded is the table. It is made at the first use.
var Folded = sync.OnceValue(func() *Letters {
	t := new(Letters)
	for r := range t {
		t[r] = uint16(foldLow(rune(r)))
	}
	return t
})

// alike are characters that decomposition leaves alone, though people write one for the other.
var alike = map[rune]rune{
	'ß': two, 'æ': two + 1, 'œ': two + 2, 'þ': two + 3, 'ẞ': two + 4, 'Æ': two + 5, 'Œ': two + 6, 'Þ': two + 7,
	'ı': 'i', 'ł': 'l', 'Ł': 'L', 'đ': 'd', 'Đ': 'D', 'ø': 'o', 'Ø': 'O', 'ħ': 'h', 'Ħ': 'H', 'ð': 'd', 'Ð': 'D',
	'ə': 'e', 'Ə': 'E', 'ς': 'σ', 'ʼ': '\'', 'ʻ': '\'', '´': '\'', '«': '"', '»': '"',
	'ى': 'ي', 'ی': 'ي', 'ې': 'ي', 'ک': 'ك', 'ة': 'ه', 'ۀ': 'ه', 'ہ': 'ه', 'ھ': 'ه', 'ٱ': 'ا',
	0xa0: ' ', 0x85: '\n', 0x1680: ' ', '־': '-', '״': '"', '׳': '\'',
}

func foldLow(r rune) rune {
	if a, ok := alike[r]; ok {
		return a
	}
	switch {
	case r < utf8.RuneSelf:
		return r
	case isDropped(r):
		return 0
	case unicode.IsDigit(r):
		return '0' + DigitValue(r)
	case r >= 0x590 && r < 0x1e00 && (r < 0x622 || r > 0x626) && !hasDotBelow(r):
		return unicode.ToLower(r) // marks of Indic and other scripts are part of their letters
	}
	base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	if a, ok := alike[base]; ok {
		base = a
	}
	if base < utf8.RuneSelf {
		return base
	}
	return unicode.ToLower(base)
}

// hasDotBelow tells of the letters of Devanagari, Bengali and Gurmukhi that have a dot below, which is also written as
// a mark of its own, and often not at all.
func hasDotBelow(r rune) bool {
	return r >= 0x958 && r <= 0x95f || r >= 0x9dc && r <= 0x9df || r == 0xa33 || r == 0xa36 || r >= 0xa59 && r <= 0xa5e
}

// DigitValue is the value of a decimal digit below U+10000: in every script the ten stand in a row.
func DigitValue(r rune) rune {
	for _, rs := range unicode.Nd.R16 {
		if r <= rune(rs.Hi) {
			return (r - rune(rs.Lo)) % 10
		}
	}
	return 0
}

// isDropped tells of the characters below Below that are dropped: accents that stand alone, the dot below, points of
// Hebrew and Arabic, the Arabic stretcher, soft hyphens, marks of direction, and fillers.
func isDropped(r rune) bool {
	switch {
	case Invisible(r), r >= 0x300 && r <= 0x36f, r >= 0x483 && r <= 0x489, r == 0x640, r == 0x93c, r == 0x9bc,
		r == 0xa3c:
		return true
	case r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f:
		return true
	}
	return r >= 0x590 && r < 0x700 && unicode.Is(unicode.Mn, r)
}

// Invisible tells of characters that take no room on a screen: joiners, soft hyphens, marks of direction, variants.
func Invisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x034f, r == 0x061c, r == 0x180e, r == 0xfeff:
		return true
	}
	return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
		r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0000 && r <= 0xe007f
}

// Fold appends text to dst in the form in which most phrases are compared: letters as in [Letters] and small, one space
// for white space and for punctuation that is not ASCII, and nothing for what cannot be seen.
func Fold(dst []byte, text string) []byte {
	dst = slices.Grow(dst, len(text))
	for i := 0; i < len(text); {
		if c := plain[text[i]]; c > ' ' {
			i++
			dst = append(dst, c)
			continue
		} else if c == ' ' {
			i++
			dst = appendSpace(dst)
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		dst = appendFolded(dst, r)
	}
	return dst
}

// plain is ASCII in small letters, with a space for controls. Bytes of other characters are 0.
var plain = func() (of [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case c >= 'A' && c <= 'Z':
			of[c] = c + 'a' - 'A'
		case c <= ' ':
			of[c] = ' '
		default:
			of[c] = c
		}
	}
	return of
}()

func appendSpace(dst []byte) []byte {
	if n := len(dst); n > 0 && dst[n-1] == ' ' {
		return dst
	}
	return append(dst, ' ')
}

func appendFolded(dst []byte, r rune) []byte {
	switch {
	case r < Below:
		return appendLow(dst, r)
	case r >= 0x3040 && r < 0x3100, r >= 0x3400 && r < 0xa000, r >= 0xac00 && r < 0xd7a4:
		return utf8.AppendRune(dst, r) // letters, but for a few signs
	case r >= 0xff01 && r <= 0xff5e:
		return append(dst, plain[byte(r-0xff01+'!')])
	case r == 0x2019 || r == 0x2018:
		return append(dst, '\'')
	case r == 0x2010 || r == 0x2011:
		return append(dst, '-')
	case Invisible(r):
		return dst
	case isWordRune(r):
		return utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return appendSpace(dst)
}

func appendLow(dst []byte, r rune) []byte {
	switch entry := searched()[r]; {
	case entry == 0:
		return dst
	case entry == ' ':
		return appendSpace(dst)
	case entry < utf8.RuneSelf:
		return append(dst, byte(entry))
	case entry < two:
		return utf8.AppendRune(dst, rune(entry))
	default:
		return append(dst, twoLetters[entry-two]...)
	}
}

// searched is the table as Fold uses it: letters are small, and what is neither letter nor number is a space.
var searched = sync.OnceValue(func() *Letters {
	t := *Folded()
	for r := range t {
		switch {
		case t[r] == 0:
		case !isWordRune(rune(r)):
			t[r] = ' '
		case t[r] < utf8.RuneSelf:
			t[r] = uint16(plain[t[r]])
		case t[r] >= two:
			t[r] = two + (t[r]-two)%(uint16(len(twoLetters))/2)
		}
	}
	return &t
})

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }
