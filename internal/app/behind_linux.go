package app

import (
	"runtime"
	"syscall"
)

// behindNice is how much nicer than the rest the work behind everything else is: its share of a busy processor is a tenth of another thread's.
const behindNice = 10

// behind puts the calling goroutine behind all others for good: it gets a thread of its own to which the system gives the processor when nobody else
// wants it. The scheduler of Go knows no priorities: to it who indexes for ten milliseconds is worth as much as who receives for one.
func behind() {
	runtime.LockOSThread()
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, behindNice) // of this thread; without it the work is done all the same
}
