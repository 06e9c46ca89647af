package service

import (
	"context"
	"maps"
	"sync"
	"time"
)

const (
	// reportRest is for how many times as long as a report took it is answered again: one that reads all mailboxes
	// takes a twentieth of the time at most, however many there are and however often somebody asks.
	reportRest = 20
	// reportShort is how long a report takes that is made for each question.
	reportShort = 250 * time.Millisecond
)

// reports keeps the last answers about all mailboxes to each question that took long. Its zero value is ready to use.
type reports[Q comparable, T any] struct {
	making keyedMutex // one at a time
	mu     sync.Mutex
	last   map[Q]keptReport[T]
}

type keptReport[T any] struct {
	answer T
	until  time.Time
}

// of answers a question. fresh makes the answer, and says whether it may be given again.
func (r *reports[Q, T]) of(ctx context.Context, now func() time.Time, q Q, fresh func() (T, bool, error)) (T, error) {
	if kept, ok := r.kept(q, now()); ok {
		return kept, nil
	}
	unlock, err := r.making.lock(ctx, "")
	if err != nil {
		var none T
		return none, fail(err)
	}
	defer unlock()
	began := now()
	if kept, ok := r.kept(q, began); ok {
		return kept, nil
	}
	answer, again, err := fresh()
	if took := now().Sub(began); err == nil && again && took >= reportShort {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.last[q] = keptReport[T]{answer, now().Add(reportRest * took)}
	}
	return answer, err
}

func (r *reports[Q, T]) kept(q Q, now time.Time) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil {
		r.last = make(map[Q]keptReport[T])
	}
	maps.DeleteFunc(r.last, func(_ Q, one keptReport[T]) bool { return !now.Before(one.until) })
	one, ok := r.last[q]
	return one.answer, ok
}
