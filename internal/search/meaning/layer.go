package meaning

import "math"

// desk is the room that one text needs while it is encoded; it grows with the longest.
type desk struct {
	x, normed, qkv, mixed, y, next, grown, weights, mean []float32
	operand                                              operand
}

// resize gives a slice of n values whose content is arbitrary.
func resize[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}

// pass sends n rows of x through the layer, and gives n rows of what leaves it. What it gives is valid until the next pass
// but one: x and next take turns.
func (l *layer) pass(d *desk, x []float32, n int) []float32 {
	normed := l.norm.apply(resize(&d.normed, n*l.width), x, n)
	d.operand.take(normed, n, l.width)
	l.qkv.multiply(resize(&d.qkv, n*3*l.width), &d.operand)
	attend(d, n, l.width)

	y := resize(&d.y, n*wide)
	d.operand.take(d.mixed, n, l.width)
	l.output.multiply(y, &d.operand)
	next := resize(&d.next, n*wide)
	if l.widen.in > 0 {
		d.operand.take(x, n, l.width)
		l.widen.multiply(next, &d.operand)
		add(y, next)
	} else {
		add(y, x)
	}

	normed = l.feedNorm.apply(resize(&d.normed, n*wide), y, n)
	grown := resize(&d.grown, n*inner)
	d.operand.take(normed, n, wide)
	l.grow.multiply(grown, &d.operand)
	for i, v := range grown {
		grown[i] = max(v, 0)
	}
	d.operand.take(grown, n, inner)
	l.shrink.multiply(next, &d.operand)
	add(next, y)
	d.x, d.next = next, d.x
	return next
}

// add, like the other loops over single numbers here, is left out by the race detector, which would take ten times as long
// over them. What they work on is on a desk, or part of the table and never written to; who has the desk is watched.
//
//go:norace
func add(to, from []float32) {
	from = from[:len(to)]
	for i := range to {
		to[i] += from[i]
	}
}

// apply normalises n rows of x to mean zero and variance one, then scales and shifts them.
//
//go:norace
func (s scaling) apply(y, x []float32, n int) []float32 {
	width := len(s.scale)
	scale, bias := s.scale[:width], s.bias[:width]
	for t := range n {
		row, out := x[t*width:][:width], y[t*width:][:width]
		var sum, squares float64
		for _, v := range row {
			sum += float64(v)
		}
		mean := sum / float64(width)
		for _, v := range row {
			squares += (float64(v) - mean) * (float64(v) - mean)
		}
		inverse := float32(1 / math.Sqrt(squares/float64(width)+1e-6))
		for i, v := range row {
			out[i] = (v-float32(mean))*inverse*scale[i] + bias[i]
		}
	}
	return y
}

// operand holds rows of numbers rounded to factors.
type operand struct {
	n, width int
	values   []int16
	lanes    []uint64
	factors  []factor
	scales   []float32
}

// take rounds n rows of x, each by its own largest value.
func (o *operand) take(x []float32, n, width int) {
	o.n, o.width = n, width
	resize(&o.values, n*width)
	resize(&o.factors, n)
	resize(&o.scales, n)
	if !hasWide() {
		resize(&o.lanes, n*width/2)
	}
	for t := range n {
		values := o.values[t*width : (t+1)*width]
		o.scales[t] = shorten(values, x[t*width:(t+1)*width])
		o.factors[t] = factor{wide: values}
		if !hasWide() {
			lanes := o.lanes[t*width/2 : (t+1)*width/2]
			o.factors[t] = factor{wide: values, lanes: lanes, bias: pack(lanes, values)}
		}
	}
}

// shorten rounds a row to whole numbers of which the largest is 8191, and gives what one of them is worth.
//
//go:norace
func shorten(to []int16, from []float32) float32 {
	var bits uint32 // without their signs, floats are in the order of their bits, which are faster to compare
	for _, v := range from {
		bits = max(bits, math.Float32bits(v)&math.MaxInt32)
	}
	peak := math.Float32frombits(bits)
	if peak == 0 {
		clear(to)
		return 0
	}
	scale := most / peak
	from = from[:len(to)]
	for i := range to {
		to[i] = int16(int32(from[i]*scale+most+0.5) - most) // positive before it is cut off, so that it is rounded
	}
	return peak / most
}

// multiply gives y a row for each row of the operand: the matrix times it, and the bias.
func (m *matrix) multiply(y []float32, x *operand) {
	const cached = 16 << 10 // bytes of rows that stay near the processor while every token is multiplied with them
	block := min(max(cached/m.in&^7, 8), sumsMost)
	for first := 0; first < m.out; first += block {
		last := min(first+block, m.out)
		for t := 0; t < x.n; t += 2 {
			m.part(y, x, first, last, t, min(t+2, x.n))
		}
	}
}

// sumsMost is how many rows of a matrix are multiplied at a time.
const sumsMost = 64

// part multiplies some rows of the matrix with one or two rows of the operand.
//
//go:norace
func (m *matrix) part(y []float32, x *operand, first, last, from, to int) {
	var sums [2][sumsMost]int32
	m.products(&sums, m.rows, x, first, last, from, to)
	scales, bias := m.scales[first:last], m.bias[first:last]
	for t := from; t < to; t++ {
		out, scale, sums := y[t*m.out+first:][:last-first], x.scales[t], &sums[t-from]
		for i := range out {
			out[i] = float32(sums[i])*(scales[i]*scale) + bias[i]
		}
	}
	if len(m.rest) == 0 {
		return
	}
	m.products(&sums, m.rest, x, first, last, from, to)
	for t := from; t < to; t++ {
		out, scale, sums := y[t*m.out+first:][:last-first], x.scales[t], &sums[t-from]
		for i := range out {
			out[i] += float32(sums[i]) * (scales[i] * scale * restScale)
		}
	}
}

// products multiplies rows of one of the matrix's two parts.
func (m *matrix) products(sums *[2][sumsMost]int32, rows []byte, x *operand, first, last, from, to int) {
	rows = rows[first*m.in : last*m.in]
	n := last - first
	if to-from == 2 && dotsBoth(sums[0][:n], sums[1][:n], rows, x.factors[from], x.factors[from+1]) {
		return
	}
	for t := from; t < to; t++ {
		dots(sums[t-from][:n], rows, m.in, x.factors[t])
	}
}
