package pdf

import "math"

// Two columns of prose are told from a table: the gutter between them is at one place in most rows, and what stands on
// both sides of it is long. A label and an amount are not.
const (
	minColumnRows = 12   // rows with text on both sides
	minColumnText = 22   // bytes on each side, on average
	columnShare   = 0.75 // of the rows that have text on both sides, or across, those which keep the gutter free
)

// columns parts the rows of a page with two columns: what is above them, the left one, the right one, what is below.
// Other pages are one.
func columns(rows []row) [][]row {
	gutter, ok := findGutter(rows)
	if !ok {
		return [][]row{rows}
	}
	var out [][]row
	var left, right []row
	flush := func() {
		for _, c := range [][]row{left, right} {
			if len(c) > 0 {
				out = append(out, c)
			}
		}
		left, right = nil, nil
	}
	for _, r := range rows {
		l, rt, across := r.split(gutter)
		if across {
			flush()
			out = append(out, []row{r})
			continue
		}
		if len(l.pieces) > 0 {
			left = append(left, l)
		}
		if len(rt.pieces) > 0 {
			right = append(right, rt)
		}
	}
	flush()
	return out
}

// split parts a row at x. Across says that a piece lies over it.
func (r *row) split(x float64) (left, right row, across bool) {
	left, right = row{y: r.y, size: r.size}, row{y: r.y, size: r.size}
	for _, p := range r.pieces {
		switch {
		case p.x1 <= x:
			left.pieces = append(left.pieces, p)
		case p.x0 >= x:
			right.pieces = append(right.pieces, p)
		default:
			return row{}, row{}, true
		}
	}
	return left, right, false
}

// findGutter looks for the middle of a gap that most rows keep free, near the middle of the page.
func findGutter(rows []row) (float64, bool) {
	if len(rows) < minColumnRows {
		return 0, false
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		for _, p := range r.pieces {
			lo, hi = min(lo, p.x0), max(hi, p.x1)
		}
	}
	for step := range 21 {
		off := float64((step+1)/2) * (1 - 2*float64(step%2)) // 0, -1, 1, -2, 2…
		x := lo + (hi-lo)*(0.5+off*0.01)
		if isGutter(rows, x) {
			return x, true
		}
	}
	return 0, false
}

// isGutter says whether prose stands on both sides of x.
func isGutter(rows []row, x float64) bool {
	both, over, leftText, rightText := 0, 0, 0, 0
	for i := range rows {
		l, r, across := rows[i].split(x)
		switch {
		case across:
			over++
		case len(l.pieces) > 0 && len(r.pieces) > 0:
			both++
			leftText += textLength(l.pieces)
			rightText += textLength(r.pieces)
		}
	}
	return both >= minColumnRows && float64(both) >= columnShare*float64(both+over) &&
		leftText >= minColumnText*both && rightText >= minColumnText*both
}

func textLength(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += len(p.text)
	}
	return n
}
