package webhook

import (
	"cmp"
	"context"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/trace"
)

// Queue is what the runner asks of the service.
type Queue interface {
	ListenHooks() (heard <-chan struct{}, done func())
	WorkHooks(ctx context.Context, done []service.HookResult, q service.HookQuery) (service.HookWork, error)
	NextHook(ctx context.Context, except []int64) (time.Time, error)
	HookHeld(ctx context.Context, h mailbox.Hook) (bool, error)
}

// RunnerOptions say how a runner works.
type RunnerOptions struct {
	Grace time.Duration // for what is in flight when the runner stops
	// Attempt is how long one takes at most, with noting it.
	Attempt time.Duration
	Look    time.Duration // between looks, when nothing is heard: another node may have left something; 0: a minute
	Log     *slog.Logger
	Now     func() time.Time
	Worker  *background.Worker // watches that rounds get somewhere; nil: nobody does
	Tracer  *trace.Tracer      // follows attempts; nil: nobody does
}

// Runner brings events to their targets. One goroutine takes what is due and notes what became of it, in transactions
// that follow each other; each post has a goroutine of its own. See the package's comment for what keeps targets from
// each other.
type Runner struct {
	queue  Queue
	poster service.HookPoster
	opt    RunnerOptions

	mu        sync.Mutex
	scheduler scheduler
	done      []service.HookResult // that the service does not know yet
	stats     Stats

	changed chan struct{} // there are results, or there is room
	posts   sync.WaitGroup
}

// Stats are counts since the start.
type Stats struct {
	Attempts, Delivered int64
	InFlight            int64
}

// NewRunner makes a runner.
func NewRunner(q Queue, p service.HookPoster, o RunnerOptions) *Runner {
	o.Worker = cmp.Or(o.Worker, &background.Worker{})
	if o.Look == 0 {
		o.Look = time.Minute
	}
	return &Runner{queue: q, poster: p, opt: o, scheduler: newScheduler(), changed: make(chan struct{}, 1)}
}

// Stats returns the counts.
func (r *Runner) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.InFlight = int64(r.scheduler.running + r.scheduler.hanging)
	return s
}

const (
	errorWait = time.Second            // after a failure of the store, at most
	fresh     = 100 * time.Millisecond // what has waited longer than that for its turn is looked at once more
)

// Run posts until ctx ends. Then nothing new is taken; what is in flight has the grace time, and what did not begin, or
// was cut off, is given back.
func (r *Runner) Run(ctx context.Context) {
	heard, done := r.queue.ListenHooks()
	defer done()
	posting, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	for ctx.Err() == nil {
		wait := time.NewTimer(r.round(ctx, posting))
		select {
		case <-heard:
		case <-r.changed:
		case <-wait.C:
		case <-ctx.Done():
		}
		wait.Stop()
	}
	r.stop(posting, cut)
}

// stop ends what is in flight and tells the service.
func (r *Runner) stop(posting context.Context, cut func()) {
	r.mu.Lock()
	for _, job := range r.scheduler.clear() {
		r.done = append(r.done, r.putBack(job))
	}
	r.mu.Unlock()
	grace := time.AfterFunc(r.opt.Grace, cut)
	defer grace.Stop()
	r.posts.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(posting), errorWait)
	defer cancel()
	if results := r.results(); len(results) > 0 {
		if _, err := r.queue.WorkHooks(last, results, service.HookQuery{}); err != nil {
			r.opt.Log.Error("note what became of webhooks", "error", err)
		}
	}
}

// round notes results and takes what there is room for, until there is no more of either, and says how long that will
// be so.
func (r *Runner) round(ctx, posting context.Context) time.Duration {
	var refused []int64
	for ctx.Err() == nil {
		results, query := r.ask(refused)
		if len(results) == 0 && query.Limit <= 0 {
			return r.opt.Look // a place that is given back is heard
		}
		work, err := r.queue.WorkHooks(ctx, results, query)
		if err != nil {
			r.keep(results)
			if ctx.Err() == nil {
				return min(r.opt.Worker.Failed("take webhooks that are due", err), errorWait)
			}
			return errorWait
		}
		if len(work.Jobs) > 0 {
			r.opt.Worker.Progress()
		}
		r.accept(posting, results, work)
		refused = append(refused, work.Refused...)
		if len(results) == 0 && len(work.Jobs) == 0 && len(work.Refused) == 0 {
			return r.untilNext(ctx, query.Except)
		}
	}
	return r.opt.Look
}

// untilNext is how long nothing is due for which there is room.
func (r *Runner) untilNext(ctx context.Context, except []int64) time.Duration {
	next, err := r.queue.NextHook(ctx, except)
	switch {
	case err != nil:
		return errorWait
	case next.IsZero():
		return r.opt.Look
	}
	due := next.Sub(r.opt.Now())
	if due <= 0 { // it was to be taken just now
		due = r.opt.Worker.NoProgress()
	}
	return min(r.opt.Look, due)
}

// ask returns the results so far, and what can be taken.
func (r *Runner) ask(refused []int64) ([]service.HookResult, service.HookQuery) {
	r.mu.Lock()
	defer r.mu.Unlock()
	results := r.done
	r.done = nil
	r.scheduler.sweep()
	r.scheduler.count()
	return results, service.HookQuery{Except: append(r.scheduler.blocked(), refused...),
		Limit: maxTaken - r.scheduler.taken,
		Room: func(t mailbox.HookTarget, taken int) int {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.scheduler.take(t, taken)
		}}
}

// keep puts results back that could not be noted.
func (r *Runner) keep(results []service.HookResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = append(results, r.done...)
}

func (r *Runner) results() []service.HookResult {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.done
}

// accept gives the places of what is noted back, and begins what was taken.
func (r *Runner) accept(posting context.Context, noted []service.HookResult, work service.HookWork) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range noted {
		r.scheduler.leave(d.Hook)
	}
	for _, target := range work.Stopped {
		r.scheduler.drop(target)
	}
	now := r.opt.Now()
	for _, job := range work.Jobs {
		r.scheduler.queue(job, now)
	}
	r.beginLocked(posting)
}

// beginLocked starts the posts for which there is room.
func (r *Runner) beginLocked(posting context.Context) {
	for {
		job, ok := r.scheduler.next()
		if !ok {
			return
		}
		r.posts.Go(func() { r.post(posting, job) })
	}
}

// post makes one attempt and leaves its result.
func (r *Runner) post(ctx context.Context, job *waitingJob) {
	late := time.AfterFunc(slowPace, func() { r.late(ctx, job) })
	defer late.Stop()
	result := r.putBack(job.HookJob)
	if r.mine(ctx, job) {
		result.Attempt = r.attempt(ctx, job.HookJob)
	}
	r.mu.Lock()
	r.scheduler.finished(job, result.Attempt)
	r.countLocked(result.Attempt)
	r.done = append(r.done, result)
	for _, back := range r.scheduler.surplus(job.Target) {
		r.done = append(r.done, r.putBack(back))
	}
	if ctx.Err() == nil {
		r.beginLocked(ctx)
	}
	r.mu.Unlock()
	r.signal()
}

// attempt makes one attempt, as a span of the message's trace.
func (r *Runner) attempt(ctx context.Context, job service.HookJob) mailbox.HookAttempt {
	ctx = r.opt.Tracer.Recall(ctx, job.Message)
	ctx, span := r.opt.Tracer.Root(ctx, "webhook attempt", trace.Client, trace.Place{})
	defer span.End()
	a := r.poster.Attempt(ctx, job)
	if span == nil {
		return a
	}
	span.Text("mailkin.email_id", job.Message.String())
	span.Text("mailkin.event", string(job.Kind))
	span.Text("mailkin.hook", job.ID.String())
	if u, err := url.Parse(job.URL); err == nil { // the rest of it may hold secrets
		span.Text("server.address", u.Host)
	}
	span.Number("http.response.status_code", int64(a.Status))
	if !a.OK() {
		span.Fail()
	}
	return a
}

// late gives the place of a post that has had no answer for long to others.
func (r *Runner) late(ctx context.Context, job *waitingJob) {
	r.mu.Lock()
	r.scheduler.late(job)
	if ctx.Err() == nil {
		r.beginLocked(ctx)
	}
	r.mu.Unlock()
	r.signal()
}

// signal says that there are results, or that there is room.
func (r *Runner) signal() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// mine tells whether a job is still to be posted: while it waited for its turn, much may have happened to it.
func (r *Runner) mine(ctx context.Context, job *waitingJob) bool {
	if r.opt.Now().Sub(job.since) <= fresh {
		return true
	}
	held, err := r.queue.HookHeld(ctx, job.Hook)
	if err != nil { // nobody can be asked: the lease is ours while it lasts
		return r.opt.Now().Add(r.opt.Attempt).Before(job.NextAt)
	}
	return held
}

// countLocked adds an attempt to the counts.
func (r *Runner) countLocked(a mailbox.HookAttempt) {
	if a.Broken {
		return
	}
	r.stats.Attempts++
	if a.OK() {
		r.stats.Delivered++
	}
}

// putBack is the result of a job that was not begun.
func (r *Runner) putBack(job service.HookJob) service.HookResult {
	return service.HookResult{Hook: slim(job.Hook), Posted: len(job.Body), Attempt: mailbox.HookAttempt{At: r.opt.Now(),
		Broken: true}}
}

// slim is a hook without what only posting needs.
func slim(h mailbox.Hook) mailbox.Hook {
	h.Body, h.Log = nil, nil
	return h
}
