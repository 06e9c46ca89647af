package main

import (
	"bytes"
	"strings"
	"testing"
)

// stuckWriter is a pipe that nobody empties until it is opened.
type stuckWriter struct {
	entered, open chan struct{}
	bytes.Buffer
}

func (w *stuckWriter) Write(b []byte) (int, error) {
	select {
	case w.entered <- struct{}{}:
	default:
	}
	<-w.open
	return w.Buffer.Write(b)
}

// Logging goes on while nobody reads the log. What had no room is counted, and everything else is written in
// order.
func TestLogNobodyReads(t *testing.T) {
	w := &stuckWriter{entered: make(chan struct{}, 1), open: make(chan struct{})}
	lost := 0
	q := newLogQueue(w, func(n int) { lost += n })
	line := strings.Repeat("x", 1023) + "\n"
	write := func() { _, _ = q.Write([]byte(line)) }
	write()
	<-w.entered
	const more = 3 * maxLogQueue / 1024
	for range more {
		write()
	}
	close(w.open)
	q.Close()
	if got := strings.Count(w.String(), "\n"); got+lost != more+1 || lost != more-maxLogQueue/1024 {
		t.Errorf("%d lines were written and %d dropped, of %d", got, lost, more+1)
	}
}

// The end of the server does not wait for a reader that never reads.
func TestLogCloseIsBounded(t *testing.T) {
	w := &stuckWriter{entered: make(chan struct{}, 1), open: make(chan struct{})}
	q := newLogQueue(w, func(int) {})
	_, _ = q.Write([]byte("a line\n"))
	<-w.entered
	q.Close()
	close(w.open)
	<-q.done
}
