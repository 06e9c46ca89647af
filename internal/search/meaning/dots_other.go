//go:build !amd64

package meaning

// hasWide tells whether dotsWide may be called.
func hasWide() bool { return false }

// dotsWide has no instructions to use: everything is left to the caller.
func dotsWide(out []int32, _ []byte, _ int, _ []int16) int {
	clear(out)
	return 0
}

// dotsBoth does nothing on this system.
func dotsBoth([]int32, []int32, []byte, factor, factor) bool { return false }
