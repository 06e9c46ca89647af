package app

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// What a burst of mail needed is given back to the system when it is over, and not minutes later.
const (
	restEvery = 5 * time.Second
	restQuiet = 4 << 20  // allocated in that time where nothing much is done
	restWorth = 64 << 20 // allocated since memory was last given back where that is worth its time
)

// rests gives memory back whenever much was done and nothing is any more, until ctx ends.
func rests(ctx context.Context) {
	tick := time.NewTicker(restEvery)
	defer tick.Stop()
	for r := (rester{}); ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if r.due(allocated()) {
			debug.FreeOSMemory()
			shed()
		}
	}
}

// rester knows what was allocated when it was last asked, and when it last said that memory is to be given back.
type rester struct{ asked, given uint64 }

// due tells whether this is a moment to give memory back, from what was allocated since the start.
func (r *rester) due(allocated uint64) bool {
	quiet := allocated-r.asked < restQuiet
	r.asked = allocated
	if !quiet || allocated-r.given < restWorth {
		return false
	}
	r.given = allocated
	return true
}

// allocated is how many bytes were allocated since the start.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
