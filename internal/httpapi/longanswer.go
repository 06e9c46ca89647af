package httpapi

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	longAnswer = 32 << 10    // bytes for which the system may have no buffer: a client can hold such an answer up
	stopStall  = time.Second // how long a client may take or send nothing while the server stops
)

// longAnswers are the answers that clients may be slow to take. They must not hold up the end of the server: a client
// that is cut off asks again. Nil knows none.
type longAnswers struct {
	mu   sync.Mutex
	open map[*response]struct{}
	from map[*response]struct{}    // whose bodies are being waited for
	end  atomic.Pointer[time.Time] // when all must be taken, because the server stops; nil: it does not
	held heldAnswers
}

// Stop has clients take their answers and send their bodies within that time, and without a pause.
func (a *API) Stop(within time.Duration) {
	l, end := &a.answers, time.Now().Add(within)
	l.end.Store(&end)
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.open {
		_ = w.control.SetWriteDeadline(l.sooner(end)) // as in awaitReader
	}
	for w := range l.from {
		_ = w.control.SetReadDeadline(l.sooner(end)) // as in awaitBody
	}
}

// await remembers that more of a body is waited for. Only then may Stop set a deadline: one that passes later would end
// a request that is there.
func (l *longAnswers) await(w *response) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.from == nil {
		l.from = make(map[*response]struct{})
	}
	l.from[w] = struct{}{}
}

// came ends what await began, and tells whether the server stops.
func (l *longAnswers) came(w *response) (stops bool) {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.from, w)
	return l.end.Load() != nil
}

// add remembers a long answer until its handler returns.
func (l *longAnswers) add(w *response) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.addLocked(w)
}

func (l *longAnswers) addLocked(w *response) {
	if l.open == nil {
		l.open = make(map[*response]struct{})
	}
	l.open[w], w.long = struct{}{}, true
}

// remove forgets an answer: its handler is about to return.
func (l *longAnswers) remove(w *response) {
	if !w.long {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, w)
	if w.held > 0 {
		l.releaseLocked(w)
	}
}

// sooner is a deadline, or the one that there is while the server stops.
func (l *longAnswers) sooner(deadline time.Time) time.Time {
	if l == nil || l.end.Load() == nil {
		return deadline
	}
	for _, other := range []time.Time{*l.end.Load(), time.Now().Add(stopStall)} {
		if other.Before(deadline) {
			deadline = other
		}
	}
	return deadline
}
