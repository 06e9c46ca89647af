package meaning

import "math"

// weighted gives each sum what it is worth, its own scale times that of all, and adds the bias, which may be out
// itself. All have the length of out.
//
//go:norace
func weighted(out []float32, sums []int32, scales, bias []float32, scale float32) {
	n := len(out)
	sums, scales, bias = sums[:n], scales[:n], bias[:n]
	for i := weightedWide(out, sums, scales, bias, scale); i < n; i++ {
		out[i] = float32(sums[i])*(scales[i]*scale) + bias[i]
	}
}

// shorten rounds a row to whole numbers of which the largest is 8191, and returns what one of them is worth.
//
//go:norace
func shorten(to []int16, from []float32) float32 {
	from = from[:len(to)]
	// without their signs, floats are in the order of their bits, which are faster to compare
	bits, done := peakWide(from)
	for _, v := range from[done:] {
		bits = max(bits, math.Float32bits(v)&math.MaxInt32)
	}
	peak := math.Float32frombits(bits)
	if peak == 0 {
		clear(to)
		return 0
	}
	scale := most / peak
	for i := shortenWide(to, from, scale); i < len(to); i++ {
		to[i] = int16(int32(from[i]*scale+most+0.5) - most) // positive before it is cut off, so that it is rounded
	}
	return peak / most
}
