package meaning

import (
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"
)

// dots takes the widest instructions there are; the others are compared here.
func TestDotsWithAVX2(t *testing.T) {
	if !hasWide() {
		t.Skip("this processor has no AVX2")
	}
	random := rand.New(rand.NewPCG(3, 4))
	const width, gap = 512, 4
	x := make([]int16, width)
	for i := range x {
		x[i] = int16(random.IntN(2*most+1) - most)
	}
	for rows := 1; rows < 10; rows++ {
		matrix := make([]byte, rows*(width+gap))
		for i := range matrix {
			matrix[i] = byte(random.Uint32())
		}
		want, got := make([]int32, rows), make([]int32, rows)
		plainDots(want, matrix, width+gap, x)
		dotsAVX2(&got[0], &matrix[0], rows, width+gap, &x[0], width/16)
		if !slices.Equal(got, want) {
			t.Errorf("%d rows: %d, want %d", rows, got, want)
		}
	}
}

func TestDotsBoth(t *testing.T) {
	if !cpu.X86.HasAVX512BW {
		t.Skip("this processor has no AVX-512")
	}
	random := rand.New(rand.NewPCG(5, 6))
	for _, width := range []int{32, 96, 512} {
		factors := make([]factor, 2)
		for i := range factors {
			values := make([]int16, width)
			for j := range values {
				values[j] = int16(random.IntN(2*most+1) - most)
			}
			factors[i] = newFactor(values)
		}
		for _, rows := range []int{8, 16, 64} {
			matrix := make([]byte, rows*width)
			for i := range matrix {
				matrix[i] = byte(random.Uint32())
			}
			var got, want [2][]int32
			for i := range want {
				got[i], want[i] = make([]int32, rows+1), make([]int32, rows+1)
				plainDots(want[i][:rows], matrix, width, factors[i].wide)
			}
			if !dotsBoth(got[0][:rows], got[1][:rows], matrix, factors[0], factors[1]) {
				t.Fatalf("%d rows of %d are not multiplied", rows, width)
			}
			if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
				t.Errorf("%d rows of %d: %d, want %d", rows, width, got, want)
			}
			clear(got[0])
			clear(got[1])
			// which dotsBoth leaves out where there is better
			dotsBW2(&got[0][0], &got[1][0], &matrix[0], rows, width, &factors[0].wide[0], &factors[1].wide[0], width/32)
			if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
				t.Errorf("%d rows of %d without VNNI: %d, want %d", rows, width, got, want)
			}
		}
	}
	one := newFactor(make([]int16, 32))
	for name, refused := range map[string]bool{
		"rows that are not eight": dotsBoth(make([]int32, 7), make([]int32, 7), make([]byte, 8*32), one, one),
		"too few bytes":           dotsBoth(make([]int32, 8), make([]int32, 8), make([]byte, 8*32-1), one, one),
		"factors of two lengths": dotsBoth(make([]int32, 8), make([]int32, 8), make([]byte, 8*64), one,
			newFactor(make([]int16, 64))),
		"values that are no block": dotsBoth(make([]int32, 8), make([]int32, 8), make([]byte, 8*33),
			newFactor(make([]int16, 33)), newFactor(make([]int16, 33))),
	} {
		if refused {
			t.Errorf("%s are multiplied", name)
		}
	}
}
