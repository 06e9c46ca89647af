package app

import (
	"runtime"
	"syscall"
)

// lowPriorityNice is how much nicer such a thread is: its share of a busy processor is a tenth of another thread's.
const lowPriorityNice = 10

// lowPriority moves the calling goroutine to a thread of its own with a low priority, for good. Go's scheduler knows no
// priorities: to it a goroutine that indexes for ten milliseconds counts as much as one that receives for one. Where
// the system does not allow it, the work is done at the usual priority.
func lowPriority() {
	runtime.LockOSThread()
	if nice, err := threadNice(); err == nil {
		// of this thread; the system cuts it to what there is
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice+lowPriorityNice)
	}
}

// threadNice is how nice the calling thread is: the whole program may have been started with a lower priority.
func threadNice() (int, error) {
	p, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	return 20 - p, err // which is how the system says it
}
