package meaning

// weightedWide does as much of weighted as is whole blocks, and says how much.
func weightedWide(out []float32, sums []int32, scales, bias []float32, scale float32) int {
	const block = 8
	n := len(out) &^ (block - 1)
	if n == 0 || !hasWide() {
		return 0
	}
	weightedAVX2(&out[0], &sums[0], &scales[0], &bias[0], n, scale)
	return n
}

// peakWide returns the largest bits, without the sign, of the first values, and how many those are.
func peakWide(from []float32) (uint32, int) {
	const block = 8
	n := len(from) &^ (block - 1)
	if n == 0 || !hasWide() {
		return 0, 0
	}
	return peakAVX2(&from[0], n), n
}

// shortenWide rounds the first values, times scale, and says how many those are.
func shortenWide(to []int16, from []float32, scale float32) int {
	const block = 16
	n := len(to) &^ (block - 1)
	if n == 0 || !hasWide() {
		return 0
	}
	shortenAVX2(&to[0], &from[0], n, scale)
	return n
}

// fitWide is fit, where it can be done in blocks, and tells whether it was.
func fitWide(weights, query, keys []float32, stride int, scale float32) bool {
	const block = 32
	if !hasWide() || len(query) == 0 || len(query)%block != 0 || len(weights) == 0 ||
		len(keys) < (len(weights)-1)*stride+len(query) {
		return false
	}
	fitAVX2(&weights[0], &query[0], &keys[0], len(weights), len(query), stride, scale)
	return true
}

// mixWide is mix, in the same way.
func mixWide(out, weights, values []float32, stride int) bool {
	const block = 32
	if !hasWide() || len(out) == 0 || len(out)%block != 0 || len(weights) == 0 || len(values) < (len(weights)-1)*stride+
		len(out) {
		return false
	}
	mixAVX2(&out[0], &weights[0], &values[0], len(weights), len(out), stride)
	return true
}

// weightedAVX2 is weighted for n values, a multiple of 8 that is not zero.
//
//go:noescape
func weightedAVX2(out *float32, sums *int32, scales, bias *float32, n int, scale float32)

// peakAVX2 returns the largest of n values, a multiple of 8 that is not zero, as bits without a sign.
//
//go:noescape
func peakAVX2(from *float32, n int) uint32

// shortenAVX2 rounds n values, a multiple of 16 that is not zero; none of them times scale is beyond 8191.
//
//go:noescape
func shortenAVX2(to *int16, from *float32, n int, scale float32)

// fitAVX2 is fit for n keys of size values each, a multiple of 32; neither is zero.
//
//go:noescape
func fitAVX2(weights, query, keys *float32, n, size, stride int, scale float32)

// mixAVX2 is mix for n rows of size values each, a multiple of 32; neither is zero.
//
//go:noescape
func mixAVX2(out, weights, values *float32, n, size, stride int)
