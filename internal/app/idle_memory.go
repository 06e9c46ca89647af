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
	// idlePages is so much more of the program's file than after it was last given back that it is worth doing again:
	// every collection of garbage reads some, and every request.
	idlePages = 4 << 20
	// idleStill is how many checks in a row must find next to nothing allocated before, so that who asks now and then
	// need not have the same pages back each time.
	idleStill   = 2
	idleNothing = 256 << 10
)

// releaseIdleMemory gives memory back to the system whenever much was done and nothing is any more, and drops what is
// kept for searches that do not come, until ctx ends.
func (a *App) releaseIdleMemory(ctx context.Context) {
	tick := time.NewTicker(idleCheck)
	defer tick.Stop()
	least := int64(0) // of the program's file in memory, right after it was given back
	for r := (idleMemory{asked: allocated()}); ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		a.svc.Index().DropTexts()
		due := r.due(allocated())
		if due {
			if a.storage.release != nil {
				a.storage.release()
			}
			debug.FreeOSMemory()
		}
		if due || r.still >= idleStill && residentFiles() > least+idlePages {
			releaseProgramPages()
			least, r.still = residentFiles(), 0
		}
	}
}

// idleMemory knows what was allocated when it was last asked, and when it last said that memory is to be given back.
type idleMemory struct {
	asked, given uint64
	started      bool // what only the start needed was given back
	still        int  // checks in a row that found next to nothing allocated
}

// due tells whether this is a moment to give memory back, from what was allocated since the start.
func (r *idleMemory) due(allocated uint64) bool {
	quiet := allocated-r.asked < idleQuiet
	if r.still++; allocated-r.asked > idleNothing {
		r.still = 0
	}
	r.asked = allocated
	if !quiet || r.started && allocated-r.given < idleWorth {
		return false
	}
	r.given, r.started = allocated, true
	return true
}

// allocated is how many bytes were allocated since the start.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
