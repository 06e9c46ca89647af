package background_test

import (
	"sync/atomic"
	"testing"

	"github.com/mailkin/mailkin/internal/background"
)

// Tasks may begin while others are waited for, and again after that.
func TestTasks(t *testing.T) {
	var tasks background.Tasks
	tasks.Wait() // there are none
	var done atomic.Int64
	for range 1000 {
		tasks.Go(func() { tasks.Go(func() { done.Add(1) }) })
		tasks.Wait()
	}
	tasks.Wait()
	if done.Load() != 1000 {
		t.Errorf("%d were done", done.Load())
	}
}
