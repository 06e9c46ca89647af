//go:build !linux

package app

// releaseProgramPages does nothing on this system.
func releaseProgramPages() {}

// residentFiles is not known on this system.
func residentFiles() int64 { return 0 }
