package meaning

import "math"

// workspace is the memory that one text needs while it is encoded; it grows with the longest.
type workspace struct {
	x, normed, qkv, mixed, y, next, grown, weights, mean []float32
	operand                                              operand
}

// resize returns a slice of n values whose content is arbitrary.
func resize[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}

// pass sends the rows of x, of texts with so many rows each, through the layer, and returns as many of what leaves
// it. What it returns is valid until the next pass but one: x and next take turns.
func (l *layer) pass(d *workspace, x []float32, texts []int) []float32 {
	n := len(x) / l.width
	normed := l.norm.apply(resize(&d.normed, n*l.width), x, n)
	d.operand.take(normed, n, l.width)
	l.qkv.multiply(resize(&d.qkv, n*3*l.width), &d.operand)
	attend(d, texts, l.width)

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

// add, like the other loops over single numbers here, is left out by the race detector, which would take ten times as
// long over them. What they work on is in a workspace, or part of the table and never written to; the goroutine that
// has the workspace is watched.
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
		mean := total(row) / float64(width)
		inverse := float32(1 / math.Sqrt(spread(row, mean)/float64(width)+1e-6))
		for i, v := range row {
			out[i] = (v-float32(mean))*inverse*scale[i] + bias[i]
		}
	}
	return y
}

// total is the sum, in four sums that do not wait for each other; the length is a multiple of four, as it is for
// spread.
//
//go:norace
func total(row []float32) float64 {
	var s0, s1, s2, s3 float64
	for ; len(row) >= 4; row = row[4:] {
		s0 += float64(row[0])
		s1 += float64(row[1])
		s2 += float64(row[2])
		s3 += float64(row[3])
	}
	return s0 + s1 + s2 + s3
}

// spread is the sum of the squares of the distances from the mean.
//
//go:norace
func spread(row []float32, mean float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(row) >= 4; row = row[4:] {
		a, b, c, d := float64(row[0])-mean, float64(row[1])-mean, float64(row[2])-mean, float64(row[3])-mean
		s0 += a * a
		s1 += b * b
		s2 += c * c
		s3 += d * d
	}
	return s0 + s1 + s2 + s3
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

// multiply fills y with a row for each row of the operand: the matrix times it, and the bias.
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
func (m *matrix) part(y []float32, x *operand, first, last, from, to int) {
	var sums [2][sumsMost]int32
	scales, n := m.scales[first:last], last-first
	m.products(&sums, m.rows, x, first, last, from, to)
	for t := from; t < to; t++ {
		weighted(y[t*m.out+first:][:n], sums[t-from][:n], scales, m.bias[first:last], x.scales[t])
	}
	if len(m.rest) == 0 {
		return
	}
	m.products(&sums, m.rest, x, first, last, from, to)
	for t := from; t < to; t++ {
		out := y[t*m.out+first:][:n]
		weighted(out, sums[t-from][:n], scales, out, x.scales[t]*restScale)
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
