package outbound

import (
	"context"
	"runtime/debug"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/trace"
)

// work sends the jobs of a queue, one after the other, over one connection as long as that holds.
func (r *Runner) work(ctx context.Context, l *destinationQueue, job service.Job) {
	var conn Conn
	defer func() {
		if conn != nil {
			conn.Close()
		}
	}()
	for more := true; more; job, more = r.next(ctx, l, conn != nil && ctx.Err() == nil) {
		if conn != nil && !conn.Alive() {
			conn.Close()
			conn = nil
		}
		var gone bool
		if conn, gone = r.deliver(ctx, l, conn, job); gone {
			return
		}
	}
}

// deliver sends one job, on a connection that is there or a new one, and returns the connection for the next. gone says
// that no connection could be had, and that the worker has left its queue.
func (r *Runner) deliver(ctx context.Context, l *destinationQueue, conn Conn, job service.Job) (_ Conn, gone bool) {
	ctx = r.opt.Tracer.Recall(ctx, job.Message)
	ctx, span := r.opt.Tracer.Root(ctx, "delivery attempt", trace.Client, trace.Place{})
	defer span.End()
	if span != nil {
		span.Text("mailkin.email_id", job.Message.String())
		span.Text("mailkin.destination", l.key)
	}
	if l.key == insideQueue {
		r.finish(ctx, job, r.inside(ctx, job))
		r.done(l, job)
		return nil, false
	}
	reused := conn != nil
	for {
		if conn == nil {
			var failed *mailbox.Attempt
			if conn, failed = r.open(ctx, job); failed != nil {
				return nil, r.noConnection(ctx, l, job, *failed)
			}
			r.reached(l)
		}
		a, sound := r.send(ctx, conn, job)
		if !sound {
			conn.Close()
			r.finish(ctx, job, a)
			r.done(l, job)
			return nil, false
		}
		if reused && a.Outcome == mailbox.Deferred && !a.Begun && !conn.Alive() && ctx.Err() == nil {
			// The other side ends a connection that was idle, or that has carried enough: that says nothing about this
			// mail.
			conn.Close()
			conn, reused = nil, false
			continue
		}
		if a.Outcome == mailbox.Deferred && !a.Begun && ctx.Err() != nil {
			a = mailbox.Attempt{Outcome: mailbox.Put} // it was cut off because we stop
		}
		r.finish(ctx, job, a)
		r.afterwards(ctx, conn, job, a)
		r.done(l, job)
		return conn, false
	}
}

// noConnection settles a job for which there is no connection, and says whether the worker has left.
func (r *Runner) noConnection(ctx context.Context, l *destinationQueue, job service.Job,
	failed mailbox.Attempt) (gone bool) {
	if failed.Outcome == mailbox.Refused || failed.Outcome == mailbox.Impossible || failed.Outcome == mailbox.Put {
		r.finish(ctx, job, failed) // the destination has answered: no mail is taken there; or it was not asked
		r.done(l, job)
		return false
	}
	if ctx.Err() != nil {
		failed = mailbox.Attempt{Outcome: mailbox.Put}
	}
	if a := r.unreachable(ctx, l, job, failed); a != nil {
		r.finish(ctx, job, *a)
		r.done(l, job)
	}
	return true
}

// A panic costs a delivery its attempt, and nothing else.

// inside delivers to a mailbox of ours.
func (r *Runner) inside(ctx context.Context, job service.Job) (a mailbox.Attempt) {
	defer r.recovered(func() { a = broken })
	return r.queue.DeliverInside(ctx, job.Delivery)
}

// open makes a connection.
func (r *Runner) open(ctx context.Context, job service.Job) (conn Conn, failed *mailbox.Attempt) {
	defer r.recovered(func() { conn, failed = nil, &broken })
	return r.carrier.Open(ctx, job.Delivery)
}

var broken = mailbox.Attempt{Outcome: mailbox.Deferred, Code: 451, Text: "4.3.0 An internal error; it will be " +
	"tried again"}

func (r *Runner) recovered(then func()) {
	if p := recover(); p != nil {
		r.opt.Log.Error("panic in a delivery", "panic", p, "stack", string(debug.Stack()))
		then()
	}
}

// send sends one mail. After a panic the connection is not sound, and nobody knows what the other server has.
func (r *Runner) send(ctx context.Context, conn Conn, job service.Job) (a mailbox.Attempt, sound bool) {
	defer r.recovered(func() { a, sound = mailbox.Attempt{Outcome: mailbox.Lost, Text: broken.Text}, false })
	return conn.Send(ctx, job), true
}

// afterwards passes on what a connection has to say on a delivery that is finished.
func (r *Runner) afterwards(ctx context.Context, conn Conn, job service.Job, a mailbox.Attempt) {
	later, ok := conn.(afterthought)
	if !ok || a.Outcome != mailbox.Accepted {
		return
	}
	if w := later.After(job); w != nil {
		if err := r.queue.HearLater(ctx, job.Delivery, *w); err != nil {
			r.opt.Log.Error("note what was said of a delivery", "error", err)
		}
	}
}
