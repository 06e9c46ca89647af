package smtpd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Backend decides. Its errors are *mailbox.Error, or anything else, which the client sees as 451 4.3.0 with a fixed
// text.
type Backend interface {
	// Recipient returns the recipient that address means, if mail for it is taken now, else why not.
	Recipient(ctx context.Context, address string) (mailbox.Recipient, error)

	// Receive reads message to its end and returns when every copy is durable: one Receipt for each of
	// env.Recipients, in their order. An error means that nothing was stored for anyone. It may return an error before
	// it has read everything.
	Receive(ctx context.Context, env mailbox.Envelope, message io.Reader) ([]mailbox.Receipt, error)

	// Rejected is told of what was refused at RCPT or DATA. It does not block.
	Rejected(r mailbox.Reject)
}

// ErrServerClosed is what Serve returns after Shutdown.
var ErrServerClosed = errors.New("smtpd: server closed")

// forceGrace is how long Shutdown waits for sessions whose connection it has closed and whose Backend call it has
// cancelled.
const forceGrace = 5 * time.Second

// Server takes mail on any number of listeners.
type Server struct {
	cfg     Config
	tls     *tls.Config
	backend Backend   // nil with a submitter
	bulks   sync.Pool // of *[bulkSize]byte
	count   counters

	submitter Submitter // nil: this is for mail that comes in

	stopping chan struct{} // closed by Shutdown
	drained  chan struct{} // closed when stopping and no session is left

	mu        sync.Mutex
	listeners map[net.Listener]struct{}
	sessions  map[*session]context.CancelFunc
	perAddr   map[netip.Prefix]int
}

// New makes a server. It starts nothing: Serve does.
func New(cfg Config, b Backend) *Server {
	cfg = cfg.withDefaults()
	return &Server{
		cfg: cfg, tls: serverTLS(cfg.TLS), backend: b,
		bulks:     sync.Pool{New: func() any { return new([bulkSize]byte) }},
		stopping:  make(chan struct{}),
		drained:   make(chan struct{}),
		listeners: map[net.Listener]struct{}{},
		sessions:  map[*session]context.CancelFunc{},
		perAddr:   map[netip.Prefix]int{},
	}
}

// Serve accepts connections from l until Shutdown, then returns ErrServerClosed; sessions may still be running then,
// and Shutdown waits for them. It closes l. Errors that pass, such as too many open files, are waited out.
func (s *Server) Serve(l net.Listener) error {
	defer l.Close()
	if !s.listen(l) {
		return ErrServerClosed
	}
	defer s.unlisten(l)
	backoff := time.Duration(0)
	for {
		conn, err := l.Accept()
		switch {
		case err == nil:
			backoff = 0
			s.admit(conn)
		case s.isStopping():
			return ErrServerClosed
		case !passing(err):
			return fmt.Errorf("accept: %w", err)
		default:
			backoff = min(max(2*backoff, 5*time.Millisecond), time.Second)
			s.cfg.Log.Warn("accept SMTP connection", "error", err, "retry", backoff)
			s.pause(backoff)
		}
	}
}

// passing tells whether a failed accept is worth another try: the process or the machine is short of something, or
// the client has left already.
func passing(err error) bool {
	for _, errno := range []syscall.Errno{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.EINTR,
	} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

func (s *Server) pause(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.stopping:
	}
}

func (s *Server) isStopping() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

func (s *Server) listen(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isStopping() {
		return false
	}
	s.listeners[l] = struct{}{}
	return true
}

func (s *Server) unlisten(l net.Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
}

// Shutdown stops accepting. Sessions that wait for a command get 421 4.3.2 at once; those in the middle of a message
// finish it, get their reply, and then 421. Where ctx has a deadline, those whose client sends nothing more of a
// message for a second, or not all of it in half of the time, get 421 without it: nothing was promised. When ctx ends
// before the last of them, their connections are closed, the contexts of their Backend calls are cancelled, and the
// error says how many were cut off.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop(cutAt(ctx))
	select {
	case <-s.drained:
		return nil
	default:
	}
	select {
	case <-s.drained:
		return nil
	case <-ctx.Done():
	}
	cut := s.cutOff()
	t := time.NewTimer(forceGrace)
	defer t.Stop()
	select {
	case <-s.drained:
	case <-t.C:
	}
	return fmt.Errorf("smtpd: %d sessions cut off: %w", cut, context.Cause(ctx))
}

// cutAt is half of the time that ctx leaves from now; zero: any time.
func cutAt(ctx context.Context) time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	return end.Add(-time.Until(end) / 2)
}

func (s *Server) stop(cut time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isStopping() {
		return
	}
	for sess := range s.sessions {
		sess.wire.interrupt(cut)
	}
	close(s.stopping) // who sees this may count on every session having been told
	for l := range s.listeners {
		l.Close()
	}
	if len(s.sessions) == 0 {
		close(s.drained)
	}
}

func (s *Server) cutOff() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for sess, cancel := range s.sessions {
		cancel()
		sess.wire.raw.Close()
	}
	return len(s.sessions)
}
