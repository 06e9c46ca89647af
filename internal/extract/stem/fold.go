package stem

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold appends text to dst in the form in which stems are compared: lower case, without accents, in ASCII where it is
// Latin, with one space for white space and for punctuation that is not ASCII, and without what cannot be seen.
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
		dst = appendRune(dst, r)
	}
	return dst
}

// plain is ASCII in lower case, with a space for controls. Bytes of other characters are 0.
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

func appendRune(dst []byte, r rune) []byte {
	switch {
	case r < alphabets:
		return appendLetter(dst, bases()[r])
	case r >= 0x1E00 && r < 0x2000:
		return appendLetter(dst, bases()[r-0x1E00+alphabets])
	case r >= 0x0590 && r < 0x0700:
		return appendSemitic(dst, r)
	case r >= 0x0900 && r < 0x0A00:
		return appendIndic(dst, r)
	case r >= 0x0A00 && r < 0x1000, r >= 0x3040 && r < 0x3100, r >= 0x3400 && r < 0xA000, r >= 0xAC00 && r < 0xD7A4:
		return utf8.AppendRune(dst, r) // letters, but for a few signs
	case r >= 0xFF01 && r <= 0xFF5E:
		return append(dst, plain[byte(r-0xFF01+'!')])
	case r == 0x2019 || r == 0x2018:
		return append(dst, '\'')
	case r == 0x2010 || r == 0x2011:
		return append(dst, '-')
	case Invisible(r):
		return dst
	case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
		return utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return appendSpace(dst)
}

// Invisible tells of characters that take no room on a screen: joiners, soft hyphens, marks of direction, variants.
func Invisible(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x034F, r == 0x061C, r == 0x180E, r == 0xFEFF:
		return true
	}
	return r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r >= 0xFE00 && r <= 0xFE0F ||
		r >= 0xE0000 && r <= 0xE007F
}

// appendSemitic writes a letter of Hebrew or Arabic without its points, and the spellings of Arabic and Persian as one.
func appendSemitic(dst []byte, r rune) []byte {
	switch {
	case r == 'أ' || r == 'إ' || r == 'آ' || r == 'ٱ':
		r = 'ا'
	case r == 'ى' || r == 'ی':
		r = 'ي'
	case r == 'ک':
		r = 'ك'
	case r == 'ة':
		r = 'ه'
	case r == 0x0640 || Invisible(r) || unicode.Is(unicode.Mn, r):
		return dst
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return appendSpace(dst)
	}
	return utf8.AppendRune(dst, r)
}

// appendIndic writes a letter of Devanagari or Bengali without the dot below, which is also written as part of the letter.
func appendIndic(dst []byte, r rune) []byte {
	switch {
	case r == 0x093C || r == 0x09BC:
		return dst
	case r >= 0x0958 && r <= 0x095F, r >= 0x09DC && r <= 0x09DF:
		r, _ = utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	case r == 0x0964 || r == 0x0965:
		return appendSpace(dst)
	}
	return utf8.AppendRune(dst, r)
}

// alphabets is where Latin, Greek and Cyrillic end; what is added to Latin and Greek later is at U+1E00 to U+1FFF.
const alphabets = 0x0530

// letter is what a character is folded to, at most two bytes.
type letter [2]byte

func appendLetter(dst []byte, l letter) []byte {
	switch {
	case l[0] == 0:
		return dst
	case l[0] == ' ':
		return appendSpace(dst)
	case l[1] == 0:
		return append(dst, l[0])
	}
	return append(dst, l[0], l[1])
}

// bases are the letters of the alphabets without accents. They are worked out at the first use.
var bases = sync.OnceValue(func() *[alphabets + 0x200]letter {
	of := new([alphabets + 0x200]letter)
	for i := range of {
		r := rune(i)
		if i >= alphabets {
			r = rune(i-alphabets) + 0x1E00
		}
		of[i] = base(r)
	}
	return of
})

func base(r rune) (l letter) {
	if Invisible(r) || unicode.Is(unicode.Mn, r) {
		return letter{}
	}
	if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
		return letter{' '}
	}
	r, n := utf8.DecodeRuneInString(norm.NFD.String(string(unicode.ToLower(r))))
	switch r {
	case 'ß':
		return letter{'s', 's'}
	case 'æ':
		return letter{'a', 'e'}
	case 'œ':
		return letter{'o', 'e'}
	case 'þ':
		return letter{'t', 'h'}
	case 'ø':
		return letter{'o'}
	case 'đ', 'ð':
		return letter{'d'}
	case 'ł':
		return letter{'l'}
	case 'ı':
		return letter{'i'}
	case 'ə':
		return letter{'e'}
	case 'ς':
		r = 'σ'
	}
	if n > len(l) {
		return letter{' '} // some that no language here uses
	}
	utf8.EncodeRune(l[:], r)
	return l
}
