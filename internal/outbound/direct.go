package outbound

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// A message that was just accepted need not go through the queue: the goroutine that accepts it takes a place first,
// stores its delivery as leased, and hands it over. If the process dies in between, the lease ends.

// Reserve takes a place for a delivery to a destination outside, if there is one now.
func (r *Runner) Reserve(d mailbox.Delivery) bool {
	p := reservation{r: r, queues: make(map[string]int), boxes: make(map[mailbox.Num]int)}
	if p.room(d.Destination, false) <= 0 || !p.take(d, false) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over || r.working == nil {
		return false
	}
	r.enterLocked(r.queueForLocked(r.queueKey(d.Destination, false)), d.Mailbox)
	return true
}

// Give hands over a job for which there is a place.
func (r *Runner) Give(job service.Job) {
	r.mu.Lock()
	l := r.queueForLocked(r.queueKey(job.Destination, false))
	if !r.over {
		r.putLocked(r.working, l, job)
		r.mu.Unlock()
		return
	}
	r.mu.Unlock()
	r.finish(context.Background(), job, mailbox.Attempt{Outcome: mailbox.Put}) // we stop
	r.done(l, job)
}

// Release gives a place back that was not used.
func (r *Runner) Release(d mailbox.Delivery) {
	r.mu.Lock()
	l := r.queueForLocked(r.queueKey(d.Destination, false))
	r.mu.Unlock()
	r.done(l, service.Job{Delivery: d})
}

// Hurry implements service.Outlet.
func (r *Runner) Hurry(destinations []string) {
	now := r.opt.Now()
	for _, d := range destinations {
		key := r.carrier.QueueKey(d)
		r.mu.Lock()
		if l := r.queues[key]; l != nil && now.Before(l.backoffUntil) {
			l.backoffUntil = now
		}
		r.mu.Unlock()
	}
	r.signal()
}
