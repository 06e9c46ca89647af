package meaning

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What is done in blocks gives the same as what is done one by one, to the bit.
func TestWeighted(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for n := range 70 {
		sums, scales, bias, want := make([]int32, n), make([]float32, n), make([]float32, n), make([]float32, n)
		scale := random.Float32()
		for i := range n {
			sums[i], scales[i], bias[i] = random.Int32()-1<<30, random.Float32(), random.Float32()-0.5
			want[i] = float32(sums[i])*(scales[i]*scale) + bias[i]
		}
		got := make([]float32, n+1)
		got[n] = 17
		weighted(got[:n], sums, scales, bias, scale)
		if !slices.Equal(got[:n], want) || got[n] != 17 {
			t.Errorf("%d sums: %v, want %v", n, got, want)
		}
		weighted(bias, sums, scales, bias, scale)
		if !slices.Equal(bias, want) {
			t.Errorf("%d sums in place: %v, want %v", n, bias, want)
		}
	}
}

func TestShorten(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for n := range 70 {
		from, want := make([]float32, n), make([]int16, n)
		var peak float32
		for i := range from {
			from[i] = random.Float32() - 0.5
			peak = max(peak, from[i], -from[i])
		}
		for i, v := range from {
			want[i] = int16(int32(v*(most/peak)+most+0.5) - most)
		}
		got := make([]int16, n+1)
		got[n] = 17
		if worth := shorten(got[:n], from); worth != peak/most || !slices.Equal(got[:n], want) || got[n] != 17 {
			t.Errorf("%v: %d of %v, want %d of %v", from, got, worth, want, peak/most)
		}
		if n > 0 && !slices.Contains(got[:n], most) && !slices.Contains(got[:n], -most) {
			t.Errorf("%v: no value is the largest there may be: %d", from, got)
		}
	}
	got := []int16{1, 2, 3}
	if worth := shorten(got, make([]float32, 3)); worth != 0 || !slices.Equal(got, make([]int16, 3)) {
		t.Errorf("nothing: %d of %v", got, worth)
	}
}

func TestFitAndMix(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, size := range []int{4, 28, 32, 64, 96} {
		for n := 1; n < 7; n++ {
			stride := size + 3
			query, rows, weights := make([]float32, size), make([]float32, (n-1)*stride+size), make([]float32, n)
			for _, values := range [][]float32{query, rows} {
				for i := range values {
					values[i] = random.Float32() - 0.5
				}
			}
			fit(weights, query, rows, stride)
			mixed := make([]float32, size+1)
			mixed[size] = 17
			mix(mixed[:size], weights, rows, stride)
			want := make([]float64, size)
			for j := range n {
				var sum float64
				for i := range size {
					sum += float64(query[i]) * float64(rows[j*stride+i])
				}
				sum /= math.Sqrt(float64(size))
				if math.Abs(float64(weights[j])-sum) > 1e-6 {
					t.Errorf("%d values, key %d of %d: %v, want %v", size, j, n, weights[j], sum)
				}
				for i := range size {
					want[i] += float64(weights[j]) * float64(rows[j*stride+i])
				}
			}
			for i := range size {
				if math.Abs(float64(mixed[i])-want[i]) > 1e-6 {
					t.Errorf("%d values of %d rows: value %d is %v, want %v", size, n, i, mixed[i], want[i])
				}
			}
			if mixed[size] != 17 {
				t.Errorf("%d values of %d rows: more than those are written", size, n)
			}
		}
	}
}
