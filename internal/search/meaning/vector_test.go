package meaning

import (
	"math"
	"testing"
)

// cosineOf is how far two vectors point the same way, from -1 to 1, and 0 for vectors of different size.
func cosineOf(a, b Vector) float32 {
	if !a.Valid() || !b.Valid() || len(a) != len(b) {
		return 0
	}
	var dot int32
	for i := head; i < len(a); i++ {
		dot += int32(int8(a[i])) * int32(int8(b[i]))
	}
	return float32(dot) * a.inverse() * b.inverse()
}

func TestVector(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b []float32
		want float64
	}{
		{"the same", []float32{1, 2, 3}, []float32{2, 4, 6}, 1},
		{"opposite", []float32{1, 2, 3}, []float32{-1, -2, -3}, -1},
		{"at a right angle", []float32{1, 0}, []float32{0, 5}, 0},
		{"in between", []float32{1, 0}, []float32{1, 1}, math.Sqrt2 / 2},
		{"tiny", []float32{1e-38, 0}, []float32{1e-38, 1e-38}, math.Sqrt2 / 2},
		{"huge", []float32{3e38, 0}, []float32{3e38, 3e38}, math.Sqrt2 / 2},
		{"no direction", []float32{0, 0}, []float32{1, 1}, 0},
		{"different sizes", []float32{1, 1}, []float32{1, 1, 1}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := round(tt.a), round(tt.b)
			if !a.Valid() || !b.Valid() {
				t.Errorf("valid %t, %t", a.Valid(), b.Valid())
			}
			if got := float64(cosineOf(a, b)); math.Abs(got-tt.want) > 1e-5 {
				t.Errorf("cosine %v, want %v", got, tt.want)
			}
		})
	}
}
