package code

import (
	"bytes"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/view"
)

// Bounds of what is looked at. A code stands near the beginning of a mail; what is further down costs time and can
// only mislead.
const (
	maxText   = 48 << 10 // bytes of folded text of a page
	maxHeader = 1 << 10  // bytes of the subject, and of the sender
	maxTokens = 300      // of a page
)

// page is one view of the mail, the plain text or the HTML, with the subject as its first paragraph.
type page struct {
	text     []byte // folded
	parted   []byte // codes whose characters are parted in the text
	subject  int    // where the subject ends
	labels   []label
	tokens   []token
	findings []finding
	marks    []mark // of HTML
	links    []view.Link
}

// mark is a run of text that has an element of its own.
type mark struct {
	start, end int
	strong     bool // large, spaced, fixed pitch or a heading
}

// begin returns a folder that has written the subject, and has room for a body of some size.
func (p *page) begin(subject string, size int) folder {
	f := folder{buf: slices.Grow(p.text[:0], min(len(subject)+size+16, maxText)), max: maxHeader, fold: foldTable()}
	f.text(subject, gapSpace)
	p.subject = len(f.buf)
	f.max = maxText
	f.space(gapBlank)
	return f
}

// readText reads plain text.
func (p *page) readText(subject, text string) {
	f := p.begin(subject, len(text))
	f.text(text, gapLine)
	p.text = f.buf
	p.findTokens()
}

// clear makes the page empty, and keeps its memory.
func (p *page) clear() {
	clear(p.tokens)
	clear(p.findings)
	*p = page{text: p.text[:0], parted: p.parted[:0], labels: p.labels[:0], tokens: p.tokens[:0],
		findings: p.findings[:0], marks: p.marks[:0]}
}

// lineAt is the line around the run from start to end, without its line ends. The run may go over several.
func (p *page) lineAt(start, end int) (from, to int) {
	from = lastLineEnd(p.text[:start]) + 1
	to = bytes.IndexByte(p.text[end:], '\n')
	if to < 0 {
		return from, len(p.text)
	}
	return from, end + to
}

// standing is how a token stands in its line.
type standing uint8

const (
	amidText standing = iota
	inOwnCell
	onOwnLine
)

// standing says whether no letter or digit is next to the token. It reads no further than the first
// such character.
func (p *page) standing(t *token) standing {
	left := p.edge(t.start, -1)
	right := p.edge(t.end, 1)
	switch {
	case left == 0 || right == 0:
		return amidText
	case left == '\t' || right == '\t':
		return inOwnCell
	}
	return onOwnLine
}

// place is what the text around a token says without any phrase.
type place struct {
	standing standing
	joint    joint
	cue      bool    // something bids to use it
	layout   float64 // points for how it is set
	strong   bool    // set off by its HTML
}

// placeTokens looks at the places of the tokens, when all are found.
func (p *page) placeTokens() {
	p.passphrases()
	for i := range p.tokens {
		t := &p.tokens[i]
		t.place = place{standing: p.standing(t), joint: p.joinedTo(t.start), cue: p.isSubject(t) || p.isFirst(t) ||
			p.isMeans(t)}
		t.place.layout = p.layoutPoints(t)
	}
}

// isParagraph says whether empty lines are above and below a token on a line of its own.
func (p *page) isParagraph(t *token) bool {
	from, to := p.lineAt(t.start, t.end)
	above := from == 0 || from > 1 && p.text[from-2] == '\n'
	below := to == len(p.text) || to+1 < len(p.text) && p.text[to+1] == '\n'
	return above && below
}

// isApart says whether a token on a line of its own is set off from the lines around it. In a block of lines it is a
// postcode or the like.
func (p *page) isApart(t *token) bool {
	if t.place.strong || p.isParagraph(t) {
		return true
	}
	from, _ := p.lineAt(t.start, t.end)
	return from > 1 && p.text[from-2] == ':'
}

// maxEdge bounds how much decoration around a token is read.
const maxEdge = 40

// edge goes from i left or right and tells what is met first: '\n' for the end of a line or of the text, '\t' for
// the end of a cell, 0 for a letter or digit.
func (p *page) edge(i, step int) byte {
	for range maxEdge {
		if step < 0 && i == 0 || step > 0 && i == len(p.text) {
			return '\n'
		}
		r, n := rune(0), 0
		if step < 0 {
			r, n = utf8.DecodeLastRune(p.text[:i])
		} else {
			r, n = utf8.DecodeRune(p.text[i:])
		}
		switch {
		case r == '\n' || r == '\t':
			return byte(r)
		case isWordRune(r):
			return 0
		}
		i += step * n
	}
	return 0
}

// markOf is the best mark inside the token or around it.
func (p *page) markOf(t *token) (own, strong bool) {
	i := sort.Search(len(p.marks), func(n int) bool { return p.marks[n].end >= t.start })
	for ; i < len(p.marks) && p.marks[i].start < t.end+2; i++ {
		m := p.marks[i]
		if m.start >= t.start-3 && m.end <= t.end+3 {
			own, strong = true, strong || m.strong
		}
	}
	return own, strong
}

// isWordRune is a letter or digit of any script.
func isWordRune(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return isAlnum(byte(r))
	case r >= 0x4e00 && r < 0xa000, r >= 0xac00 && r < 0xd7a4: // Han, Hangul
		return true
	case r < 0x800:
		return lowWords[r]
	}
	return isWordBeyond(r)
}

// lowWords are the letters and digits among the characters of two bytes.
var lowWords = func() (t [0x800]bool) {
	for r := range t {
		t[r] = isWordBeyond(rune(r))
	}
	return t
}()

func isWordBeyond(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}
