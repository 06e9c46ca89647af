//go:build !linux

package app

// shed does nothing on this system.
func shed() {}
