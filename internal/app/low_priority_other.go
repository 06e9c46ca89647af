//go:build !linux

package app

// lowPriority does nothing on systems where a thread has no priority of its own.
func lowPriority() {}
