package record

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/mailkin/mailkin/internal/lexicon"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// line is a line of a mail in two forms: as it was written, and folded for comparison: lower case, without accents,
// digits of all scripts as 0 to 9, all blanks as a space, all dashes as "-". Cells of a table row are parted by tabs.
type line struct {
	text   string
	folded string
	at     []uint16 // for each byte of folded, and its end, the offset in text
	hits   []hit
	url    bool // there is nothing but an address on it

	money   []amount // what amounts returns, once it was asked
	counted bool
}

// maxLine is the longest line; what is longer is cut up.
const maxLine = 4000

// newLine folds a line. Text beyond maxLine is not looked at.
func newLine(text string) line {
	text = mailbox.Cut(text, maxLine)
	folded := make([]byte, 0, len(text))
	at := make([]uint16, 0, len(text)+1)
	for i, r := range text {
		if r < utf8.RuneSelf {
			folded = append(folded, lowerASCII(byte(r)))
			at = append(at, uint16(i))
			continue
		}
		before := len(folded)
		folded = appendFolded(folded, r)
		if (r == '°' || r == 'º') && parts(text[i+utf8.RuneLen(r):]) {
			folded = append(folded, ' ')
		}
		for range len(folded) - before {
			at = append(at, uint16(i))
		}
	}
	return line{text: text, folded: string(folded), at: append(at, uint16(len(text)))}
}

// parts says whether a number follows a sign for it at once: n°A2451.
func parts(rest string) bool { return rest != "" && (isDigit(rest[0]) || isAlpha(rest[0])) }

// original returns the text behind a range of the folded line.
func (l *line) original(from, to int) string { return l.text[l.at[from]:l.at[to]] }

// fold returns the folded form alone.
func fold(s string) string {
	folded := make([]byte, 0, len(s))
	for _, r := range s {
		folded = appendFolded(folded, r)
	}
	return string(folded)
}

func lowerASCII(b byte) byte {
	switch {
	case 'A' <= b && b <= 'Z':
		return b + 'a' - 'A'
	case b < ' ' && b != '\t':
		return ' '
	}
	return b
}

func appendFolded(b []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(b, lowerASCII(byte(r)))
	case r < lexicon.Below:
		return appendLow(b, r)
	case r >= 0x2e80 && r < 0xfe00: // East Asian
		if r == 0x3000 {
			return append(b, ' ')
		}
		return utf8.AppendRune(b, r)
	}
	return append(b, foldSign(r)...)
}

func appendLow(b []byte, r rune) []byte {
	entry := letters()[r]
	switch {
	case entry == 0:
		return b
	case entry == aSign:
		return append(b, foldSign(r)...)
	case entry < utf8.RuneSelf:
		return append(b, lowerASCII(byte(entry)))
	}
	if two, ok := lexicon.Two(entry); ok {
		return append(b, lowerASCII(two[0]), lowerASCII(two[1]))
	}
	return utf8.AppendRune(b, rune(entry))
}

// aSign is the entry of what is neither letter nor digit, and becomes what foldSign says.
const aSign = 0xffff

// letters is the lexicon's table of letters. Signs are folded here: they belong to amounts and numbers.
var letters = sync.OnceValue(func() *lexicon.Letters {
	t := *lexicon.Folded()
	for r := rune(utf8.RuneSelf); r < lexicon.Below; r++ {
		if t[r] != 0 && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			t[r] = aSign
		}
	}
	t['ª'], t['º'] = aSign, aSign
	return &t
})

// signs are those that decomposition does not reach.
var signs = map[rune]string{
	'°': "o", '´': "'", '’': "'", '‘': "'", '‛': "'", '“': `"`, '”': `"`, '„': `"`, '«': `"`, '»': `"`, '״': `"`,
	'׳': "'",
	'−': "-", '×': "x", '✕': "x", '־': "-", '٫': ".", '٬': ",", '،': ",",
}

func foldSign(r rune) string {
	if s, ok := signs[r]; ok {
		return s
	}
	switch {
	case lexicon.Invisible(r):
		return ""
	case 0x2010 <= r && r <= 0x2015:
		return "-"
	case unicode.IsSpace(r):
		return " "
	}
	s := strings.ToLower(norm.NFKD.String(string(r)))
	return strings.Map(func(r rune) rune {
		if 0x300 <= r && r <= 0x36f {
			return -1
		}
		return r
	}, s)
}

// isDense says whether a script is written without spaces between words, or with particles joined to them.
func isDense(r rune) bool { return lexicon.IsUnspaced(r) }

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isDigit(byte(r)) || isAlpha(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isAlpha(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// squeeze makes one space of every run of blanks, and none at the ends.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
