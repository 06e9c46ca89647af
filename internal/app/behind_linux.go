package app

import (
	"runtime"
	"syscall"
)

// behindNice is how much nicer than the rest the work behind everything else is: its share of a busy processor is a tenth of another thread's.
const behindNice = 10

// behind puts the calling goroutine behind all others for good: it gets a thread of its own to which the system gives the processor when nobody else
// wants it. The scheduler of Go knows no priorities: to it who indexes for ten milliseconds is worth as much as who receives for one. Where that is not
// allowed the work is done all the same.
func behind() {
	runtime.LockOSThread()
	if nice, err := threadNice(); err == nil {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice+behindNice) // of this thread; the system cuts it to what there is
	}
}

// threadNice is how nice the calling thread is: the whole program may have been started behind others.
func threadNice() (int, error) {
	p, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	return 20 - p, err // which is how the system says it
}
