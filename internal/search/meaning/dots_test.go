package meaning

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainDots is what dots has to give.
func plainDots(out []int32, rows []byte, stride int, x []int16) {
	for i := range out {
		out[i] = 0
		for j, v := range x {
			out[i] += int32(int8(rows[i*stride+j])) * int32(v)
		}
	}
}

// Every way to multiply gives the same numbers, for every count of rows and values, with gaps between rows and the
// largest values there can be.
func TestDots(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{0, 1, 3, 4, 5, 8, 11, 16, 21} {
		for _, width := range []int{0, 1, 7, 8, 15, 16, 17, 31, 32, 48, 100, 256, 512, 1536} {
			for _, gap := range []int{0, 4} {
				t.Run(fmt.Sprintf("%d rows of %d, %d apart", rows, width, gap), func(t *testing.T) {
					matrix, x := make([]byte, rows*(width+gap)), make([]int16, width)
					for i := range matrix {
						matrix[i] = byte(random.IntN(255) - 127)
					}
					for i := range x {
						x[i] = int16(random.IntN(2*most+1) - most)
					}
					compareDots(t, rows, matrix, width+gap, x)
				})
			}
		}
	}
}

func TestDotsAtTheirLimits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		width  int
		weight int8
		value  int16
	}{
		{"largest weights", 1536, math.MaxInt8, most},
		{"smallest weights", 1536, -math.MaxInt8, most},
		{"smallest values", 1536, math.MaxInt8, -most},
		{"largest vectors", MaxDims, math.MaxInt8, math.MaxInt8},
		{"opposite vectors", MaxDims, math.MinInt8, math.MaxInt8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const rows = 13
			compareDots(t, rows, slices.Repeat([]byte{byte(tt.weight)}, rows*tt.width), tt.width,
				slices.Repeat([]int16{tt.value}, tt.width))
		})
	}
}

func compareDots(t *testing.T, rows int, matrix []byte, stride int, x []int16) {
	t.Helper()
	want := make([]int32, rows)
	plainDots(want, matrix, stride, x)

	got := slices.Repeat([]int32{-1}, rows)
	dots(got, matrix, stride, newFactor(x))
	if !slices.Equal(got, want) {
		t.Errorf("dots gives %d, want %d", got, want)
	}
	got = slices.Repeat([]int32{-1}, rows)
	dots(got, matrix, stride, portable(x))
	if !slices.Equal(got, want) {
		t.Errorf("without vector instructions dots gives %d, want %d", got, want)
	}
}

// portable is a factor as it is on processors without vector instructions.
func portable(x []int16) factor {
	f := factor{wide: x, lanes: make([]uint64, len(x)/2)}
	f.bias = pack(f.lanes, x)
	return f
}

func BenchmarkDots(b *testing.B) {
	rows, x := make([]byte, 32*512), make([]int16, 512)
	out := make([]int32, 32)
	for name, f := range map[string]factor{"here": newFactor(x), "portable": portable(x)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				dots(out, rows, 512, f)
			}
			b.ReportMetric(float64(len(rows))*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "products/ns")
		})
	}
}
