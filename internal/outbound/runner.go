package outbound

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Options say how much is done at a time.
type Options struct {
	Connections    int           // in all
	PerDestination int           // connections to one destination
	Idle           time.Duration // how long a connection is kept without work
	Grace          time.Duration // for what is in flight when the runner stops
	Log            *slog.Logger
	Now            func() time.Time
}

// Runner works through a queue.
type Runner struct {
	queue   Queue
	carrier Carrier
	opt     Options

	mu    sync.Mutex
	lines map[string]*line
	jobs  int  // taken and not finished
	over  bool // nothing more is given out
	stats Stats

	freed   chan struct{} // a place was given back
	workers sync.WaitGroup
}

// Stats are counts since the start.
type Stats struct {
	Attempts, Delivered, Deferred, Refused, Unknown int64
	InFlight                                        int64
}

// New makes a runner.
func New(q Queue, c Carrier, o Options) *Runner {
	return &Runner{queue: q, carrier: c, opt: o, lines: make(map[string]*line), freed: make(chan struct{}, 1)}
}

// Stats gives the counts.
func (r *Runner) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.InFlight = int64(r.jobs)
	return s
}

const (
	leaseMost = 100              // deliveries leased at a time
	longWait  = time.Minute      // between looks, when nothing is heard: another node may have left something
	errorWait = 2 * time.Second  // after a failure of the store
	sweepAt   = 10 * time.Minute // lines that were at rest are forgotten after that
)

// Run delivers until ctx ends. Then nothing new is taken; what is in flight has the grace time, and what was leased and not
// begun is given back.
func (r *Runner) Run(ctx context.Context) {
	heard, done := r.queue.Listen()
	defer done()
	working, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
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

// round leases what there is room for, and says how long there is nothing more to do.
func (r *Runner) round(ctx, working context.Context) time.Duration {
	for ctx.Err() == nil {
		blocked := r.blocked()
		if r.full(blocked) {
			return longWait
		}
		places := reservation{r: r, lines: make(map[string]int)}
		jobs, err := r.queue.LeaseDeliveries(ctx, service.LeaseQuery{Except: blocked, Take: places.take, Limit: leaseMost})
		if err != nil {
			if ctx.Err() == nil {
				r.opt.Log.Error("lease deliveries", "error", err)
			}
			return errorWait
		}
		if len(jobs) == 0 {
			return r.untilNext(ctx, blocked, places.refused)
		}
		for _, j := range jobs {
			r.give(working, j)
		}
	}
	return longWait
}

// untilNext is how long nothing is due.
func (r *Runner) untilNext(ctx context.Context, blocked []string, refused bool) time.Duration {
	wait := longWait
	if rest := r.nextRest(); rest > 0 {
		wait = min(wait, rest)
	}
	if refused { // something is due and waits for a place
		return wait
	}
	next, err := r.queue.NextDelivery(ctx, blocked)
	if err != nil || next.IsZero() {
		return wait
	}
	return min(wait, max(next.Sub(r.opt.Now()), time.Millisecond))
}

// reservation counts the places that one lease takes.
type reservation struct {
	r       *Runner
	lines   map[string]int
	all     int
	refused bool
}

func (p *reservation) take(d mailbox.Delivery) bool {
	key := p.r.carrier.Line(d.Destination)
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if p.r.jobs+p.all >= 2*p.r.opt.Connections || p.r.roomIn(key) <= p.lines[key] {
		p.refused = true
		return false
	}
	p.lines[key]++
	p.all++
	return true
}

// full tells whether nothing at all can be taken.
func (r *Runner) full(blocked []string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.jobs >= 2*r.opt.Connections {
		return true
	}
	// One line for everything, and it is blocked.
	return len(blocked) > 0 && r.carrier.Line("") == r.carrier.Line("x") && r.roomIn(r.carrier.Line("")) <= 0
}

// signal says that there is room again.
func (r *Runner) signal() {
	select {
	case r.freed <- struct{}{}:
	default:
	}
}

// finish reports what became of a job.
func (r *Runner) finish(ctx context.Context, job service.Job, a mailbox.Attempt) {
	r.count(a)
	err := r.queue.FinishDelivery(ctx, job.Delivery, a)
	for tries := 0; err != nil && tries < 3 && ctx.Err() == nil; tries++ {
		pause := time.NewTimer(time.Second << tries)
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
	case mailbox.Deferred:
		r.stats.Deferred++
	case mailbox.Refused, mailbox.Impossible:
		r.stats.Refused++
	case mailbox.Lost:
		r.stats.Unknown++
	}
}
