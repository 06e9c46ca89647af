package background

import "sync"

// Tasks are goroutines that calls have left to be done in the background. Unlike those of a sync.WaitGroup, new ones
// may begin while somebody waits. The zero value is ready to use.
type Tasks struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when there are none; nil: nobody waits
}

// Go does something in a goroutine of its own.
func (t *Tasks) Go(do func()) {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
	go func() {
		defer t.done()
		do()
	}()
}

func (t *Tasks) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n--; t.n == 0 && t.none != nil {
		close(t.none)
		t.none = nil
	}
}

// Wait waits for a moment at which there are none.
func (t *Tasks) Wait() {
	t.mu.Lock()
	if t.n == 0 {
		t.mu.Unlock()
		return
	}
	if t.none == nil {
		t.none = make(chan struct{})
	}
	none := t.none
	t.mu.Unlock()
	<-none
}
