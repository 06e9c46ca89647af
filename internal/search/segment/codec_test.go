package segment

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for bitsWide := range 65 {
		for _, n := range []int{0, 1, 7, 8, 9, 63, 127, 128} {
			values := make([]uint64, n)
			var all uint64
			for i := range values {
				values[i] = r.Uint64() >> (64 - bitsWide)
				all |= values[i]
			}
			width := packWidth(all)
			b := pack(nil, values, width)
			if len(b) != packedSize(n, width) {
				t.Fatalf("%d values of %d bits: %d bytes, not %d", n, width, len(b), packedSize(n, width))
			}
			got := make([]uint64, n)
			unpack(got, b, width)
			if !slices.Equal(got, values) {
				t.Fatalf("%d values of %d bits: %v, want %v", n, width, got, values)
			}
		}
	}
}

func TestSizeByte(t *testing.T) {
	last := byte(0)
	for n := uint64(0); n < 1<<35; n += 1 + n/50 {
		b := sizeByte(n)
		if b < last {
			t.Fatalf("%d is %d, less than for a smaller size", n, b)
		}
		last = b
		if back := byteSize(b); n < 1<<33 && math.Abs(float64(back)-float64(n)) > float64(n)/8 {
			t.Fatalf("%d comes back as %d", n, back)
		}
	}
	for b := range 256 {
		if got := sizeByte(byteSize(byte(b))); got != byte(b) {
			t.Errorf("byte %d comes back as %d", b, got)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		name     string
		base     int64
		distance uint64
		least    int64
		want     int64
		ok       bool
	}{
		{"none", 10, 0, 1, 10, true},
		{"down to the least", 10, 9, 1, 1, true},
		{"under it", 10, 10, 1, 0, false},
		{"base under it", 1, 0, 2, 0, false},
		{"round the world", 10, math.MaxUint64, 1, 0, false},
		{"far", math.MaxInt64, math.MaxInt64 - 1, 1, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := below(c.base, c.distance, c.least); got != c.want && ok || ok != c.ok {
				t.Errorf("%d, %v", got, ok)
			}
		})
	}
}
