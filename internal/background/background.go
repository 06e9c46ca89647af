// Package background keeps workers that run by themselves from running in circles. A round that found work and got
// nothing done, because it failed or because the same work is there again, is counted and logged once, and the worker
// waits longer after each such round in a row.
package background

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"
)

const (
	// minBackoff is the wait after the first round without progress; it doubles with each one that follows, to
	// maxBackoff.
	minBackoff = 50 * time.Millisecond
	maxBackoff = time.Minute
	// logAfter is how many rounds in a row may get nothing done before that is logged: one of them may be a race with
	// somebody who did the same work. A failure is logged at once.
	logAfter = 3
)

// Worker watches one background worker. Its zero value is ready to use, and logs nothing.
type Worker struct {
	name string
	log  *slog.Logger

	mu     sync.Mutex
	streak int // rounds in a row without progress
	logged bool
	last   any // what the last round found
	total  int64
	ended  time.Time // when the last round ended that did all there was; zero: none has
}

// Finished is Progress for a round that did all there was to do.
func (w *Worker) Finished() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress()
	w.last, w.ended = nil, time.Now()
}

// Progress notes that a round got something done, or found nothing to do.
func (w *Worker) Progress() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress()
	w.last = nil
}

func (w *Worker) progress() {
	if w.logged {
		w.tell(slog.LevelInfo, "background work goes on")
	}
	w.streak, w.logged = 0, false
}

// NoProgress notes that a round did its work and that the work is still there. It returns how long to wait before the
// next round. The attributes say what work that is.
func (w *Worker) NoProgress(attrs ...any) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stuck(slog.LevelWarn, "background work makes no progress", logAfter, attrs)
}

// Failed notes that a round failed. It returns how long to wait before the next.
func (w *Worker) Failed(doing string, err error) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = nil // the same work is done again
	return w.stuck(slog.LevelError, doing, 1, []any{"error", err})
}

// Found notes what work a round begins with; what identifies it, and is comparable. The same as in the round before
// means that one made no progress: then it returns how long to wait before the work is done again, otherwise 0.
func (w *Worker) Found(what any, attrs ...any) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.last
	if w.last = what; was == what {
		return w.stuck(slog.LevelWarn, "background work makes no progress", logAfter, attrs)
	}
	if was != nil {
		w.progress()
	}
	return 0
}

// stuck counts a round without progress. The caller holds mu.
func (w *Worker) stuck(level slog.Level, text string, after int, attrs []any) time.Duration {
	wait := min(minBackoff<<min(w.streak, 20), maxBackoff)
	w.streak++
	w.total++
	if !w.logged && w.streak >= after {
		w.logged = true
		w.tell(level, text, attrs...)
	}
	return wait
}

func (w *Worker) tell(level slog.Level, text string, attrs ...any) {
	if w.log != nil {
		w.log.Log(context.Background(), level, text, append([]any{"worker", w.name}, attrs...)...)
	}
}

// Total counts the rounds without progress.
func (w *Worker) Total() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total
}

// Workers are the background workers of a process. A nil *Workers has none, and gives out workers all the same.
type Workers struct {
	log *slog.Logger

	mu  sync.Mutex
	all map[string]*Worker
}

// New returns an empty set. Its workers log to log.
func New(log *slog.Logger) *Workers { return &Workers{log: log, all: make(map[string]*Worker)} }

// Worker returns the worker of a name, a new one where there is none.
func (s *Workers) Worker(name string) *Worker {
	if s == nil {
		return &Worker{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[name] == nil {
		s.all[name] = &Worker{name: name, log: s.log}
	}
	return s.all[name]
}

// Add names a worker that somebody else has, and counts it with the others.
func (s *Workers) Add(name string, w *Worker) {
	w.mu.Lock()
	w.name, w.log = name, s.log
	w.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[name] = w
}

// NoProgress counts the rounds without progress, by the names of the workers.
func (s *Workers) NoProgress() map[string]int64 {
	s.mu.Lock()
	all := maps.Clone(s.all)
	s.mu.Unlock()
	counts := make(map[string]int64, len(all))
	for name, w := range all {
		counts[name] = w.Total()
	}
	return counts
}

// Finished tells when the workers that report it have last done all there was to do.
func (s *Workers) Finished() map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	times := make(map[string]time.Time)
	for name, w := range s.all {
		w.mu.Lock()
		if !w.ended.IsZero() {
			times[name] = w.ended
		}
		w.mu.Unlock()
	}
	return times
}

// Sleep waits; false: ctx ended first.
func Sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
