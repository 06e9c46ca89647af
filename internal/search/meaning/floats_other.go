//go:build !amd64

package meaning

// weightedWide leaves everything to the caller, as the others here do.
func weightedWide([]float32, []int32, []float32, []float32, float32) int { return 0 }

func peakWide([]float32) (uint32, int) { return 0, 0 }

func shortenWide([]int16, []float32, float32) int { return 0 }

func fitWide([]float32, []float32, []float32, int, float32) bool { return false }

func mixWide([]float32, []float32, []float32, int) bool { return false }
