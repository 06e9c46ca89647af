package index

import (
	"errors"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// A goroutine with the lowest priority keeps it while the batches are short, and lets others do the work where they are
// not.
func TestIndexInTime(t *testing.T) {
	runtime.LockOSThread() // as the program's indexer is
	defer runtime.UnlockOSThread()
	behind := syscall.Gettid()
	failed := errors.New("failed")
	for _, tc := range []struct {
		took   time.Duration
		behind bool
	}{{0, true}, {indexLong - 1, true}, {indexLong, false}, {time.Minute, false}} {
		x := &indexer{ix: &Index{opt: Options{Pressure: new(Pressure)}}, took: tc.took}
		var at int
		err := x.inTime(func() error {
			at = syscall.Gettid()
			return failed
		})
		if at == 0 || (at == behind) != tc.behind || !errors.Is(err, failed) {
			t.Errorf("after a batch of %v: on thread %d, behind all others is %d (%v)", tc.took, at, behind, err)
		}
	}
}

// What was done since the batch was begun counts against the time in which mail gathers.
func TestIndexPause(t *testing.T) {
	for _, tc := range []struct {
		last        int
		took, since time.Duration
		most        time.Duration
	}{
		{busyBatch, time.Second, time.Second, indexPause},
		{busyBatch + 1, 0, 0, busyPause},
		{busyBatch + 1, 100 * time.Millisecond, 100 * time.Millisecond, indexWithin - 200*time.Millisecond},
		{busyBatch + 1, 100 * time.Millisecond, 300 * time.Millisecond, indexWithin - 400*time.Millisecond},
		{busyBatch + 1, time.Second, time.Second, indexPause},
	} {
		x := &indexer{ix: &Index{opt: Options{Pressure: new(Pressure)}}, last: tc.last, took: tc.took,
			began: time.Now().Add(-tc.since)}
		if got := x.pause(); got > tc.most || got < min(tc.most, indexPause) {
			t.Errorf("after %d messages in %v, %v ago: %v, want at most %v", tc.last, tc.took, tc.since, got, tc.most)
		}
	}
}
