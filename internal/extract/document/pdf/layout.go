package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// row is what stands on one base line.
type row struct {
	y, size float64
	pieces  []piece
}

// layout makes lines of the pieces of a page. What is turned is read by itself, after what is not; so is what is
// slanted.
func layout(pieces []piece) string {
	var out strings.Builder
	for _, turn := range turnsInOrder(pieces) {
		var same []piece
		for _, p := range pieces {
			if p.turn == turn {
				same = append(same, p)
			}
		}
		rows := rowsOf(same)
		for _, column := range columns(rows) {
			if out.Len() > 0 {
				out.WriteString("\n\n")
			}
			writeRows(&out, column)
		}
	}
	return strings.Trim(out.String(), "\n")
}

// turnsInOrder are the turns that occur, the most frequent first.
func turnsInOrder(pieces []piece) []int8 {
	var count [slanted + 1]int
	for _, p := range pieces {
		count[p.turn] += len(p.text)
	}
	var turns []int8
	for t := range count {
		if count[t] > 0 {
			turns = append(turns, int8(t))
		}
	}
	slices.SortStableFunc(turns, func(a, b int8) int { return cmp.Compare(count[b], count[a]) })
	return turns
}

// rowsOf sorts pieces into rows, from top to bottom and from left to right.
func rowsOf(pieces []piece) []row {
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(b.y, a.y) })
	var rows []row
	for _, p := range pieces {
		if n := len(rows); n > 0 && rows[n-1].takes(p) {
			r := &rows[n-1]
			r.pieces = append(r.pieces, p)
			if p.size > r.size {
				r.y, r.size = p.y, p.size
			}
			continue
		}
		rows = append(rows, row{y: p.y, size: p.size, pieces: []piece{p}})
	}
	for _, r := range rows {
		slices.SortStableFunc(r.pieces, func(a, b piece) int { return cmp.Compare(a.x0, b.x0) })
	}
	return rows
}

// takes says whether a piece stands in the row: raised and lowered letters do.
func (r *row) takes(p piece) bool {
	near := 0.35
	if small, large := min(r.size, p.size), max(r.size, p.size); small < 0.85*large {
		near = 0.45
	}
	return math.Abs(r.y-p.y) <= near*max(r.size, p.size)
}

// writeRows writes rows as lines, with an empty one where the gap is wider than between lines.
func writeRows(out *strings.Builder, rows []row) {
	above := math.Inf(1)
	size := 0.0
	for _, r := range rows {
		line := r.line()
		if line == "" {
			continue
		}
		if !math.IsInf(above, 1) {
			out.WriteByte('\n')
			if above-r.y > 1.9*max(size, r.size) {
				out.WriteByte('\n')
			}
		}
		out.WriteString(line)
		above, size = r.y, r.size
	}
}

// line joins the pieces of a row: where they touch they are one word.
func (r *row) line() string {
	var out []byte
	for i, p := range r.pieces {
		if i > 0 {
			before := r.pieces[i-1]
			if p.text == before.text && math.Abs(p.x0-before.x0) < 0.2*p.size {
				continue // written twice to look bold
			}
			out = append(out, between(before, p)...)
		}
		out = append(out, p.text...)
	}
	return logical(tidy(out))
}

// between is what parts two pieces.
func between(a, b piece) string {
	size := min(a.size, b.size)
	if mark, _ := utf8.DecodeLastRuneInString(a.text); spacingAccents[mark] != 0 && b.x0 < a.x1 {
		return "" // it goes over the next letter
	}
	switch gap := b.x0 - a.x1; {
	case gap > columnGap*max(a.size, b.size):
		return "\t"
	case gap > wordGap*size, gap < backGap*size:
		return " "
	}
	return ""
}

// tidy leaves one blank, or one tab, between words.
func tidy(b []byte) string {
	out := b[:0]
	blank := byte(0)
	for _, c := range b {
		if c == ' ' || c == '\t' {
			if c == '\t' || blank == 0 {
				blank = c
			}
			continue
		}
		if blank != 0 && len(out) > 0 {
			out = append(out, blank)
		}
		blank = 0
		out = append(out, c)
	}
	return composed(string(out))
}

// composed puts accents that stand before their letter, as TeX writes them, over it.
func composed(s string) string {
	if !strings.ContainsAny(s, "´¨ˆ˜ˇ˘˙˚˝˛") {
		return s
	}
	out := make([]rune, 0, len(s))
	var mark rune
	for _, r := range s {
		if m := spacingAccents[mark]; m != 0 && unicode.IsLetter(r) {
			if both := []rune(norm.NFC.String(string([]rune{dotted(r), m}))); len(both) == 1 {
				out[len(out)-1], mark = both[0], 0
				continue
			}
		}
		out, mark = append(out, r), r
	}
	return string(out)
}

// spacingAccents are accents that stand alone, and the marks that go over letters.
var spacingAccents = map[rune]rune{
	'´': 0x301, '¨': 0x308, 'ˆ': 0x302, '˜': 0x303, 'ˇ': 0x30c, '˘': 0x306, '˙': 0x307, '˚': 0x30a, '˝': 0x30b,
	'˛': 0x328,
}

// dotted gives the i without a dot its dot: the accent takes it away again.
func dotted(r rune) rune {
	if r == 'ı' {
		return 'i'
	}
	return r
}
