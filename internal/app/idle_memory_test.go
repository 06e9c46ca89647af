package app

import "testing"

// Memory is given back after the start and once after a burst, and not while there is work, nor for little.
func TestRestIsDue(t *testing.T) {
	const mb = 1 << 20
	var r idleMemory
	for i, step := range []struct {
		more uint64 // allocated since the step before
		want bool
	}{
		{10 * mb, false}, {mb, true}, // the start is over
		{10 * mb, false}, {mb, false}, // little
		{100 * mb, false}, {90 * mb, false}, // at work
		{mb, true}, {mb, false}, {0, false}, // quiet, and nothing more to give
		{63 * mb, false}, {3 * mb, true},
	} {
		before := r.asked
		if got := r.due(before + step.more); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
	for i, step := range []struct {
		more uint64
		want int
	}{{mb, 0}, {1000, 1}, {1000, 2}, {0, 3}, {mb, 0}, {0, 1}} {
		if r.due(r.asked + step.more); r.still != step.want {
			t.Errorf("step %d: still for %d", i, r.still)
		}
	}
	before := allocated()
	garbage = make([]byte, 10*mb)
	if grown := allocated() - before; grown < 10*mb {
		t.Errorf("%d bytes of garbage are counted as %d", len(garbage), grown)
	}
}

var garbage []byte
