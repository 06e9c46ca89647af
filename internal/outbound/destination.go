package outbound

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// destinationQueue holds the deliveries for one destination.
type destinationQueue struct {
	key     string
	waiting []service.Job
	jobs    int // waiting or being sent
	workers int
	idle    []chan service.Job // of workers that have a connection and nothing to do
	limit   int                // of workers; fewer where the destination takes no more connections
	known   bool               // a connection could be made
	lowered time.Time          // when the limit was last changed

	fails        int // connections that failed in a row
	backoffUntil time.Time
}

const (
	insideQueue = "\x00inside" // mail for mailboxes of ours: no connection is needed
	heldQueue   = "\x00held"   // what may not leave: nothing is taken for it, so that it is due at once when it may
	lostBackoff = time.Second  // after a connection to a destination that was reached until now
	minBackoff  = 30 * time.Second
	maxBackoff  = 10 * time.Minute

	// firstLimit is how many connections are tried at once to a destination that has not answered yet. Those that never
	// do hold on to them for minutes, and there may be many.
	firstLimit = 1
)

// roomInLocked is how many more deliveries a queue can take.
func (r *Runner) roomInLocked(key string) int {
	l := r.queues[key]
	if l == nil {
		return 2 * r.firstLimit(key)
	}
	now := r.opt.Now()
	if now.Before(l.backoffUntil) {
		return 0
	}
	if l.known && l.limit < r.opt.PerDestination && now.Sub(l.lowered) >= raiseAt {
		l.limit, l.lowered = l.limit+1, now
	}
	return 2*l.limit - l.jobs
}

func (r *Runner) firstLimit(key string) int {
	if key == insideQueue {
		return r.opt.PerDestination
	}
	return firstLimit
}

// dismissLocked ends a worker that has nothing to do, so that another queue can have its connection. Where all are
// busy, the first that has finished its job ends.
func (r *Runner) dismissLocked() {
	for _, l := range r.queues {
		if n := len(l.idle); n > 0 {
			close(l.idle[n-1])
			l.idle = l.idle[:n-1]
			return
		}
	}
	r.wanted = true
}

// nextBackoff is how long the shortest backoff of a queue still lasts; 0: no queue backs off.
func (r *Runner) nextBackoff() (wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.opt.Now()
	for key, l := range r.queues {
		if l.jobs == 0 && l.workers == 0 && now.Sub(l.backoffUntil) > sweepAt {
			delete(r.queues, key) // how often it failed is forgotten
			continue
		}
		if left := l.backoffUntil.Sub(now); left > 0 && (wait == 0 || left < wait) {
			wait = left
		}
	}
	return wait
}

// queueForLocked returns the queue of a key, and makes it where there is none.
func (r *Runner) queueForLocked(key string) *destinationQueue {
	l := r.queues[key]
	if l == nil {
		l = &destinationQueue{key: key, limit: r.firstLimit(key)}
		r.queues[key] = l
	}
	return l
}

// give hands a job to a worker of its queue: one that waits, a new one, or the next that is free. Every queue with jobs
// keeps at least one worker, so a job never waits for a connection slot of others.
func (r *Runner) give(ctx context.Context, job service.Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.queueForLocked(r.queueKey(job.Destination, job.Inside))
	r.enterLocked(l, job.Mailbox)
	r.putLocked(ctx, l, job)
}

// enterLocked counts a job in.
func (r *Runner) enterLocked(l *destinationQueue, num mailbox.Num) {
	l.jobs++
	r.jobs++
	r.boxes[num]++
}

// putLocked hands a job that was counted in to a worker.
func (r *Runner) putLocked(ctx context.Context, l *destinationQueue, job service.Job) {
	r.held[placeOf(job.Delivery)] = job.Delivery
	switch n := len(l.idle); {
	case n > 0:
		l.idle[n-1] <- job // it has room for one
		l.idle = l.idle[:n-1]
	case l.workers == 0 || l.workers < l.limit && r.total < r.opt.Connections:
		l.workers++
		r.total++
		r.workers.Go(func() { r.work(ctx, l, job) })
	default:
		l.waiting = append(l.waiting, job)
	}
}

// done gives a job's place back.
func (r *Runner) done(l *destinationQueue, job service.Job) {
	r.mu.Lock()
	r.releaseLocked(l, job)
	r.mu.Unlock()
	r.signal()
}

// releaseLocked counts a job out.
func (r *Runner) releaseLocked(l *destinationQueue, job service.Job) {
	if r.held[placeOf(job.Delivery)].Lease == job.Lease {
		delete(r.held, placeOf(job.Delivery))
	}
	l.jobs--
	r.jobs--
	if r.boxes[job.Mailbox]--; r.boxes[job.Mailbox] == 0 {
		delete(r.boxes, job.Mailbox)
	}
}

// leaveLocked counts a worker out of its queue.
func (r *Runner) leaveLocked(l *destinationQueue) {
	l.workers--
	r.total--
	if l.jobs == 0 && l.workers == 0 && l.backoffUntil.IsZero() {
		delete(r.queues, l.key)
	}
	r.signal()
}

// next gives a worker its next job. One that has a connection waits for it for a moment.
func (r *Runner) next(ctx context.Context, l *destinationQueue, patient bool) (service.Job, bool) {
	r.mu.Lock()
	if job, ok := l.firstLocked(); ok {
		r.mu.Unlock()
		return job, true
	}
	if !patient || r.over || r.wanted {
		r.wanted = false
		r.leaveLocked(l)
		r.mu.Unlock()
		return service.Job{}, false
	}
	mine := make(chan service.Job, 1)
	l.idle = append(l.idle, mine)
	r.mu.Unlock()

	wait := time.NewTimer(r.opt.Idle)
	defer wait.Stop()
	select {
	case job, ok := <-mine:
		if ok {
			return job, true
		}
	case <-wait.C:
	case <-ctx.Done():
	}
	return r.retire(l, mine)
}

// firstLocked takes the first job that waits in the queue.
func (l *destinationQueue) firstLocked() (job service.Job, ok bool) {
	if len(l.waiting) == 0 {
		return service.Job{}, false
	}
	job, l.waiting = l.waiting[0], l.waiting[1:]
	return job, true
}

// retire takes a worker out of its queue, unless it was given a job at the last moment, or one came since it was
// dismissed: the queue still counted on it.
func (r *Runner) retire(l *destinationQueue, mine chan service.Job) (service.Job, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, c := range l.idle {
		if c == mine {
			l.idle = append(l.idle[:i], l.idle[i+1:]...)
			r.leaveLocked(l)
			return service.Job{}, false
		}
	}
	select {
	case job, ok := <-mine:
		if ok {
			return job, true
		}
	default:
	}
	if job, ok := l.firstLocked(); ok {
		return job, true
	}
	r.leaveLocked(l)
	return service.Job{}, false
}

// unreachable notes that no connection could be made, and says what became of the job. Where other workers of the queue
// have one, the destination only takes no more of them: the job waits for those (nil). Else the queue backs off, and
// its jobs go back to the store. So does this job where the destination was reached until now: it may not have noticed
// yet that another connection is over, and that says nothing about this mail.
func (r *Runner) unreachable(ctx context.Context, l *destinationQueue, job service.Job,
	failed mailbox.Attempt) *mailbox.Attempt {
	r.mu.Lock()
	if l.workers > 1 && l.fails == 0 && r.connectedLocked(l) {
		r.leaveToOthersLocked(l, job)
		r.mu.Unlock()
		return nil
	}
	backoff := lostBackoff
	if !l.known {
		l.fails++
		backoff = min(minBackoff<<min(l.fails-1, 10), maxBackoff)
	}
	put := mailbox.Attempt{Outcome: mailbox.Put, Wait: backoff}
	if l.known {
		failed = put
	}
	l.backoffUntil = r.opt.Now().Add(backoff)
	back := l.waiting
	l.waiting = nil
	r.leaveLocked(l)
	l.limit, l.known = firstLimit, false
	r.mu.Unlock()
	for _, j := range back {
		r.finish(ctx, j, put)
		r.done(l, j)
	}
	return &failed
}

// leaveToOthersLocked takes a worker out of a queue whose others have a connection, and gives them its job.
func (r *Runner) leaveToOthersLocked(l *destinationQueue, job service.Job) {
	r.leaveLocked(l)
	l.limit, l.lowered = l.workers, r.opt.Now()
	l.waiting = append([]service.Job{job}, l.waiting...)
	if n := len(l.idle); n > 0 {
		l.idle[n-1] <- l.waiting[0]
		l.idle, l.waiting = l.idle[:n-1], l.waiting[1:]
	}
}

// connectedLocked tells whether another worker of a queue has a connection.
func (r *Runner) connectedLocked(l *destinationQueue) bool {
	return l.backoffUntil.IsZero() && l.workers > 1 && l.jobs > 1
}

// reached notes that a connection could be made.
func (r *Runner) reached(l *destinationQueue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l.fails, l.backoffUntil = 0, time.Time{}
	if !l.known {
		l.known, l.limit = true, r.opt.PerDestination
		r.signal()
	}
}

// giveBackAll gives back what was leased and not begun, and ends idle workers.
func (r *Runner) giveBackAll(ctx context.Context) {
	r.mu.Lock()
	r.over = true
	var back []service.Job
	for _, l := range r.queues {
		back = append(back, l.waiting...)
		for _, j := range l.waiting {
			r.releaseLocked(l, j)
		}
		l.waiting = nil
		for _, c := range l.idle {
			close(c)
		}
		l.idle = nil
	}
	r.mu.Unlock()
	for _, j := range back {
		r.finish(ctx, j, mailbox.Attempt{Outcome: mailbox.Put})
	}
}
