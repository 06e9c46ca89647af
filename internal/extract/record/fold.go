package record

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// line is a line of a mail in two forms: as it was written, and folded for comparison: lower case, without accents,
// digits of all scripts as 0 to 9, all blanks as a space, all dashes as "-". Cells of a table row are parted by tabs.
type line struct {
	text   string
	folded string
	at     []uint16 // for each byte of folded, and its end, the offset in text
	hits   []hit
	url    bool // there is nothing but an address on it

	money   []amount // what amounts gives, once it was asked
	counted bool
}

// maxLine is the longest line; what is longer is cut up.
const maxLine = 4000

// newLine folds a line. Text beyond maxLine is not looked at.
func newLine(text string) line {
	text = cut(text, maxLine)
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

// original gives the text behind a range of the folded line.
func (l *line) original(from, to int) string { return l.text[l.at[from]:l.at[to]] }

// fold gives the folded form alone.
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

// foldedBelow is where the table of folded characters ends.
const foldedBelow = 0x2000

var foldTable = sync.OnceValue(func() *[foldedBelow]string {
	var t [foldedBelow]string
	for r := rune(utf8.RuneSelf); r < foldedBelow; r++ {
		t[r] = foldRune(r)
	}
	return &t
})

func appendFolded(b []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(b, lowerASCII(byte(r)))
	case r < foldedBelow:
		return append(b, foldTable()[r]...)
	case r >= 0x2e80 && r < 0xfe00: // East Asian
		if r == 0x3000 {
			return append(b, ' ')
		}
		return utf8.AppendRune(b, r)
	}
	return append(b, foldRune(r)...)
}

// foldAlike are characters that decomposition does not reach.
var foldAlike = map[rune]string{
	'ß': "ss", 'æ': "ae", 'Æ': "ae", 'œ': "oe", 'Œ': "oe", 'ø': "o", 'Ø': "o", 'ł': "l", 'Ł': "l", 'đ': "d", 'Đ': "d",
	'ı': "i", 'þ': "th", 'ð': "d", '°': "o", '´': "'", '’': "'", '‘': "'", '‛': "'", 'ʼ': "'", '“': `"`, '”': `"`, '„': `"`,
	'«': `"`, '»': `"`, '−': "-", '×': "x", '✕': "x", 'й': "й", 'Й': "й", 'ς': "σ", '٫': ".", '٬': ",", '،': ",", 'ي': "ی", 'ك': "ک", 'ى': "ی",
}

func foldRune(r rune) string {
	if s, ok := foldAlike[r]; ok {
		return s
	}
	switch {
	case r == 0xad || r == 0x61c || r == 0x180e || 0x200b <= r && r <= 0x200f || 0x202a <= r && r <= 0x202e ||
		0x2060 <= r && r <= 0x206f || r == 0xfeff || 0x300 <= r && r <= 0x36f || 0xfe00 <= r && r <= 0xfe0f:
		return ""
	case 0x2010 <= r && r <= 0x2015:
		return "-"
	case unicode.IsSpace(r):
		return " "
	case unicode.IsDigit(r):
		return string('0' + digitValue(r))
	case r >= 0x590 && r < 0x1e00: // marks of Indic and other scripts belong to their letters
		return string(unicode.ToLower(r))
	}
	s := strings.ToLower(norm.NFKD.String(string(r)))
	return strings.Map(func(r rune) rune {
		if 0x300 <= r && r <= 0x36f {
			return -1
		}
		return r
	}, s)
}

// digitValue gives the value of a decimal digit: they lie in tens, and every ten begins with a zero.
func digitValue(r rune) rune {
	if r >= 0xff10 && r <= 0xff19 {
		return r - 0xff10
	}
	for v := rune(0); v < 10; v++ {
		if !unicode.IsDigit(r - v - 1) {
			return v
		}
	}
	return (r - 0x30) % 10
}

// cut shortens s to at most n bytes, at a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// isDense says whether a script is written without spaces between words, or with particles joined to them.
func isDense(r rune) bool {
	return r >= 0x2e80 && r < 0xfe00 || r >= 0xe00 && r < 0xe80
}

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
