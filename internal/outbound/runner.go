package outbound

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/trace"
)

// Options say how much is done at a time.
type Options struct {
	Connections    int           // in all
	PerDestination int           // connections to one destination
	Idle           time.Duration // how long a connection is kept without work
	Grace          time.Duration // for what is in flight when the runner stops
	Renew          time.Duration // how often the leases of what was taken are renewed; 0: five minutes
	// between looks, when nothing is heard: another node may have left something; 0: a minute
	Look   time.Duration
	Log    *slog.Logger
	Now    func() time.Time
	Worker *background.Worker // watches that rounds get somewhere; nil: nobody does
	Tracer *trace.Tracer      // follows attempts; nil: nobody does
}

// Runner works through a queue.
type Runner struct {
	queue   Queue
	carrier Carrier
	opt     Options

	mu     sync.Mutex
	queues map[string]*destinationQueue
	boxes  map[mailbox.Num]int // jobs of each mailbox
	jobs   int                 // taken and not finished
	held   map[place]mailbox.Delivery
	total  int // workers

	wanted bool // a queue without a connection waits for one
	over   bool // nothing more is given out

	working context.Context // of what is in flight; nil: it does not run yet
	stats   Stats

	freed   chan struct{} // a place was given back
	workers sync.WaitGroup
}

// place names a delivery.
type place struct {
	box mailbox.Num
	seq int64
	n   int
}

func placeOf(d mailbox.Delivery) place { return place{d.Mailbox, d.Seq, d.N} }

// Stats are counts since the start.
type Stats struct {
	Attempts, Delivered, Captured, Deferred, Refused, Unknown int64
	InFlight                                                  int64
}

// New makes a runner.
func New(q Queue, c Carrier, o Options) *Runner {
	o.Worker = cmp.Or(o.Worker, &background.Worker{})
	o.Renew, o.Look = cmp.Or(o.Renew, 5*time.Minute), cmp.Or(o.Look, time.Minute)
	return &Runner{queue: q, carrier: c, opt: o, queues: make(map[string]*destinationQueue),
		boxes: make(map[mailbox.Num]int), held: make(map[place]mailbox.Delivery), freed: make(chan struct{}, 1)}
}

// Stats returns the counts.
func (r *Runner) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.InFlight = int64(r.jobs)
	return s
}

const (
	leaseMost = 100              // deliveries leased at a time
	errorWait = 2 * time.Second  // after a failure of the store, at most
	sweepAt   = 10 * time.Minute // queues whose backoff ended so long ago are forgotten
	raiseAt   = time.Minute      // a queue that was refused connections tries one more after that

	finishTime = 30 * time.Second // to note what became of a delivery: long enough for a database to start again
)

// Run delivers until ctx ends. Then nothing new is taken; what is in flight has the grace time, and what was leased and
// not begun is given back.
func (r *Runner) Run(ctx context.Context) {
	heard, done := r.queue.Listen()
	defer done()
	working, cut := context.WithCancel(context.WithoutCancel(ctx))
	r.mu.Lock()
	r.working = working
	r.mu.Unlock()
	var renewing sync.WaitGroup
	defer renewing.Wait()
	defer cut()
	renewing.Go(func() { r.renew(working) })
	for ctx.Err() == nil {
		wait := time.NewTimer(r.round(ctx, working))
		select {
		case <-heard:
		case <-r.freed:
		case <-wait.C:
		case <-ctx.Done():
		}
		wait.Stop()
	}
	r.giveBackAll(working)
	grace := time.AfterFunc(r.opt.Grace, cut)
	defer grace.Stop()
	r.workers.Wait()
}

// renew keeps the leases of what was taken, until ctx ends.
func (r *Runner) renew(ctx context.Context) {
	for background.Sleep(ctx, r.opt.Renew) {
		r.mu.Lock()
		held := slices.Collect(maps.Values(r.held))
		r.mu.Unlock()
		if len(held) == 0 {
			continue
		}
		if err := r.queue.RenewDeliveries(ctx, held); err != nil && ctx.Err() == nil {
			// those that end are tried again by the next node that finds them
			r.opt.Log.Warn("renew the leases of deliveries", "error", err)
		}
	}
}

// round leases what there is room for, and says how long there is nothing more to do.
func (r *Runner) round(ctx, working context.Context) time.Duration {
	for ctx.Err() == nil {
		places := reservation{r: r, queues: make(map[string]int), boxes: make(map[mailbox.Num]int)}
		jobs, next, err := r.queue.LeaseDeliveries(ctx, service.LeaseQuery{Room: places.room, Take: places.take,
			Limit: leaseMost})
		if err != nil {
			if ctx.Err() == nil {
				return min(r.opt.Worker.Failed("lease deliveries", err), errorWait)
			}
			return errorWait
		}
		if len(jobs) == 0 {
			return r.untilNext(next)
		}
		r.opt.Worker.Progress()
		for _, j := range jobs {
			r.give(working, j)
		}
	}
	return r.opt.Look
}

// untilNext is how long there is nothing to do: until something is due, or a backoff is over. What waits for a place is
// heard of when one is given back.
func (r *Runner) untilNext(next time.Time) time.Duration {
	wait := r.opt.Look
	if backoff := r.nextBackoff(); backoff > 0 {
		wait = min(wait, backoff)
	}
	if !next.IsZero() {
		due := next.Sub(r.opt.Now())
		if due <= 0 { // it was to be taken just now
			due = r.opt.Worker.NoProgress()
		}
		wait = min(wait, due)
	}
	return wait
}

// reservation counts the places that one lease takes.
type reservation struct {
	r      *Runner
	queues map[string]int
	boxes  map[mailbox.Num]int
	all    int
	fresh  int // queues that need a first connection
}

// queueKey names the queue of deliveries to a destination.
func (r *Runner) queueKey(destination string, inside bool) string {
	if inside {
		return insideQueue
	}
	return r.carrier.QueueKey(destination)
}

// room is how many deliveries to a destination can be taken. A queue without a connection needs one, and there is a
// limit on all of them: where it is reached, a worker that has one and nothing to do is ended.
func (p *reservation) room(destination string, inside bool) int {
	r := p.r
	key := r.queueKey(destination, inside)
	if key == heldQueue {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.queues[key]; (l == nil || l.workers == 0) && p.queues[key] == 0 && r.total+p.fresh >= r.opt.Connections {
		r.dismissLocked()
		return 0
	}
	return min(r.roomInLocked(key)-p.queues[key], 2*r.opt.Connections-r.jobs-p.all)
}

// take takes a place, of which one mailbox may not have too many: its mail may be for servers that all hang.
func (p *reservation) take(d mailbox.Delivery, inside bool) bool {
	key := p.r.queueKey(d.Destination, inside)
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if p.r.boxes[d.Mailbox]+p.boxes[d.Mailbox] >= max(p.r.opt.Connections/2, 1) {
		return false
	}
	if l := p.r.queues[key]; (l == nil || l.workers == 0) && p.queues[key] == 0 {
		p.fresh++
	}
	p.queues[key]++
	p.boxes[d.Mailbox]++
	p.all++
	return true
}

// signal says that there is room again.
func (r *Runner) signal() {
	select {
	case r.freed <- struct{}{}:
	default:
	}
}

// finish reports what became of a job. That has its own time: when the delivery was cut off because the runner stops,
// what is known is still noted.
func (r *Runner) finish(ctx context.Context, job service.Job, a mailbox.Attempt) {
	r.count(a)
	if span := trace.From(ctx); r.opt.Tracer != nil && span != nil {
		span.Text("server.address", a.Host)
		span.Number("mailkin.reply_code", int64(a.Code))
		if a.Outcome != mailbox.Accepted && a.Outcome != mailbox.Relayed && a.Outcome != mailbox.Kept {
			span.Fail()
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	err := r.queue.FinishDelivery(ctx, job.Delivery, a)
	for tries := 0; err != nil && ctx.Err() == nil; tries++ {
		pause := time.NewTimer(time.Second << min(tries, 2))
		select {
		case <-pause.C:
		case <-ctx.Done():
		}
		pause.Stop()
		err = r.queue.FinishDelivery(ctx, job.Delivery, a)
	}
	if err != nil {
		// Its lease ends, and it is tried again.
		r.opt.Log.Error("note what became of a delivery", "delivery", job.ID(), "error", err)
	}
}

func (r *Runner) count(a mailbox.Attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.Outcome == mailbox.Put {
		return
	}
	r.stats.Attempts++
	switch a.Outcome {
	case mailbox.Accepted, mailbox.Relayed:
		r.stats.Delivered++
	case mailbox.Kept:
		r.stats.Captured++
	case mailbox.Deferred:
		r.stats.Deferred++
	case mailbox.Refused, mailbox.Impossible:
		r.stats.Refused++
	case mailbox.Lost:
		r.stats.Unknown++
	}
}
