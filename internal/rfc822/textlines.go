package rfc822

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textLines writes text as lines, with the white space between words made plain. Space, cell and line ends wait
// until a word follows, so that none is at the end of a line or of the text.
type textLines struct {
	buf    []byte
	max    int
	breaks int    // line ends that wait
	space  bool   // a space waits
	cell   bool   // a tab waits
	inRow  bool   // a cell of this row was seen
	fresh  bool   // nothing was written in the cell at hand
	from   int    // where its text begins in buf
	prefix string // of a list item, that waits
	joiner rune   // a zero-width joiner that waits

	to    io.Writer // takes what is certain of buf; nil: everything stays there
	err   error     // of to
	lines bool      // what to has of the cell at hand has line ends
}

// String is what was written.
func (t *textLines) String() string {
	s := strings.TrimRight(string(t.buf), " \t\n")
	s, _ = cutText(s, int64(t.max))
	return s
}

// breakLine asks for at least n line ends before the next word. The blocks that a cell begins with do not part it
// from the cell before it.
func (t *textLines) breakLine(n int) {
	if !t.cell {
		t.breaks = max(t.breaks, n)
		t.space = false
	}
}

// endRow ends a row of cells.
func (t *textLines) endRow() { t.cell, t.inRow = false, false }

// startCell begins a cell. It stands in the line of the one before it if that was no more than a line.
func (t *textLines) startCell() {
	if t.inRow && !t.fresh {
		if !t.lines && bytes.IndexByte(t.buf[t.from:], '\n') < 0 {
			t.breaks, t.space, t.cell = 0, false, true
		} else {
			t.breakLine(1)
		}
	}
	t.inRow, t.fresh = true, true
}

// lineBreak is one more line end, up to an empty line.
func (t *textLines) lineBreak() {
	t.breaks = min(t.breaks+1, 2)
	t.space, t.cell = false, false
}

// begin writes what waits before a word.
func (t *textLines) begin() {
	if t.breaks > 0 || t.space || t.cell || t.prefix != "" {
		t.gap()
		t.joiner = 0
	}
	if t.fresh {
		t.from, t.fresh, t.lines = len(t.buf), false, false
	}
}

func (t *textLines) gap() {
	if len(t.buf) > 0 {
		for range t.breaks {
			t.buf = append(t.buf, '\n')
		}
		switch {
		case t.breaks > 0:
		case t.cell:
			t.buf = append(t.buf, '\t')
		case t.space:
			t.buf = append(t.buf, ' ')
		}
	}
	t.buf = append(t.buf, t.prefix...)
	t.breaks, t.space, t.cell, t.prefix = 0, false, false, ""
}

// text writes a run of text. In pre white space is kept.
func (t *textLines) text(b []byte, pre bool) {
	for len(b) > 0 && len(t.buf) < t.max {
		if c := b[0]; c > ' ' && c < 0x7f {
			b = b[t.word(b):]
			continue
		}
		r, n := utf8.DecodeRune(b)
		b = b[n:]
		t.rune(r, pre)
	}
	if t.to != nil && len(t.buf) >= stepSize {
		t.flush()
	}
}

// flush gives away what is certain: not the white space at the end, and not the last character.
func (t *textLines) flush() {
	n := len(bytes.TrimRight(t.buf, " \t\n")) - 1
	if n < len(t.buf)-stepSize {
		n = len(t.buf) - 1 // too much of it
	}
	t.lines = t.lines || t.from < n && bytes.IndexByte(t.buf[t.from:n], '\n') >= 0
	if t.err == nil {
		_, t.err = t.to.Write(t.buf[:n])
	}
	t.buf = t.buf[:copy(t.buf, t.buf[n:])]
	t.from = max(t.from-n, 0)
}

// close gives the rest away.
func (t *textLines) close() error {
	_, err := t.to.Write([]byte(t.String()))
	return err
}

// word writes the plain characters b begins with and says how many there are.
func (t *textLines) word(b []byte) int {
	n := 1
	for n < len(b) && b[n] > ' ' && b[n] < 0x7f {
		n++
	}
	t.begin()
	t.joiner = 0
	t.buf = append(t.buf, b[:n]...)
	return n
}

// rune writes any other character.
func (t *textLines) rune(r rune, pre bool) {
	switch {
	case pre && r == '\n':
		t.breaks = min(t.breaks+1, 3)
		t.space = false
	case pre && (r == ' ' || r == '\t' || r == 0xa0):
		t.begin()
		t.buf = append(t.buf, blankOf(r))
	case r == 0x200c || r == 0x200d:
		t.joiner = r
	case isInvisible(r) || r == 0 || r == 0x7f || r < ' ' && !isSpace(byte(r)) && r != '\f':
	case r == 0x85 || unicode.IsSpace(r):
		t.space, t.joiner = true, 0
	default:
		t.letter(r)
	}
}

func blankOf(r rune) byte {
	if r == '\t' {
		return '\t'
	}
	return ' '
}

// letter writes a character beyond ASCII. Joiners count only between two of those: elsewhere they are padding.
func (t *textLines) letter(r rune) {
	t.begin()
	if n := len(t.buf); t.joiner != 0 && n > 0 && t.buf[n-1] >= utf8.RuneSelf {
		t.buf = utf8.AppendRune(t.buf, t.joiner)
	}
	t.joiner = 0
	t.buf = utf8.AppendRune(t.buf, r)
}

// isInvisible is a character without width that parts or pads: soft hyphen, word joiners, marks of direction.
func isInvisible(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x180e:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	}
	return r == 0x3164 || r == 0xffa0 || r >= 0xe0000 && r <= 0xe0fff
}
