package sender

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// asker asks the network. It gives errSilent, or what stopped it, where there was no answer at all.
type asker interface {
	ask(ctx context.Context, q question) (answer, error)
}

// resolver answers questions from memory, or else by asking.
type resolver struct {
	asker asker
	cache *cache
	rest  *rest
	fair  time.Duration // how long a resolver must have been silent to be blamed

	mu      sync.Mutex
	flights map[question]*flight
}

// flight is a question under way.
type flight struct {
	done   chan struct{}
	answer answer
	gaveUp bool // who asked had no more time; the answer is not known
}

func newResolver(a asker, o Options) *resolver {
	r := &resolver{
		asker:   a,
		cache:   newCache(cacheBytes, o.Now),
		fair:    o.Timeout / 2,
		flights: make(map[question]*flight),
	}
	r.rest = &rest{now: o.Now, log: o.Log, probe: func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, o.Timeout/4)
		defer cancel()
		// Every resolver knows the root's servers; one that serves a zone of its own says so at once.
		_, err := a.ask(ctx, question{".", dnsmessage.TypeNS})
		return err
	}}
	return r
}

// lookup gives the answer, at the latest when ctx ends. It does not fail: an answer that cannot be had has the outcome failed.
func (r *resolver) lookup(ctx context.Context, q question) answer {
	if !isQueryable(q.name) {
		return answer{outcome: noName}
	}
	for {
		if a, ok := r.cache.get(q); ok {
			return a
		}
		if ctx.Err() != nil {
			return answer{}
		}
		f, mine := r.board(q)
		if mine {
			r.fly(ctx, q, f)
			return f.answer
		}
		select {
		case <-f.done:
			if !f.gaveUp {
				return f.answer
			}
		case <-ctx.Done():
		}
	}
}

// lookupAll gives the answers to several questions, asked at the same time.
func (r *resolver) lookupAll(ctx context.Context, qs ...question) []answer {
	out := make([]answer, len(qs))
	var wg sync.WaitGroup
	for i, q := range qs {
		var known bool
		if out[i], known = r.cache.get(q); !known {
			wg.Go(func() { out[i] = r.lookup(ctx, q) })
		}
	}
	wg.Wait()
	return out
}

// board joins the flight of a question, or starts one.
func (r *resolver) board(q question) (f *flight, mine bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.flights[q]; f != nil {
		return f, false
	}
	f = &flight{done: make(chan struct{})}
	r.flights[q] = f
	return f, true
}

func (r *resolver) fly(ctx context.Context, q question, f *flight) {
	defer func() {
		r.mu.Lock()
		delete(r.flights, q)
		r.mu.Unlock()
		close(f.done)
	}()
	if !r.rest.allow(ctx) {
		f.gaveUp = ctx.Err() != nil
		return
	}
	start := time.Now()
	a, err := r.asker.ask(ctx, q)
	switch {
	case err == nil:
		r.rest.answered()
		f.answer = a
		r.cache.put(q, a, keep(a))
	case errors.Is(ctx.Err(), context.Canceled) || ctx.Err() != nil && time.Since(start) < r.fair:
		// Not remembered: a mail whose time was nearly over says nothing about the name, and could be made to be so by whoever
		// wants that name to fail for others.
		f.gaveUp = true
	default:
		r.rest.silent()
		r.cache.put(q, answer{}, failureTTL)
	}
}

// keep is how long an answer is remembered.
func keep(a answer) time.Duration {
	if a.outcome == found {
		return min(a.ttl, maxTTL)
	}
	return failureTTL
}
