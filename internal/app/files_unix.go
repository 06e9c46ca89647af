//go:build unix

package app

import "syscall"

// openFiles is how many files the process may have open. Go has raised the soft limit to the hard one.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return manyFiles
	}
	return int(min(uint64(limit.Cur), manyFiles))
}
