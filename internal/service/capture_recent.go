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
	if at, ok := r.at[num]; !ok || at.Before(now) {
		r.at[num] = now
	}
}

func (r *recentBoxes) has(num mailbox.Num, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.at[num]
	return ok && now.Sub(at) < recentTime
}

// forget lets go of those that were asked for long ago, returns them, and says when the next one is due; 0: none is.
func (r *recentBoxes) forget(now time.Time) (old []mailbox.Num, next time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for num, at := range r.at {
		left := at.Add(recentTime).Sub(now)
		if left <= 0 {
			old = append(old, num)
			delete(r.at, num)
		} else if next == 0 || left < next {
			next = left
		}
	}
	return old, next
}
