package dns

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// flight is a question under way.
type flight struct {
	done   chan struct{}
	answer Answer
	gaveUp bool // who asked had no more time; the answer is not known
}

// Lookup returns the answer, at the latest when ctx ends.
func (r *Resolver) Lookup(ctx context.Context, name string, kind Type) Answer {
	a := r.look(ctx, Question{name, kind})
	if a.alias == "" {
		return a
	}
	return r.follow(ctx, a, kind)
}

// LookupAll gives the answers to several questions, asked at the same time.
func (r *Resolver) LookupAll(ctx context.Context, qs ...Question) []Answer {
	out := make([]Answer, len(qs))
	var wg sync.WaitGroup
	for i, q := range qs {
		var known bool
		if out[i], known = r.cache.get(q); !known || out[i].alias != "" {
			wg.Go(func() { out[i] = r.Lookup(ctx, q.Name, q.Type) })
		}
	}
	wg.Wait()
	return out
}

// follow asks for the aliases that a server did not follow itself.
func (r *Resolver) follow(ctx context.Context, a Answer, kind Type) Answer {
	seen := []string{}
	for a.alias != "" {
		if len(seen) == maxAliases || slices.Contains(seen, a.alias) {
			return Answer{}
		}
		seen = append(seen, a.alias)
		next := r.look(ctx, Question{a.alias, kind})
		next.TTL = min(a.TTL, next.TTL)
		next.Authentic = a.Authentic && next.Authentic
		a = next
	}
	return a
}

// look answers from memory, or by asking, without following aliases.
func (r *Resolver) look(ctx context.Context, q Question) Answer {
	if !IsName(q.Name) {
		return Answer{Outcome: NoName}
	}
	for {
		if a, ok := r.cache.get(q); ok {
			return a
		}
		if ctx.Err() != nil {
			return Answer{}
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

// board joins the flight of a question, or starts one.
func (r *Resolver) board(q Question) (f *flight, mine bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.flights[q]; f != nil {
		return f, false
	}
	f = &flight{done: make(chan struct{})}
	r.flights[q] = f
	return f, true
}

func (r *Resolver) fly(ctx context.Context, q Question, f *flight) {
	defer func() {
		r.mu.Lock()
		delete(r.flights, q)
		r.mu.Unlock()
		close(f.done)
	}()
	if !r.breaker.allow(ctx) {
		f.gaveUp = ctx.Err() != nil
		return
	}
	start := time.Now()
	a, err := r.asker.Ask(ctx, q)
	switch {
	case err == nil:
		r.breaker.answered()
		f.answer = a
		r.cache.put(q, a, keep(a))
	case errors.Is(ctx.Err(), context.Canceled) || ctx.Err() != nil && time.Since(start) < r.fair:
		// Not remembered: a mail whose time was nearly over says nothing about the name, and could be made so by
		// an attacker who wants that name to fail for others.
		f.gaveUp = true
	default:
		r.breaker.silent()
		r.cache.put(q, Answer{}, failureTTL)
	}
}

// keep is how long an answer is remembered.
func keep(a Answer) time.Duration {
	if a.Outcome == Found {
		return min(a.TTL, maxTTL)
	}
	return failureTTL
}
