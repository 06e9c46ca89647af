package parked

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"
)

// watcher notices when a client hangs up.
type watcher struct {
	conn  net.Conn
	ended chan struct{}
	first [1]byte // of what the client sends before its answer
	came  int     // how much of it
	err   error
}

// watch calls gone as soon as the client hangs up, unless it sends something first.
func watch(c net.Conn, gone context.CancelFunc) *watcher {
	w := &watcher{conn: c, ended: make(chan struct{})}
	go w.run(gone)
	return w
}

func (w *watcher) run(gone context.CancelFunc) {
	defer close(w.ended)
	if w.came, w.err = w.conn.Read(w.first[:]); w.err != nil {
		gone() // or it is over
	}
}

var longPast = time.Unix(1, 0)

// end stops watching. It returns what the client has sent meanwhile, and whether it is still there.
func (w *watcher) end() (came []byte, alive bool) {
	_ = w.conn.SetReadDeadline(longPast)
	<-w.ended
	return w.first[:w.came], w.err == nil || errors.Is(w.err, os.ErrDeadlineExceeded)
}

// returned is a connection that goes back to net/http.
type returned struct {
	net.Conn
	came []byte // of its next request
}

// unwrap returns the connection that was returned before, if it was, and all that has come and was not yet read.
func unwrap(c net.Conn, came []byte) (net.Conn, []byte) {
	came = bytes.Clone(came)
	if r, ok := c.(*returned); ok {
		return r.Conn, append(came, r.came...)
	}
	return c, came
}

func (r *returned) Read(p []byte) (int, error) {
	if len(r.came) == 0 {
		return r.Conn.Read(p)
	}
	n := copy(p, r.came)
	if r.came = r.came[n:]; len(r.came) == 0 {
		r.came = nil
	}
	return n, nil
}

// NetConn is the connection below, as a *tls.Conn has it.
func (r *returned) NetConn() net.Conn {
	if outer, ok := r.Conn.(interface{ NetConn() net.Conn }); ok {
		return outer.NetConn()
	}
	return r.Conn
}

// CloseWrite lets the client read the answer before the connection is closed.
func (r *returned) CloseWrite() error {
	if half, ok := r.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// comeBack is the listener on which connections go back.
type comeBack struct{ lot *Lot }

func (b comeBack) Accept() (net.Conn, error) {
	select {
	case c := <-b.lot.back:
		return c, nil
	case <-b.lot.stopped:
		return nil, http.ErrServerClosed
	}
}

func (b comeBack) Close() error {
	b.lot.stop()
	return nil
}

func (b comeBack) Addr() net.Addr { return &net.UnixAddr{Name: "parked", Net: "unix"} }
