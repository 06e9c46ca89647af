//go:build !linux

package test

import "testing"

// ownNetwork skips the test: only Linux has networks for a program alone.
func ownNetwork(t *testing.T, _ ...string) (inside bool) {
	t.Skip("a network of its own needs Linux")
	return false
}
