package search

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class is what a character does in a text.
type class uint8

const (
	gap     class = iota // it parts words; it may also join them to a compound
	letter               // of a word
	digit                // of a word or a number
	mark                 // goes with the letter before it
	nothing              // as if it were not there
	han                  // a word by itself: Han, kana, Yi
	hangul               // the same; but line breaks part it
	cluster              // with its marks a word by itself: Thai, Lao, …
	picture              // an emoji
	flag                 // half of one
	many                 // its NFKC form is several characters
)

// folded is what a character becomes.
type folded struct {
	r      rune
	second byte // ß is two letters
	class  class
	marks  bool // a mark after it may change it: look before it is taken
}

// tableEnd is where the table ends: after kana.
const tableEnd = 0x3100

type packed struct {
	r      uint16
	second byte
	class  class // the highest bit is folded.marks
}

const packedMarks class = 0x80

// foldTable is made at the first text that is not ASCII.
var foldTable = sync.OnceValue(func() *[tableEnd]packed {
	var t [tableEnd]packed
	for r := rune(utf8.RuneSelf); r < tableEnd; r++ {
		f := foldAny(r)
		t[r] = packed{uint16(f.r), f.second, f.class}
		if f.marks {
			t[r].class |= packedMarks
		}
	}
	return &t
})

func (p packed) unpack() folded {
	return folded{rune(p.r), p.second, p.class &^ packedMarks, p.class&packedMarks != 0}
}

func fold(r rune) folded {
	switch {
	case r < utf8.RuneSelf:
		return foldASCII(byte(r))
	case r < tableEnd:
		return foldTable()[r].unpack()
	}
	return foldHigh(r)
}

// foldAny folds any character, slowly.
func foldAny(r rune) folded {
	if f, ok := special(r); ok { // before NFKC makes TM of ™
		return f
	}
	var buf [64]byte
	form := norm.NFKC.AppendString(buf[:0], string(r))
	first, n := utf8.DecodeRune(form)
	if n < len(form) {
		return folded{r: ' ', class: many}
	}
	return foldNFKC(first)
}

// foldHigh folds what lies after the table.
func foldHigh(r rune) folded {
	switch {
	case r >= 0x3400 && r < 0xA000:
		return folded{r: r, class: han}
	case r >= 0xAC00 && r < 0xD7A4:
		return folded{r: r, class: hangul, marks: true}
	}
	return foldAny(r)
}

// foldNFKC folds a character of a text that is NFKC already.
func foldNFKC(r rune) folded {
	if f, ok := special(r); ok {
		return f
	}
	switch {
	case invisible(r) || diacritic(r):
		return folded{r: ' ', class: nothing}
	case unicode.Is(unicode.Nd, r):
		return folded{r: '0' + digitValue(r), class: digit}
	case r >= 0x1F1E6 && r <= 0x1F1FF:
		return folded{r: r, class: flag}
	case isPicture(r):
		return folded{r: r, class: picture}
	case unicode.IsMark(r):
		return folded{r: r, class: mark, marks: true}
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return folded{r: ' ', class: gap}
	}
	return foldLetter(r)
}

func foldLetter(r rune) folded {
	switch {
	case unicode.Is(unicode.Hangul, r):
		return folded{r: r, class: hangul, marks: true}
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi,
		unicode.Ideographic), r == 'ー':
		return folded{r: r, class: han, marks: r >= 0x3041 && r < tableEnd}
	case unicode.In(r, unspaced...):
		return folded{r: r, class: cluster, marks: true}
	case unicode.In(r, accented...):
		base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		if f, ok := special(base); ok {
			return f
		}
		return folded{r: unicode.ToLower(base), class: letter}
	}
	return folded{r: unicode.ToLower(r), class: letter, marks: true}
}

// accented are scripts whose marks can all be left out.
var accented = []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Arabic, unicode.Hebrew, unicode.Syriac}

// unspaced are scripts that write no spaces between words.
var unspaced = []*unicode.RangeTable{
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham,
	unicode.Tai_Viet,
	unicode.Javanese, unicode.Balinese,
}

// special are characters that decomposition leaves alone, though people write one for the other.
func special(r rune) (folded, bool) {
	switch r {
	case 'ß', 'ẞ':
		return folded{r: 's', second: 's', class: letter}, true
	case 'æ', 'Æ':
		return folded{r: 'a', second: 'e', class: letter}, true
	case 'œ', 'Œ':
		return folded{r: 'o', second: 'e', class: letter}, true
	case 'þ', 'Þ':
		return folded{r: 't', second: 'h', class: letter}, true
	case '\u02BC', '\u02BB', '’', '‘', '‛', '·', '‧', '׳': // U+02BC and U+02BB are letters, but typed as apostrophes
		return folded{r: '\'', class: gap}, true
	case '״':
		return folded{r: '"', class: gap}, true
	case '\u2010', '\u2011', '\u2012', '–', '−', '־':
		return folded{r: '-', class: gap}, true
	case '\u0085', '\u2028', '\u2029':
		return folded{r: '\n', class: gap}, true
	case '™', '℠', '©', '®':
		return folded{r: ' ', class: gap}, true
	}
	if to := alike(r); to != 0 {
		return folded{r: to, class: letter}, true
	}
	if r < utf8.RuneSelf {
		return foldASCII(byte(r)), true
	}
	return folded{}, false
}

func alike(r rune) rune {
	switch r {
	case 'ı', 'İ':
		return 'i'
	case 'ł', 'Ł':
		return 'l'
	case 'đ', 'Đ', 'ð', 'Ð':
		return 'd'
	case 'ø', 'Ø':
		return 'o'
	case 'ħ', 'Ħ':
		return 'h'
	case 'ŧ', 'Ŧ':
		return 't'
	case 'ə', 'Ə':
		return 'e'
	case 'ς':
		return 'σ'
	case 'ё', 'Ё', 'ѐ', 'Ѐ':
		return 'е'
	case 'ѝ', 'Ѝ':
		return 'и'
	case 'ٱ':
		return 'ا'
	case 'ى', 'ی', 'ې':
		return 'ي'
	case 'ک':
		return 'ك'
	case 'ة', 'ہ', 'ھ', 'ۀ', 'ە':
		return 'ه'
	}
	return 0
}

func foldASCII(c byte) folded {
	k := plain[c]
	switch {
	case k == 0:
		return folded{r: rune(c), class: gap}
	case k <= '9':
		return folded{r: rune(k), class: digit}
	}
	return folded{r: rune(k), class: letter}
}

// plain is ASCII letters in lower case and digits; everything else is 0.
var plain = func() (of [256]byte) {
	for c := range of {
		switch {
		case c >= 'A' && c <= 'Z':
			of[c] = byte(c) + 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			of[c] = byte(c)
		}
	}
	return of
}()

// diacritic tells marks that are no letters of their own.
func diacritic(r rune) bool {
	switch {
	case r < 0x0300:
		return false
	case r <= 0x036F, r >= 0x0483 && r <= 0x0489:
		return true
	case r >= 0x0591 && r <= 0x05C7, r >= 0x0610 && r <= 0x061A, r >= 0x064B && r <= 0x065F, r == 0x0670,
		r >= 0x06D6 && r <= 0x06ED:
		return unicode.IsMark(r)
	case r == 0x0640: // tatweel
		return true
	}
	return r >= 0x0730 && r <= 0x074A || r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF ||
		r >= 0x20D0 && r <= 0x20FF ||
		r >= 0xFE20 && r <= 0xFE2F
}

// invisible are format characters, selectors of variants, and skin tones.
func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r >= 0x1F3FB && r <= 0x1F3FF ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

func isPicture(r rune) bool {
	return (r >= 0x1F000 && r < 0x1FB00 || r >= 0x2600 && r < 0x27C0 || r >= 0x2300 && r < 0x2400 ||
		r >= 0x2B00 && r < 0x2C00) &&
		unicode.Is(unicode.So, r)
}

// digitValue relies on Unicode: the ten digits of a script follow each other, and each run begins at a multiple that
// the range table shows.
func digitValue(r rune) rune {
	for _, t := range unicode.Nd.R16 {
		if r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	return 0
}

// combines tells whether a character may change the one before it.
func combines(r rune) bool {
	switch {
	case r < 0x0300 || r >= tableEnd && r < 0xA800 || r >= 0xAC00 && r < 0xD7A4:
		return false
	case r >= 0x0400 && r < 0x0483 || r >= 0x3041 && r < 0x3099 || r >= 0x309D && r < tableEnd:
		return false
	}
	var buf [utf8.UTFMax]byte
	return !norm.NFKC.Properties(buf[:utf8.EncodeRune(buf[:], r)]).BoundaryBefore()
}
