package smtpd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

const (
	bulkSize  = 64 << 10 // the buffer that is borrowed while a message comes in
	flushSize = 4 << 10  // replies to a pipelining client are sent when there are this many bytes of them

	// For the last words, and for the client to read them.
	farewellTimeout = 5 * time.Second
	lingerTimeout   = time.Second

	stopStall = time.Second // how long a client may send nothing of a message while the server stops
)

var (
	errStopping = errors.New("server is shutting down")
	errLost     = errors.New("connection lost")
)

// wire is a connection with its buffers and deadlines. An idle one holds lineMax bytes; the large buffer comes from
// the server's pool and goes back when the session waits for a command again.
type wire struct {
	raw   net.Conn // as accepted; deadlines are set here
	conn  net.Conn // raw, or TLS over it
	in    input
	small [lineMax]byte
	bulk  *[bulkSize]byte
	bulks *sync.Pool
	out   []byte // replies not sent yet

	commandTimeout, dataTimeout, writeTimeout time.Duration

	end time.Time // no read goes on after it

	mu      sync.Mutex
	stopped bool      // Shutdown has begun
	idle    bool      // waiting for a command: Shutdown may interrupt
	taking  bool      // waiting for more of a message: Shutdown may shorten that
	cut     time.Time // when messages must be here because of Shutdown; zero: whenever
}

func newWire(s *Server, conn net.Conn) *wire {
	w := &wire{
		raw: conn, conn: conn, bulks: &s.bulks,
		commandTimeout: s.cfg.CommandTimeout, dataTimeout: s.cfg.DataTimeout, writeTimeout: s.cfg.CommandTimeout,
		end: time.Now().Add(s.cfg.SessionTimeout),
	}
	w.in.buf = w.small[:]
	return w
}

// interrupt is Shutdown's: a read that waits for a command ends now, and no other begins. What is being sent of a
// message must be here at a moment, if there is one, and come without a pause.
func (w *wire) interrupt(cut time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped, w.cut = true, cut
	switch {
	case w.idle:
		_ = w.raw.SetReadDeadline(time.Unix(1, 0))
	case w.taking && !cut.IsZero():
		_ = w.raw.SetReadDeadline(w.sooner(cut))
	}
}

// sooner is a deadline for more of a message, or the one that there is because of Shutdown. It needs the lock.
func (w *wire) sooner(deadline time.Time) time.Time {
	if w.cut.IsZero() {
		return deadline
	}
	for _, other := range []time.Time{w.cut, time.Now().Add(stopStall)} {
		if other.Before(deadline) {
			deadline = other
		}
	}
	return deadline
}

func (w *wire) isStopped() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped
}

// awaitInput sets the deadline for a wait that Shutdown may interrupt. Both take the lock, so a Shutdown either sees
// idle or is seen here.
func (w *wire) awaitInput(timeout time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return errStopping
	}
	w.idle = true
	return w.raw.SetReadDeadline(w.until(timeout))
}

// wake ends what rest began. The error of an interrupted wait becomes errStopping.
func (w *wire) wake(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = false
	if err != nil && w.stopped {
		return errStopping
	}
	return err
}

func (w *wire) until(timeout time.Duration) time.Time {
	t := time.Now().Add(timeout)
	if t.After(w.end) {
		return w.end
	}
	return t
}

// awaitCommand waits for more of a command. In the middle of a message (finish) Shutdown does not interrupt it.
func (w *wire) awaitCommand(finish bool) error {
	if err := w.flush(); err != nil {
		return err
	}
	w.giveBack()
	if finish {
		return w.read(w.commandTimeout)
	}
	if err := w.awaitInput(w.commandTimeout); err != nil {
		return err
	}
	return w.wake(w.in.more(w.conn))
}

// awaitData waits for more of a message.
func (w *wire) awaitData() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.read(w.dataTimeout)
}

func (w *wire) read(timeout time.Duration) error {
	if err := w.take(timeout); err != nil {
		return err
	}
	err := w.in.more(w.conn)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taking = false
	if errors.Is(err, os.ErrDeadlineExceeded) && !w.cut.IsZero() {
		return errStopping
	}
	return err
}

// take sets the deadline for a wait that Shutdown may shorten, as rest does for one that it may interrupt.
func (w *wire) take(timeout time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taking = true
	return w.raw.SetReadDeadline(w.sooner(w.until(timeout)))
}

// borrow takes a large buffer for a message.
func (w *wire) borrow() {
	if w.bulk == nil {
		w.bulk = w.bulks.Get().(*[bulkSize]byte)
		w.in.move(w.bulk[:])
	}
}

// giveBack returns it, unless too many pipelined commands are still in it.
func (w *wire) giveBack() {
	if w.bulk != nil && w.in.len() <= len(w.small) {
		w.in.move(w.small[:])
		w.bulks.Put(w.bulk)
		w.bulk = nil
	}
}

// say puts a reply behind those that wait. They are sent together when the session has to wait for input
// (RFC 2920 3.2).
func (w *wire) say(r reply) { w.out = r.appendTo(w.out) }

// sayLines puts a reply of several lines there (RFC 5321 4.2.1).
func (w *wire) sayLines(code int, lines []string) {
	for i, line := range lines {
		sep := "-"
		if i == len(lines)-1 {
			sep = " "
		}
		w.out = fmt.Appendf(w.out, "%d%s%s\r\n", code, sep, line)
	}
}

func (w *wire) flush() error {
	if len(w.out) == 0 {
		return nil
	}
	if err := w.raw.SetWriteDeadline(time.Now().Add(w.writeTimeout)); err != nil {
		return err
	}
	_, err := w.conn.Write(w.out)
	w.out = w.out[:0]
	return err
}

// secure does the TLS handshake.
func (w *wire) secure(ctx context.Context, cfg *tls.Config) error {
	if err := w.awaitInput(handshakeTimeout); err != nil {
		return err
	}
	if err := w.raw.SetWriteDeadline(w.until(handshakeTimeout)); err != nil {
		return err
	}
	conn := tls.Server(w.raw, cfg)
	if err := w.wake(conn.HandshakeContext(ctx)); err != nil {
		return err
	}
	w.conn = conn
	return nil
}

// close ends the connection. With linger the client may still be sending, and closing at once would reset the
// connection and might take the last reply from it; so what it sends is read and dropped for a moment.
func (w *wire) close(linger bool) {
	if half, ok := w.raw.(interface{ CloseWrite() error }); ok && linger && half.CloseWrite() == nil {
		_ = w.raw.SetReadDeadline(time.Now().Add(lingerTimeout))
		_, _ = io.CopyN(io.Discard, w.raw, 1<<20)
	}
	_ = w.conn.Close()
	w.in.skip(w.in.len())
	w.giveBack()
}
