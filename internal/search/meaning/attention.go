package meaning

import "math"

// attend mixes the values of all tokens of a text for each, by how well its query fits their keys: from d.qkv to
// d.mixed.
func attend(d *workspace, texts []int, width int) {
	mixed, qkv := resize(&d.mixed, len(d.qkv)/3), d.qkv
	for _, n := range texts {
		attendText(mixed[:n*width], qkv, resize(&d.weights, n), width)
		mixed, qkv = mixed[n*width:], qkv[n*3*width:]
	}
}

func attendText(mixed, qkv, weights []float32, width int) {
	size := width / heads
	for h := range heads {
		for i := range weights {
			query := qkv[i*3*width+h*size:][:size]
			fit(weights, query, qkv[width+h*size:], 3*width)
			softmax(weights)
			mix(mixed[i*width+h*size:][:size], weights, qkv[2*width+h*size:], 3*width)
		}
	}
}

// fit compares a query with the keys, which are stride apart.
func fit(weights, query, keys []float32, stride int) {
	scale := float32(1 / math.Sqrt(float64(len(query))))
	if fitWide(weights, query, keys, stride, scale) {
		return
	}
	for j := range weights {
		weights[j] = scale * inner4(query, keys[j*stride:][:len(query)])
	}
}

// inner4 is the inner product, in four sums that do not wait for each other. Both have the same length, a multiple of
// four.
//
//go:norace
func inner4(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	return s0 + s1 + s2 + s3
}

// softmax makes the weights positive with the sum one.
//
//go:norace
func softmax(weights []float32) {
	peak := weights[0]
	for _, w := range weights {
		peak = max(peak, w)
	}
	var sum float32
	for i, w := range weights {
		weights[i] = float32(math.Exp(float64(w - peak)))
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
}

// mix adds up the values, which are stride apart, by their weights.
//
//go:norace
func mix(out, weights, values []float32, stride int) {
	if mixWide(out, weights, values, stride) {
		return
	}
	clear(out)
	for j, w := range weights {
		row := values[j*stride:][:len(out)]
		for i := range out {
			out[i] += w * row[i]
		}
	}
}
