package index

import (
	"syscall"
	"time"
)

// threadTime is how long the calling thread has had a processor.
func threadTime() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	_ = syscall.Getrusage(thisThread, &u) // it is refused for other arguments only
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
