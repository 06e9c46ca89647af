//go:build race

package costtest

// slow is how much more everything costs in this build: the race detector looks at every access.
const slow = 20.0
