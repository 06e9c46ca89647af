package app

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// What a burst of mail needed is given back to the system when it is over, and not minutes later.
const (
	idleCheck = 5 * time.Second
	idleQuiet = 4 << 20  // allocated in that time where nothing much is done
	idleWorth = 64 << 20 // allocated since memory was last given back where that is worth its time
)

// releaseIdleMemory gives memory back to the system whenever much was done and nothing is any more, until ctx ends.
func releaseIdleMemory(ctx context.Context) {
	tick := time.NewTicker(idleCheck)
	defer tick.Stop()
	for r := (idleMemory{}); ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if r.due(allocated()) {
			debug.FreeOSMemory()
			releaseProgramPages()
		}
	}
}

// idleMemory knows what was allocated when it was last asked, and when it last said that memory is to be given back.
type idleMemory struct{ asked, given uint64 }

// due tells whether this is a moment to give memory back, from what was allocated since the start.
func (r *idleMemory) due(allocated uint64) bool {
	quiet := allocated-r.asked < idleQuiet
	r.asked = allocated
	if !quiet || allocated-r.given < idleWorth {
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
