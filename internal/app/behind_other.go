//go:build !linux

package app

// behind does nothing on systems where a thread has no priority of its own.
func behind() {}
