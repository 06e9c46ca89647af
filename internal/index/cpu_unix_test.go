//go:build unix

package index_test

import (
	"syscall"
	"time"
)

// cpuTime is what the process has computed so far: on a busy machine the clock on the wall says little.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
