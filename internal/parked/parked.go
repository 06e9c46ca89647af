// Package parked serves requests that wait for long. For each of them net/http keeps buffers of 10 KB, a stack that has
// grown, and a goroutine that reads. Here a connection whose request is going to wait is taken from net/http, and the
// same handler answers it on a goroutine of its own. The connection goes back to net/http when its next request comes.
// It is for HTTP/1.1 without TLS: other requests are answered where they are.
package parked

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Counter counts connections.
type Counter interface {
	// Keep goes on to count a connection that was taken from net/http.
	Keep(c net.Conn)
	// State is told of such connections what net/http tells of others.
	State(c net.Conn, state http.ConnState)
}

// Lot is where requests wait.
type Lot struct {
	waits func(*http.Request) bool
	conns Counter
	log   *slog.Logger
	idle  time.Duration // how long a connection may be without a request

	back    chan net.Conn // connections on which the next request has begun to come
	stopped chan struct{} // closed when no more are taken back
	stop    func()

	mu    sync.Mutex
	count int // connections that are here or about to be
	held  map[net.Conn]struct{}
	empty chan struct{} // closed when there are none any more; nil: nobody waits for that
}

// New makes a lot. waits tells which requests may wait for long, of those that have no body.
func New(waits func(*http.Request) bool, conns Counter, idle time.Duration, log *slog.Logger) *Lot {
	l := &Lot{waits: waits, conns: conns, log: log, idle: idle, back: make(chan net.Conn),
		stopped: make(chan struct{}), held: make(map[net.Conn]struct{})}
	l.stop = sync.OnceFunc(func() { close(l.stopped) })
	return l
}

// Handler has next answer every request, those that wait apart from net/http.
func (l *Lot) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.ContentLength != 0 || !l.waits(r) || !l.take(w, r, next) {
			next.ServeHTTP(w, r)
		}
	})
}

// take takes the connection of a request from net/http, and tells whether it could.
func (l *Lot) take(w http.ResponseWriter, r *http.Request, next http.Handler) bool {
	if r.ProtoMajor != 1 || r.ProtoMinor != 1 || r.TLS != nil || r.Header["Upgrade"] != nil {
		return false
	}
	l.mu.Lock()
	l.count++ // before net/http forgets it
	l.mu.Unlock()
	c, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		l.leave(nil)
		return false
	}
	came, _ := rw.Reader.Peek(rw.Reader.Buffered()) // there are as many
	c, came = unwrap(c, came)
	l.conns.Keep(c)
	l.mu.Lock()
	l.held[c] = struct{}{}
	l.mu.Unlock()
	go l.serve(c, came, r, next)
	return true
}

// serve answers a request.
func (l *Lot) serve(c net.Conn, came []byte, r *http.Request, next http.Handler) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := &answer{conn: c, header: http.Header{}, last: r.Close}
	w := watch(c, cancel)
	whole := l.answer(a, r.WithContext(ctx), next)
	more, alive := w.end()
	if !whole || !alive || a.last {
		l.close(c)
		return
	}
	go l.rest(c, append(came, more...)) // on a stack that has not grown
}

// answer tells whether the answer was written to its end.
func (l *Lot) answer(a *answer, r *http.Request, next http.Handler) (whole bool) {
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			l.log.Error("panic in a request that waits", "panic", p)
		}
	}()
	next.ServeHTTP(a, r)
	return a.finish() == nil
}

// rest waits for the connection's next request, and gives the connection back with it.
func (l *Lot) rest(c net.Conn, came []byte) {
	if len(came) == 0 {
		came = make([]byte, 1)
		_ = c.SetDeadline(time.Now().Add(l.idle)) // which also Read would report
		l.conns.State(c, http.StateIdle)
		if l.isStopped() {
			l.close(c)
			return
		}
		if _, err := c.Read(came); err != nil {
			l.close(c)
			return
		}
	}
	_ = c.SetDeadline(time.Time{}) // as above
	l.conns.State(c, http.StateActive)
	select {
	case l.back <- &returned{Conn: c, came: came}:
		l.leave(c)
	case <-l.stopped:
		l.close(c)
	}
}

func (l *Lot) isStopped() bool {
	select {
	case <-l.stopped:
		return true
	default:
		return false
	}
}

func (l *Lot) close(c net.Conn) {
	_ = c.Close() // nobody is left to tell
	l.conns.State(c, http.StateClosed)
	l.leave(c)
}

func (l *Lot) leave(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held, c)
	if l.count--; l.count == 0 && l.empty != nil {
		close(l.empty)
		l.empty = nil
	}
}

// Serve has a server serve a listener, and the connections that go back to it, until the listener ends.
func (l *Lot) Serve(srv *http.Server, from net.Listener) error {
	var others sync.WaitGroup
	defer others.Wait()
	defer l.stop()
	others.Go(func() { _ = srv.Serve(comeBack{l}) }) // which has no errors of its own
	return srv.Serve(from)
}

// Shutdown waits until all that wait are answered. What is left when ctx ends is cut off.
func (l *Lot) Shutdown(ctx context.Context) error {
	l.mu.Lock()
	empty := l.empty
	if empty == nil {
		if empty = make(chan struct{}); l.count > 0 {
			l.empty = empty
		} else {
			close(empty)
		}
	}
	l.mu.Unlock()
	select {
	case <-empty:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.held {
		_ = c.Close() // as in close
	}
	return ctx.Err()
}
