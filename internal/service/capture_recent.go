package service

import (
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// recentBoxes remembers which mailboxes were asked for lately, so that none is removed before the one who asked begins
// to wait. Its zero value is ready to use.
type recentBoxes struct {
	mu sync.Mutex
	at map[mailbox.Num]time.Time
}

// recentTime is how long that is.
const recentTime = 10 * time.Minute

func (r *recentBoxes) note(num mailbox.Num, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at == nil {
		r.at = make(map[mailbox.Num]time.Time)
	}
	r.at[num] = now
}

func (r *recentBoxes) has(num mailbox.Num, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.at[num]
	return ok && now.Sub(at) < recentTime
}

// forget lets go of those that were asked for long ago.
func (r *recentBoxes) forget(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for num, at := range r.at {
		if now.Sub(at) >= recentTime {
			delete(r.at, num)
		}
	}
}
