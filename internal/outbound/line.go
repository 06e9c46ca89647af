package outbound

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// line is the deliveries for one destination.
type line struct {
	key     string
	waiting []service.Job
	jobs    int // waiting or being sent
	workers int
	idle    []chan service.Job // of workers that have a connection and nothing to do
	limit   int                // of workers; fewer where the destination takes no more connections
	known   bool               // a connection could be made
	lowered time.Time          // when the limit was last changed

	fails int       // connections that failed in a row
	until time.Time // it rests
}

const (
	insideLine = "\x00inside" // mail for mailboxes of ours: no connection is needed
	heldLine   = "\x00held"   // what may not leave: nothing is taken for it, so that it is due at once when it may
	restShort  = time.Second  // of one that was reached until now
	restLeast  = 30 * time.Second
	restMost   = 10 * time.Minute

	// firstLimit is how many connections are tried at once to a destination that has not answered yet. Those that never do hold
	// on to them for minutes, and there may be many.
	firstLimit = 1
)

// roomIn is how many more deliveries a line can take. The caller has the lock.
func (r *Runner) roomIn(key string) int {
	l := r.lines[key]
	if l == nil {
		return 2 * r.firstLimit(key)
	}
	now := r.opt.Now()
	if now.Before(l.until) {
		return 0
	}
	if l.known && l.limit < r.opt.PerDestination && now.Sub(l.lowered) >= raiseAt {
		l.limit, l.lowered = l.limit+1, now
	}
	return 2*l.limit - l.jobs
}

func (r *Runner) firstLimit(key string) int {
	if key == insideLine {
		return r.opt.PerDestination
	}
	return firstLimit
}

// dismiss sends a worker home that has nothing to do, so that its connection can be somebody else's. Where all have something, the first that
// is done goes. The caller has the lock.
func (r *Runner) dismiss() {
	for _, l := range r.lines {
		if n := len(l.idle); n > 0 {
			close(l.idle[n-1])
			l.idle = l.idle[:n-1]
			return
		}
	}
	r.wanted = true
}

// nextRest is when the next line that rests is to be tried again; 0: none rests.
func (r *Runner) nextRest() (wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.opt.Now()
	for key, l := range r.lines {
		if l.jobs == 0 && l.workers == 0 && now.Sub(l.until) > sweepAt {
			delete(r.lines, key) // how often it failed is forgotten
			continue
		}
		if left := l.until.Sub(now); left > 0 && (wait == 0 || left < wait) {
			wait = left
		}
	}
	return wait
}

// lineFor gives a line, and makes it where there is none. The caller has the lock.
func (r *Runner) lineFor(key string) *line {
	l := r.lines[key]
	if l == nil {
		l = &line{key: key, limit: r.firstLimit(key)}
		r.lines[key] = l
	}
	return l
}

// give hands a job to a worker of its line: one that waits, a new one, or the next that is free. A line always has one.
func (r *Runner) give(ctx context.Context, job service.Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.lineFor(r.lineOf(job.Destination, job.Inside))
	r.enter(l, job.Mailbox)
	r.put(ctx, l, job)
}

// enter takes a place in a line. The caller has the lock.
func (r *Runner) enter(l *line, num mailbox.Num) {
	l.jobs++
	r.jobs++
	r.boxes[num]++
}

// put hands a job that has its place to a worker. The caller has the lock.
func (r *Runner) put(ctx context.Context, l *line, job service.Job) {
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
func (r *Runner) done(l *line, job service.Job) {
	r.mu.Lock()
	r.release(l, job)
	r.mu.Unlock()
	r.signal()
}

// release is done for who has the lock.
func (r *Runner) release(l *line, job service.Job) {
	if r.held[placeOf(job.Delivery)].Lease == job.Lease {
		delete(r.held, placeOf(job.Delivery))
	}
	l.jobs--
	r.jobs--
	if r.boxes[job.Mailbox]--; r.boxes[job.Mailbox] == 0 {
		delete(r.boxes, job.Mailbox)
	}
}

// goes takes a worker out of its line. The caller has the lock.
func (r *Runner) goes(l *line) {
	l.workers--
	r.total--
	if l.jobs == 0 && l.workers == 0 && l.until.IsZero() {
		delete(r.lines, l.key)
	}
	r.signal()
}

// next gives a worker its next job. One that has a connection waits for it for a moment.
func (r *Runner) next(ctx context.Context, l *line, patient bool) (service.Job, bool) {
	r.mu.Lock()
	if job, ok := l.first(); ok {
		r.mu.Unlock()
		return job, true
	}
	if !patient || r.over || r.wanted {
		r.wanted = false
		r.goes(l)
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

// first takes the first job that waits in a line. The caller has the lock.
func (l *line) first() (job service.Job, ok bool) {
	if len(l.waiting) == 0 {
		return service.Job{}, false
	}
	job, l.waiting = l.waiting[0], l.waiting[1:]
	return job, true
}

// retire takes a worker out of its line, unless it was given a job at the last moment, or one came since it was dismissed: the line still
// counted on it.
func (r *Runner) retire(l *line, mine chan service.Job) (service.Job, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, c := range l.idle {
		if c == mine {
			l.idle = append(l.idle[:i], l.idle[i+1:]...)
			r.goes(l)
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
	if job, ok := l.first(); ok {
		return job, true
	}
	r.goes(l)
	return service.Job{}, false
}

// unreachable notes that no connection could be made, and says what became of the job. Where others of the line have one, the destination only takes
// no more of them: the job waits for those (nil). Else the line rests, and what waits in it goes back to the queue. So does the job where the
// destination was reached until now: it may not have seen yet that another connection is over, and that says nothing about this mail.
func (r *Runner) unreachable(ctx context.Context, l *line, job service.Job, failed mailbox.Attempt) *mailbox.Attempt {
	r.mu.Lock()
	if l.workers > 1 && l.fails == 0 && r.connected(l) {
		r.leaveToOthers(l, job)
		r.mu.Unlock()
		return nil
	}
	rest := restShort
	if !l.known {
		l.fails++
		rest = min(restLeast<<min(l.fails-1, 10), restMost)
	}
	put := mailbox.Attempt{Outcome: mailbox.Put, Wait: rest}
	if l.known {
		failed = put
	}
	l.until = r.opt.Now().Add(rest)
	back := l.waiting
	l.waiting = nil
	r.goes(l)
	l.limit, l.known = firstLimit, false
	r.mu.Unlock()
	for _, j := range back {
		r.finish(ctx, j, put)
		r.done(l, j)
	}
	return &failed
}

// leaveToOthers takes a worker out of a line whose others have a connection, and gives them its job. The caller has the lock.
func (r *Runner) leaveToOthers(l *line, job service.Job) {
	r.goes(l)
	l.limit, l.lowered = l.workers, r.opt.Now()
	l.waiting = append([]service.Job{job}, l.waiting...)
	if n := len(l.idle); n > 0 {
		l.idle[n-1] <- l.waiting[0]
		l.idle, l.waiting = l.idle[:n-1], l.waiting[1:]
	}
}

// connected tells whether another worker of a line has a connection. The caller has the lock.
func (r *Runner) connected(l *line) bool { return l.until.IsZero() && l.workers > 1 && l.jobs > 1 }

// reached notes that a connection could be made.
func (r *Runner) reached(l *line) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l.fails, l.until = 0, time.Time{}
	if !l.known {
		l.known, l.limit = true, r.opt.PerDestination
		r.signal()
	}
}

// giveBackAll gives back what was leased and not begun, and sends idle workers home.
func (r *Runner) giveBackAll(ctx context.Context) {
	r.mu.Lock()
	r.over = true
	var back []service.Job
	for _, l := range r.lines {
		back = append(back, l.waiting...)
		for _, j := range l.waiting {
			r.release(l, j)
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
