package main

import (
	"bytes"
	"strings"
	"sync"
)

// transcript is an output that a test can wait for.
type transcript struct {
	mu      sync.Mutex
	written bytes.Buffer
	awaited string
	arrived chan struct{}
}

// has returns a channel that is closed as soon as the text has been written.
func (t *transcript) has(text string) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.awaited, t.arrived = text, make(chan struct{})
	t.look()
	return t.arrived
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, err := t.written.Write(p)
	t.look()
	return n, err
}

func (t *transcript) look() {
	if t.awaited != "" && strings.Contains(t.written.String(), t.awaited) {
		close(t.arrived)
		t.awaited = ""
	}
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written.String()
}
