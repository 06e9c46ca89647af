//go:build !race

package costtest

// slow is how much more everything costs in this build.
const slow = 1.0
