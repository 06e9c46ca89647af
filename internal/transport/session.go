package transport

import (
	"bufio"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"
)

const (
	codeGo      = 354 // send the message
	codeClosing = 421 // the server ends the session
	sendBuffer  = 32 << 10
	fresh       = time.Second // a session used so lately is believed to be alive
)

// session speaks SMTP with a server.
type session struct {
	*client
	host     string
	addr     netip.Addr
	raw      net.Conn // the connection itself: closing it ends everything at once
	conn     net.Conn // with TLS, if there is some
	r        *bufio.Reader
	w        *bufio.Writer
	pace     pace
	ext      extensions
	tls      string
	verified bool
	// testFailed is why a policy that is only tested would not have let the session be (RFC 8460 4.3).
	testFailed string
	dead       bool
	used       time.Time
	buf        []byte // for bodies that cannot write themselves
}

func newSession(c *client, host string, conn net.Conn) *session {
	s := &session{
		client: c, host: host, raw: conn, used: time.Now(),
		r: bufio.NewReaderSize(conn, maxReplyLine+2), w: bufio.NewWriterSize(nil, sendBuffer),
	}
	if remote := conn.RemoteAddr(); remote != nil {
		s.addr = addrOf(remote.String())
	}
	s.pace.block = c.times.block
	s.attach(conn)
	return s
}

// attach puts the session on a connection.
func (s *session) attach(conn net.Conn) {
	s.conn, s.pace.conn = conn, conn
	s.r.Reset(conn)
	s.w.Reset(&s.pace)
}

// pace bounds how long a server may take for what is written: each piece, and until a time all of them.
type pace struct {
	conn  net.Conn
	block time.Duration
	until time.Time // zero for none
}

func (p *pace) Write(b []byte) (int, error) {
	deadline := time.Now().Add(p.block)
	if !p.until.IsZero() && p.until.Before(deadline) {
		deadline = p.until
	}
	if err := p.conn.SetWriteDeadline(deadline); err != nil {
		return 0, err
	}
	return p.conn.Write(b)
}

// result is what is known about the server.
func (s *session) result() Result {
	return Result{Host: s.host, Addr: s.addr, TLS: s.tls, Verified: s.verified}
}

// put writes a command into the buffer.
func (s *session) put(words ...string) {
	for _, w := range words {
		_, _ = s.w.WriteString(w) // the buffer remembers an error until it is flushed
	}
	_, _ = s.w.WriteString(crlf)
}

// hear reads a reply.
func (s *session) hear(patience time.Duration) (reply, error) { return s.hearLines(patience, nil) }

func (s *session) hearLines(patience time.Duration, see func(string)) (reply, error) {
	if err := s.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return reply{}, err
	}
	r, err := readReply(s.r, see)
	if err != nil || r.code == codeClosing {
		s.dead = true
	}
	return r, err
}

// ask sends a command and reads the reply.
func (s *session) ask(patience time.Duration, see func(string), words ...string) (reply, error) {
	s.put(words...)
	if err := s.flush(); err != nil {
		return s.lastWords(err)
	}
	return s.hearLines(patience, see)
}

func (s *session) flush() error {
	err := s.w.Flush()
	if err != nil {
		s.dead = true
	}
	return err
}

// lastWords is what a server said before it closed the connection on us, or the error that this was noticed by.
func (s *session) lastWords(err error) (reply, error) {
	if r, heard := s.hear(s.times.last); heard == nil && r.class() > 3 {
		s.dead = true
		return r, nil
	}
	return reply{}, err
}

// Alive says whether another mail may be sent. A server that has closed an idle session is found out here and not with
// a mail.
func (s *session) Alive() bool {
	if s.dead {
		return false
	}
	if time.Since(s.used) < fresh {
		return true
	}
	if err := s.conn.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		s.dead = true
		return false
	}
	// Whatever it says now is not the answer to anything: most likely goodbye.
	_, err := s.r.Peek(1)
	s.dead = !errors.Is(err, os.ErrDeadlineExceeded)
	return !s.dead
}

// Close says goodbye.
func (s *session) Close() {
	if !s.dead {
		s.pace.block = s.times.quit
		_, _ = s.ask(s.times.quit, nil, "QUIT")
	}
	s.dead = true
	s.raw.Close()
}

// reset makes the server forget the envelope, so that the session can be used again.
func (s *session) reset() {
	if s.dead {
		return
	}
	if r, err := s.ask(s.times.reset, nil, "RSET"); err != nil || r.class() != 2 {
		s.dead = true
	}
}
