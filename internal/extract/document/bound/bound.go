// Package bound counts what reading a document costs.
//
// A document is written by a stranger: a few bytes can ask for gigabytes, or for years. Every reader has a
// [Budget], takes from it before it keeps anything that the document decides the size of, and asks it in every loop
// whether there is time left. What is refused once stays refused, so that loops need not look at every answer.
package bound

import (
	"context"
	"time"
)

// Budget is the memory and the time one document may take. It is for one goroutine.
type Budget struct {
	done   <-chan struct{}
	memory int64
	steps  uint32
	over   bool // the time is
	short  bool // memory was refused

	clock func() time.Duration // nil: only done ends the time
	end   time.Duration        // of clock
}

// New has a given number of bytes of memory, and time until ctx ends.
func New(ctx context.Context, memory int64) *Budget {
	return &Budget{done: ctx.Done(), memory: memory}
}

// Until ends the time also when a clock gets to end. It is asked by the goroutine that has the budget.
func (b *Budget) Until(clock func() time.Duration, end time.Duration) { b.clock, b.end = clock, end }

// Take asks for n bytes that will be kept. Where there are not enough left it says no, and the budget is Short.
func (b *Budget) Take(n int) bool {
	if n < 0 || int64(n) > b.memory {
		b.short = true
		return false
	}
	b.memory -= int64(n)
	return true
}

// Give returns n bytes that were taken.
func (b *Budget) Give(n int) { b.memory += int64(max(n, 0)) }

// Left is how many bytes can still be taken.
func (b *Budget) Left() int64 { return b.memory }

// Step is asked once for each small piece of work, of some microseconds at most. It says whether there is time left.
func (b *Budget) Step() bool {
	if b.steps++; b.steps%64 == 0 {
		return b.Pause()
	}
	return !b.over
}

// Pause is Step for larger pieces of work.
func (b *Budget) Pause() bool {
	if b.over {
		return false
	}
	select {
	case <-b.done:
		b.over = true
	default:
		b.over = b.clock != nil && b.clock() >= b.end
	}
	return !b.over
}

// Over says whether the time was found to be over.
func (b *Budget) Over() bool { return b.over }

// Short says whether memory was refused.
func (b *Budget) Short() bool { return b.short }
