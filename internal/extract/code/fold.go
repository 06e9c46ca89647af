package code

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// Text is compared in a folded form: digits of any script are 0 to 9, full-width forms are ASCII, accents and
// characters without width are gone, and letters outside ASCII are in lower case. ASCII letters keep their case,
// because a code is given as it was written. The letter ã keeps its tilde: the Vietnamese for a code, mã, would be
// a small word of other languages without it.

// foldTable says for a low character what it becomes. foldHigh takes over where it ends.
var foldTable = sync.OnceValue(func() *lexicon.Letters {
	t := *lexicon.Folded()
	t['ã'], t['Ã'] = 'ã', 'ã'
	return &t
})

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
		return '0' + lexicon.DigitValue(r)
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
	fold *lexicon.Letters
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

// asciiRun is the end of a run of ASCII characters with no more than one space between them, which folding leaves
// alone.
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

// letters writes the characters from i on that have two or three bytes and keep as many, with single spaces before
// them, and the numbers and punctuation between. It returns where it stops, which may be early.
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
	if r < lexicon.Below {
		return r >= 0x800 && rune(f.fold[r]) == r
	}
	return r > 0x3000 && r < 0xa620 && r != 0x3164 || r >= 0xac00 && r < 0xd800 || r == 0xff0c || r == 0xff0e
}

// rune writes a character beyond ASCII.
func (f *folder) rune(r rune) {
	if r < lexicon.Below {
		if letters, ok := lexicon.Two(f.fold[r]); ok {
			f.flush()
			f.buf = append(f.buf, letters...)
			return
		}
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
func foldPhrase(s string) string { return string(appendPhrase(nil, s)) }

// appendPhrase appends a phrase as it is found in folded text, in lower case.
func appendPhrase(dst []byte, s string) []byte {
	f := folder{max: 1 << 20, fold: foldTable()}
	f.text(s, gapSpace)
	for _, c := range f.buf {
		dst = append(dst, lexicon.Lowered[c])
	}
	return dst
}
