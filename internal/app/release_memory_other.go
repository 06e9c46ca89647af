//go:build !linux

package app

// releaseProgramPages does nothing on this system.
func releaseProgramPages() {}
