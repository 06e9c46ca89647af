package main

import (
	"io"
	"sync"
	"time"
)

const (
	// maxLogQueue is how many bytes of log lines wait while the reader of the log is slow.
	maxLogQueue = 1 << 20
	// logCloseWait is how long the end of the server waits for the last lines to be written.
	logCloseWait = time.Second
)

// logQueue writes log lines in the background, so that mail never waits for the reader of the log: a pipe that nobody
// empties would otherwise stop the server. Lines that do not fit into the queue are dropped and counted.
type logQueue struct {
	out     io.Writer
	dropped func(lines int) // writes to out that lines were dropped
	wake    chan struct{}
	done    chan struct{}

	mu      sync.Mutex
	pending []byte
	lost    int
	closed  bool
}

// newLogQueue starts a queue in front of out. The caller closes it.
func newLogQueue(out io.Writer, dropped func(lines int)) *logQueue {
	q := &logQueue{out: out, dropped: dropped, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run()
	return q
}

// Write queues one log line. It never fails: a log that cannot be written has nowhere to say so.
func (q *logQueue) Write(line []byte) (int, error) {
	q.mu.Lock()
	if len(q.pending)+len(line) > maxLogQueue || q.closed {
		q.lost++
	} else {
		q.pending = append(q.pending, line...)
	}
	q.mu.Unlock()
	q.signal()
	return len(line), nil
}

// Close writes what waits, for at most logCloseWait.
func (q *logQueue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.signal()
	wait := time.NewTimer(logCloseWait)
	defer wait.Stop()
	select {
	case <-q.done:
	case <-wait.C:
	}
}

func (q *logQueue) signal() {
	select {
	case q.wake <- struct{}{}:
	default: // it looks anyway
	}
}

func (q *logQueue) run() {
	defer close(q.done)
	var spare []byte
	for range q.wake {
		q.mu.Lock()
		lines, lost, closed := q.pending, q.lost, q.closed
		q.pending, q.lost = spare[:0], 0
		q.mu.Unlock()
		if len(lines) > 0 {
			_, _ = q.out.Write(lines)
		}
		if lost > 0 {
			q.dropped(lost)
		}
		if closed {
			return
		}
		if spare = lines; cap(spare) > 64<<10 {
			spare = nil // an idle server keeps no burst's memory
		}
	}
}
