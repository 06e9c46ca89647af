package view

import (
	"bytes"
	"io"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// lines writes text as lines, with the white space between words made plain. Space, cell and line ends wait until a
// word follows, so that none is at the end of a line or of the text.
type lines struct {
	buf    []byte
	breaks int    // line ends that wait
	block  bool   // one of them is that of a block
	space  bool   // a space waits
	cell   bool   // a tab waits
	inRow  bool   // a cell of this row was seen
	fresh  bool   // nothing was written in the cell at hand
	from   int    // where its text begins in buf
	prefix string // of a list item, that waits
	joiner rune   // a zero-width joiner that waits

	to    io.Writer // takes what is certain of buf; nil: everything stays there
	err   error     // of to
	ended bool      // what to has of the cell at hand has line ends

	gap Gap // what was written before the last word
	at  int // where that word begins
}

// breakLine asks for at least n line ends before the next word. The blocks that a cell begins with do not part it from
// the cell before it.
func (t *lines) breakLine(n int) {
	if !t.cell {
		t.breaks = max(t.breaks, n)
		t.space, t.block = false, true
	}
}

// endRow ends a row of cells.
func (t *lines) endRow() { t.cell, t.inRow = false, false }

// startCell begins a cell. It stands in the line of the one before it if that was no more than a line.
func (t *lines) startCell() {
	if t.inRow && !t.fresh {
		if !t.ended && bytes.IndexByte(t.buf[t.from:], '\n') < 0 {
			t.breaks, t.space, t.cell = 0, false, true
		} else {
			t.breakLine(1)
		}
	}
	t.inRow, t.fresh = true, true
}

// lineBreak is one more line end, up to an empty line.
func (t *lines) lineBreak() {
	t.breaks = min(t.breaks+1, 2)
	t.space, t.cell = false, false
}

// lineEnd is the end of a line of plain text.
func (t *lines) lineEnd() {
	t.breaks = min(t.breaks+1, 3)
	t.space = false
}

// begin writes what waits before a word.
func (t *lines) begin() {
	if t.breaks > 0 || t.space || t.cell || t.prefix != "" {
		t.writeGap()
		t.joiner = 0
	}
	if t.at < 0 {
		t.at = len(t.buf)
	}
	if t.fresh {
		t.from, t.fresh, t.ended = len(t.buf), false, false
	}
}

func (t *lines) writeGap() {
	gap := t.waiting()
	if t.at < 0 {
		t.gap = gap
	}
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
	t.breaks, t.space, t.cell, t.block, t.prefix = 0, false, false, false, ""
}

// waiting is the gap that the next word has before it.
func (t *lines) waiting() Gap {
	switch {
	case t.breaks > 1:
		return GapBlank
	case t.breaks > 0 && t.block:
		return GapBlock
	case t.breaks > 0:
		return GapLine
	case t.cell:
		return GapCell
	case t.space:
		return GapSpace
	}
	return GapNone
}

// write writes a run of text, and says where it begins and what is before it. In pre white space is kept.
func (t *lines) write(s string, pre bool) (from int, gap Gap) {
	t.at, t.gap = -1, GapNone
	t.text(s, pre)
	if t.at < 0 {
		return len(t.buf), GapNone
	}
	return t.at, t.gap
}

// text writes a piece of a run.
func (t *lines) text(s string, pre bool) {
	for len(s) > 0 {
		if c := s[0]; c > ' ' && c < 0x7f {
			n := plainRun(s, pre)
			t.begin()
			t.joiner = 0
			t.buf = append(t.buf, s[:n]...)
			s = s[n:]
			continue
		}
		r, n := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s)
		}
		s = s[n:]
		t.rune(r, pre)
	}
}

// plainRun is the length of the run of visible ASCII characters that s begins with. Single spaces between words count
// as part of it where white space is not kept. It goes eight bytes at a time as long as it can.
func plainRun(s string, pre bool) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080 // a byte is marked by its high bit
	n := 1
	spaced := uint64(0) // the byte before is a space
	for !pre && n+8 <= len(s) {
		b := s[n : n+8]
		v := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		visible := v + (0x80-' ')*ones
		spaces := ^(v ^ ' '*ones + 0x7f*ones) & highs
		deletes := ^(v ^ 0x7f*ones + 0x7f*ones) & highs
		wrong := (v | ^visible | deletes | spaces&(spaces<<8|spaced)) & highs
		if wrong != 0 {
			n += bits.TrailingZeros64(wrong) / 8
			break
		}
		spaced = spaces >> 56
		n += 8
	}
	if s[n-1] == ' ' {
		n--
	}
	for n < len(s) && isPlain(s[n]) || !pre && n+1 < len(s) && s[n] == ' ' && isPlain(s[n+1]) {
		n++
	}
	return n
}

func isPlain(c byte) bool { return c-'!' < 0x7f-'!' }

// rune writes any other character.
func (t *lines) rune(r rune, pre bool) {
	switch {
	case pre && r == '\n':
		t.lineEnd()
	case pre && (r == ' ' || r == '\t' || r == 0xa0):
		t.begin()
		t.buf = append(t.buf, blankOf(r))
	case r == 0x200c || r == 0x200d:
		t.joiner = r
	case r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\v' || r == 0xa0 || r == 0x85:
		t.space, t.joiner = true, 0
	case r < ' ' || r == 0x7f || isInvisible(r):
	case r > 0xff && unicode.IsSpace(r):
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
func (t *lines) letter(r rune) {
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
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x180e:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	}
	return r == 0x3164 || r == 0xffa0 || r >= 0xe0000 && r <= 0xe0fff
}
