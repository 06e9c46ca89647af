package test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// transcript is a program's output that a test can wait for.
type transcript struct {
	mu      sync.Mutex
	written bytes.Buffer
	changed chan struct{} // closed and replaced with every write
}

func newTranscript() *transcript { return &transcript{changed: make(chan struct{})} }

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.changed)
	t.changed = make(chan struct{})
	return t.written.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written.String()
}

// await waits until the text was written. It gives up when the program ends without it, or after too long.
func (t *transcript) await(text string, ended <-chan struct{}) bool {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		t.mu.Lock()
		has, changed := strings.Contains(t.written.String(), text), t.changed
		t.mu.Unlock()
		if has {
			return true
		}
		select {
		case <-changed:
		case <-ended:
			return strings.Contains(t.String(), text)
		case <-limit.C:
			return false
		}
	}
}

// eventually waits until check has nothing to complain of.
func eventually(t testing.TB, check func() error) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-limit.C:
			t.Fatalf("after %v still: %v", patience, err)
		}
	}
}
