package app

import (
	"syscall"
	"testing"
)

// Only the goroutine that asks is put behind.
func TestBehind(t *testing.T) {
	const same = 20 // the call answers 20 less the priority
	done := make(chan int)
	go func() {
		behind()
		p, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
		if err != nil {
			t.Error(err)
		}
		done <- same - p
	}()
	if p := <-done; p != behindNice {
		t.Errorf("priority %d, want %d", p, behindNice)
	}
	if p, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err != nil || same-p == behindNice {
		t.Errorf("everybody else has priority %d, %v", same-p, err)
	}
}
