package app

import "testing"

// Only the goroutine that asks is given a lower priority.
func TestBehind(t *testing.T) {
	nice := func() int {
		n, err := threadNice()
		if err != nil {
			t.Error(err)
		}
		return n
	}
	before, done := nice(), make(chan int)
	go func() {
		lowPriority()
		done <- nice()
	}()
	if n := <-done; n != min(before+lowPriorityNice, 19) {
		t.Errorf("%d, want %d more than %d", n, lowPriorityNice, before)
	}
	if n := nice(); n != before {
		t.Errorf("everybody else is at %d, and was at %d", n, before)
	}
}
