package test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

// reply is a server's answer to a command.
type reply struct {
	code  int
	lines []string // without the code
}

func (r reply) String() string { return fmt.Sprintf("%d %s", r.code, strings.Join(r.lines, " / ")) }

// session is a conversation with a mail server. Its methods give errors only when the connection fails: a refusal is a
// reply like any other.
type session struct {
	conn  net.Conn
	in    *bufio.Reader
	lmtp  bool
	limit time.Duration // of one message
}

// dial connects and reads the greeting. An address with a slash is a Unix socket.
func dial(addr string) (*session, error) {
	network := "tcp"
	if strings.Contains(addr, "/") {
		network = "unix"
	}
	conn, err := net.DialTimeout(network, addr, patience)
	if err != nil {
		return nil, err
	}
	s := &session{conn: conn, in: bufio.NewReader(conn), limit: 2 * patience}
	_ = conn.SetDeadline(time.Now().Add(s.limit))
	greeting, err := s.read()
	if err == nil && greeting.code != 220 {
		err = fmt.Errorf("greeting: %v", greeting)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	s.lmtp = strings.Contains(greeting.String(), "LMTP")
	return s, nil
}

// open returns a session that has said hello. It ends with the test.
func open(t testing.TB, addr string) *session {
	t.Helper()
	s, err := dial(addr)
	if err == nil {
		t.Cleanup(func() { s.conn.Close() })
		err = s.hello()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *session) hello() error {
	verb := "EHLO"
	if s.lmtp {
		verb = "LHLO"
	}
	r, err := s.ask(verb + " client.example")
	if err == nil && r.code != 250 {
		err = fmt.Errorf("hello: %v", r)
	}
	return err
}

// read reads one reply.
func (s *session) read() (reply, error) {
	var r reply
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return r, err
		}
		line = strings.TrimSuffix(line, "\r\n")
		if len(line) < 4 {
			return r, fmt.Errorf("not a reply: %q", line)
		}
		if r.code, err = strconv.Atoi(line[:3]); err != nil {
			return r, fmt.Errorf("not a reply: %q", line)
		}
		r.lines = append(r.lines, line[4:])
		if line[3] != '-' {
			return r, nil
		}
	}
}

// write sends bytes as they are.
func (s *session) write(b []byte) error {
	_, err := s.conn.Write(b)
	return err
}

// ask sends a line and reads its reply.
func (s *session) ask(line string) (reply, error) {
	if err := s.write([]byte(line + "\r\n")); err != nil {
		return reply{}, err
	}
	return s.read()
}

// mustAsk asks and wants a code.
func (s *session) mustAsk(t testing.TB, line string, code int) reply {
	t.Helper()
	r, err := s.ask(line)
	if err != nil {
		t.Fatalf("%.80s: %v", line, err)
	}
	if r.code != code {
		t.Fatalf("%.80s: got %v, want %d", line, r, code)
	}
	return r
}

// mustRead reads a reply and wants a code.
func (s *session) mustRead(t testing.TB, code int) reply {
	t.Helper()
	r, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	if r.code != code {
		t.Fatalf("got %v, want %d", r, code)
	}
	return r
}

// startTLS makes the session secure. The certificate is not verified, as between mail servers.
func (s *session) startTLS(t testing.TB) {
	t.Helper()
	s.mustAsk(t, "STARTTLS", 220)
	conn := tls.Client(s.conn, &tls.Config{InsecureSkipVerify: true})
	if err := conn.Handshake(); err != nil {
		t.Fatal(err)
	}
	s.conn, s.in = conn, bufio.NewReader(conn)
	if err := s.hello(); err != nil {
		t.Fatal(err)
	}
}

// envelope is who sends to whom.
type envelope struct {
	from   string
	params string // of MAIL
	to     []string
}

// sender sends a message whose envelope was accepted, and returns the last reply; in LMTP the replies for all
// recipients but the last are checked to be the same.
type sender func(s *session, message []byte) (reply, error)

// send sends one message. The reply is the first that refuses something, else that to the message.
func (s *session) send(e envelope, message []byte, by sender) (reply, error) {
	if s.limit > 0 {
		_ = s.conn.SetDeadline(time.Now().Add(s.limit))
	}
	r, err := s.ask("MAIL FROM:<" + e.from + ">" + e.params)
	if err != nil || r.code != 250 {
		return r, err
	}
	for _, to := range e.to {
		if r, err = s.ask("RCPT TO:<" + to + ">"); err != nil || r.code != 250 {
			return r, err
		}
	}
	r, err = by(s, message)
	for i := 1; s.lmtp && err == nil && i < len(e.to); i++ {
		var next reply
		if next, err = s.read(); err == nil && next.code != r.code {
			return next, nil
		}
	}
	return r, err
}

// byDATA sends a message with DATA. One that does not end with CR LF gets it: there is no other way.
func byDATA(s *session, message []byte) (reply, error) {
	r, err := s.ask("DATA")
	if err != nil || r.code != 354 {
		return r, err
	}
	if err := s.write(stuffed(message)); err != nil {
		return reply{}, err
	}
	return s.read()
}

// stuffed is a message as it goes over the wire after DATA, with its end. A dot is doubled only after CR LF: a line
// that a bare LF ends is none.
func stuffed(message []byte) []byte {
	out := bytes.ReplaceAll(message, []byte("\r\n."), []byte("\r\n.."))
	if bytes.HasPrefix(out, []byte(".")) {
		out = append([]byte("."), out...)
	}
	return append(bytes.Clone(ended(out)), ".\r\n"...)
}

// ended is a message with CR LF at its end.
func ended(message []byte) []byte {
	if len(message) == 0 || bytes.HasSuffix(message, []byte("\r\n")) {
		return message
	}
	return append(bytes.Clone(message), "\r\n"...)
}

// byBDAT sends a message to the byte, in one chunk.
func byBDAT(s *session, message []byte) (reply, error) { return inChunks(len(message))(s, message) }

// inChunks sends a message with BDAT in chunks of a size, all but the last answered one by one.
func inChunks(size int) sender {
	return func(s *session, message []byte) (reply, error) {
		for len(message) > size {
			r, err := s.chunk(message[:size], "")
			if err != nil || r.code != 250 {
				return r, err
			}
			message = message[size:]
		}
		return s.chunk(message, " LAST")
	}
}

func (s *session) chunk(b []byte, last string) (reply, error) {
	head := fmt.Sprintf("BDAT %d%s\r\n", len(b), last)
	if err := s.write(append([]byte(head), b...)); err != nil {
		return reply{}, err
	}
	return s.read()
}

// deliver sends one message to recipients of the server by SMTP and wants it stored.
func (s *server) deliver(t testing.TB, message string, to ...string) {
	t.Helper()
	c := open(t, s.smtp)
	r, err := c.send(envelope{from: "sender@example.org", to: to}, []byte(message), byDATA)
	if err != nil || r.code != 250 {
		t.Fatalf("not delivered: %v %v", r, err)
	}
	c.mustAsk(t, "QUIT", 221)
}
