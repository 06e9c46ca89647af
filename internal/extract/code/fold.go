package code

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is compared in a folded form: digits of any script are 0 to 9, full-width forms are ASCII, accents and
// characters without width are gone, and letters outside ASCII are in lower case. ASCII letters keep their case,
// because a code is given as it was written. The letter ã keeps its tilde: the Vietnamese for a code, mã, would be
// a small word of other languages without it.

// foldedBelow is where the table ends and foldHigh takes over.
const foldedBelow = 0x2000

// foldTable says for a low character what it becomes; 0 drops it.
var foldTable = sync.OnceValue(func() *[foldedBelow]uint16 {
	var t [foldedBelow]uint16
	for r := rune(1); r < foldedBelow; r++ {
		t[r] = uint16(foldLow(r))
	}
	return &t
})

// foldAlike are characters that decomposition leaves alone, though people write one for the other.
var foldAlike = map[rune]rune{
	'ı': 'i', 'ł': 'l', 'Ł': 'L', 'đ': 'd', 'Đ': 'D', 'ø': 'o', 'Ø': 'O', 'ħ': 'h', 'ß': 's', 'æ': 'a', 'Æ': 'A',
	'œ': 'o', 'þ': 't', 'ð': 'd', 'ə': 'e', 'Ə': 'E', 'ς': 'σ', 'ʼ': '\'', 'ʻ': '\'', '´': '\'', '`': '\'',
	'«': '"', '»': '"',
	'ى': 'ي', 'ی': 'ي', 'ې': 'ي', 'ك': 'ک', 'ة': 'ه', 'ۀ': 'ه', 'ہ': 'ه', 'ھ': 'ه', 'ٱ': 'ا',
	0xa0: ' ', 0x85: '\n', 0x1680: ' ', '־': '-', 'ã': 'ã', 'Ã': 'ã', '״': '"', '׳': '\'',
}

func foldLow(r rune) rune {
	if a, ok := foldAlike[r]; ok {
		return a
	}
	switch {
	case r < utf8.RuneSelf:
		return r
	case isWidthless(r):
		return 0
	case unicode.IsDigit(r):
		return '0' + digitValue(r)
	case r >= 0x590 && r < 0x1e00 && (r < 0x622 || r > 0x626):
		return unicode.ToLower(r) // marks of Indic and other scripts are part of their letters
	}
	d := norm.NFD.String(string(r))
	base, _ := utf8.DecodeRuneInString(d)
	if a, ok := foldAlike[base]; ok {
		base = a
	}
	if base < utf8.RuneSelf {
		return base
	}
	return unicode.ToLower(base)
}

// digitValue is the value of a decimal digit: in every script the ten stand in a row.
func digitValue(r rune) rune {
	for _, rs := range unicode.Nd.R16 {
		if r <= rune(rs.Hi) {
			return (r - rune(rs.Lo)) % 10
		}
	}
	return 0
}

// isWidthless is a character that is dropped: accents that stand alone, points of Hebrew and Arabic, the Arabic
// stretcher, soft hyphens and marks of direction.
func isWidthless(r rune) bool {
	switch {
	case r == 0xad, r >= 0x300 && r <= 0x36f, r == 0x61c, r == 0x640, r == 0x670, r == 0x115f, r == 0x1160,
		r >= 0x591 && r <= 0x5bd, r == 0x5bf, r == 0x5c1, r == 0x5c2, r == 0x5c4, r == 0x5c5, r == 0x5c7,
		r >= 0x610 && r <= 0x61a, r >= 0x64b && r <= 0x65f, r >= 0x6d6 && r <= 0x6dc, r == 0x17b4, r == 0x17b5,
		r >= 0x180b && r <= 0x180f:
		return true
	}
	return false
}

// foldHigh folds what is beyond the table.
func foldHigh(r rune) rune {
	switch {
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff,
		r >= 0xfe00 && r <= 0xfe0f, r == 0x20e3, r == 0x3164, r == 0xffa0, r >= 0xe0000 && r <= 0xe0fff:
		return 0
	case r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000:
		return ' '
	case r == 0x2028, r == 0x2029:
		return '\n'
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xfe58, r == 0xfe63:
		return '-'
	case r >= 0x2018 && r <= 0x201b:
		return '\''
	case r >= 0x201c && r <= 0x201f:
		return '"'
	case r == 0xff0c || r == 0xff0e: // a comma of text, not of a number
		return r
	case r >= 0xff01 && r <= 0xff5e:
		return r - 0xff01 + '!'
	case r >= 0xa620 && r <= 0xabf9 && unicode.IsDigit(r):
		return '0' + digitValue(r)
	case r >= 0x1d7ce && r <= 0x1d7ff:
		return '0' + (r-0x1d7ce)%10
	}
	return r
}

// gap is the white space that waits before the next character; wider swallows narrower.
type gap uint8

const (
	gapNone gap = iota
	gapSpace
	gapTab   // between cells
	gapLine  // a line end
	gapBlank // an empty line
)

// folder writes folded text with its white space made plain.
type folder struct {
	buf  []byte
	max  int
	gap  gap
	fold *[foldedBelow]uint16
}

// full says that no more is taken.
func (f *folder) full() bool { return len(f.buf) >= f.max }

// space asks for white space before the next character. Two line ends make an empty line.
func (f *folder) space(g gap) {
	if g == gapLine && f.gap == gapLine {
		g = gapBlank
	}
	f.gap = max(f.gap, g)
}

// block asks for a line end that does not add up with others.
func (f *folder) block(g gap) { f.gap = max(f.gap, g) }

func (f *folder) flush() {
	if len(f.buf) > 0 {
		switch f.gap {
		case gapSpace:
			f.buf = append(f.buf, ' ')
		case gapTab:
			f.buf = append(f.buf, '\t')
		case gapLine:
			f.buf = append(f.buf, '\n')
		case gapBlank:
			f.buf = append(f.buf, '\n', '\n')
		}
	}
	f.gap = gapNone
}

// text writes s. In HTML a line end is a space like others.
func (f *folder) text(s string, lineEnd gap) {
	for i := 0; i < len(s) && !f.full(); {
		c := s[i]
		switch {
		case c > ' ' && c < 0x7f:
			n := asciiRun(s, i+1)
			f.flush()
			f.buf = append(f.buf, s[i:min(n, i+f.max)]...)
			i = n
		case c < utf8.RuneSelf:
			f.blank(c, lineEnd)
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			f.rune(r)
			i = f.letters(s, i+n)
		}
	}
}

// asciiRun is the end of a run of ASCII characters with no more than one space between them, which folding leaves alone.
func asciiRun(s string, n int) int {
	n = asciiWords(s, n)
	for n < len(s) {
		c := s[n]
		if c-'!' > '~'-'!' && (c != ' ' || n+1 == len(s) || s[n+1]-'!' > '~'-'!') {
			break
		}
		n++
	}
	return n
}

func (f *folder) blank(c byte, lineEnd gap) {
	switch c {
	case '\n':
		f.space(lineEnd)
	case '\t':
		if lineEnd == gapLine {
			f.space(gapTab)
			return
		}
		f.space(gapSpace)
	case ' ', '\r', '\f', '\v':
		f.space(gapSpace)
	}
}

// letters writes the characters from i on that have two or three bytes and keep as many, with single spaces before them, and
// the numbers and punctuation between. It gives where it stops, which may be early.
func (f *folder) letters(s string, i int) int {
	n := len(f.buf)
	if n == 0 || n >= f.max || f.gap != gapNone {
		return i
	}
	room := min(len(s)-i, f.max-n+4) // not more is written than is read
	buf := slices.Grow(f.buf, room)[:n+room]
run:
	for n < f.max && i+4 <= len(s) {
		from, to := i, n
		if s[i] == ' ' {
			buf[n] = ' '
			from, to = i+1, n+1
		}
		c, d, e := s[from], s[from+1], s[from+2]
		switch {
		case c < utf8.RuneSelf:
			if c <= ' ' || c == 0x7f || isLetter(c) || f.max-n < wholeNumber {
				break run
			}
			buf[to] = c
			i, n = from+1, to+1
		case c >= 0xc2 && c < 0xe0 && d&0xc0 == 0x80:
			r := f.fold[rune(c&0x1f)<<6|rune(d&0x3f)]
			if r < utf8.RuneSelf || r >= 0x800 {
				break run
			}
			buf[to], buf[to+1] = 0xc0|byte(r>>6), 0x80|byte(r&0x3f)
			i, n = from+2, to+2
		case c&0xf0 == 0xe0 && d&0xc0 == 0x80 && e&0xc0 == 0x80:
			switch r := rune(c&0xf)<<12 | rune(d&0x3f)<<6 | rune(e&0x3f); {
			case f.keeps(r):
				buf[to], buf[to+1], buf[to+2] = c, d, e
				i, n = from+3, to+3
			case r >= 0xff01 && r <= 0xff5e:
				buf[to] = byte(r - 0xff01 + '!')
				i, n = from+3, to+1
			default:
				break run
			}
		default:
			break run
		}
	}
	f.buf = buf[:n]
	return i
}

// wholeNumber is more than the characters of any number that matters: where the text is cut, numbers are not.
const wholeNumber = 64

// keeps says whether a character of three bytes is left as it is. Of those beyond the table it knows only letters.
func (f *folder) keeps(r rune) bool {
	if r < foldedBelow {
		return r >= 0x800 && rune(f.fold[r]) == r
	}
	return r > 0x3000 && r < 0xa620 && r != 0x3164 || r >= 0xac00 && r < 0xd800 || r == 0xff0c || r == 0xff0e
}

// rune writes a character beyond ASCII.
func (f *folder) rune(r rune) {
	if r < foldedBelow {
		r = rune(f.fold[r])
	} else {
		r = foldHigh(r)
	}
	switch {
	case r == 0:
	case r == ' ':
		f.space(gapSpace)
	case r == '\n':
		f.space(gapLine)
	default:
		if f.gap != gapNone {
			f.flush()
		}
		f.buf = utf8.AppendRune(f.buf, r)
	}
}

// foldPhrase is s as it is found in folded text, in lower case.
func foldPhrase(s string) string {
	f := folder{max: 1 << 20, fold: foldTable()}
	f.text(s, gapSpace)
	for i, c := range f.buf {
		f.buf[i] = lowered[c]
	}
	return string(f.buf)
}
