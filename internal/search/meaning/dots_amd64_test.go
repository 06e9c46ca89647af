package meaning

import (
	"math/rand/v2"
	"slices"
	"testing"
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
