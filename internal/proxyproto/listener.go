package proxyproto

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
)

// warnEvery bounds how often a refused connection is logged: a wrong setting refuses every one of them.
const warnEvery = time.Minute

// Listener returns the connections of another listener with the clients that their headers name.
type Listener struct {
	inner   net.Listener
	trusted []netip.Prefix
	waiting *Pending
	log     *slog.Logger

	start   sync.Once
	loops   sync.WaitGroup
	ready   chan accepted
	closing chan struct{}

	mu      sync.Mutex
	closed  bool
	pending map[net.Conn]struct{}
	warned  time.Time
}

type accepted struct {
	conn net.Conn
	err  error
}

// Listen wraps l. Connections from the trusted networks must begin with a header, and waiting counts them until then;
// others are taken as they are.
func Listen(l net.Listener, trusted []netip.Prefix, waiting *Pending, log *slog.Logger) *Listener {
	return &Listener{
		inner: l, trusted: trusted, waiting: waiting, log: log,
		ready: make(chan accepted), closing: make(chan struct{}), pending: map[net.Conn]struct{}{},
	}
}

// Addr is where it listens.
func (l *Listener) Addr() net.Addr { return l.inner.Addr() }

// Accept returns the next connection. Errors are those of the wrapped listener, and net.ErrClosed after Close.
func (l *Listener) Accept() (net.Conn, error) {
	l.start.Do(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.closed {
			l.loops.Go(l.accept)
		}
	})
	select {
	case a := <-l.ready:
		return a.conn, a.err
	case <-l.closing:
		return nil, net.ErrClosed
	}
}

// Close ends the listener and every connection that nobody has been given yet.
func (l *Listener) Close() error {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.closing)
	}
	for c := range l.pending {
		_ = c.Close()
	}
	l.mu.Unlock()
	err := l.inner.Close()
	l.loops.Wait()
	return err
}

// accept takes connections and passes each to the goroutine that handles it.
func (l *Listener) accept() {
	for {
		c, err := l.inner.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			l.hand(accepted{err: err})
			return
		case err != nil:
			if !l.hand(accepted{err: err}) { // who gets it decides how long to wait
				return
			}
		case !l.trusts(c):
			l.hand(accepted{conn: c})
		case !l.expect(c):
			return
		}
	}
}

func (l *Listener) trusts(c net.Conn) bool {
	peer := peerAddr(c)
	for _, n := range l.trusted {
		if n.Contains(peer) {
			return true
		}
	}
	return false
}

// expect reads the header of a connection while others go on.
func (l *Listener) expect(c net.Conn) bool {
	if !l.note(c) {
		_ = c.Close()
		return false
	}
	n := l.waiting.add(c)
	l.loops.Go(func() {
		opened, err := open(c)
		l.forget(c)
		if err == nil {
			l.hand(accepted{conn: opened})
		}
		if l.waiting.remove(n) {
			err = errEvicted
		}
		if err != nil {
			_ = c.Close()
			l.refused(c, err)
		}
	})
	return true
}

func (l *Listener) note(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.pending[c] = struct{}{}
	}
	return !l.closed
}

func (l *Listener) forget(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pending, c)
}

// hand returns a connection or an error to Accept, unless nobody will ask any more.
func (l *Listener) hand(a accepted) bool {
	select {
	case l.ready <- a:
		return true
	case <-l.closing:
		if a.conn != nil {
			_ = a.conn.Close()
		}
		return false
	}
}

// refused tells that a proxy does not do what the settings say of it; but not of each connection.
func (l *Listener) refused(c net.Conn, err error) {
	l.mu.Lock()
	quiet := l.closed || !l.warned.IsZero() && time.Since(l.warned) < warnEvery
	if !quiet {
		l.warned = time.Now()
	}
	l.mu.Unlock()
	if !quiet {
		l.log.Warn("refused a connection from a trusted proxy", "proxy", c.RemoteAddr().String(),
			"listener", l.Addr().String(), "error", err)
	}
}
