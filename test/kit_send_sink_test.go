package test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// sink is a mail server that does as it is told and remembers what it took.
type sink struct {
	addr string
	host string
	port string

	offers []string                        // extensions
	secure *tls.Config                     // for STARTTLS; nil: none
	login  string                          // user:password that it wants; empty: none
	most   int                             // connections at once; 0: any number
	each   int                             // messages of a connection; 0: any number
	rcpt   func(to string) string          // reply to RCPT; empty: it is taken
	final  func(m *taken) (string, action) // reply to the message; nil: it is taken
	body   func(m *taken) io.WriteCloser   // where the message goes; nil: into taken.data

	mu   sync.Mutex
	took []*taken
	busy int // connections
	peak int // the most there were

	open sync.WaitGroup
	stop chan struct{} // closed at the end of the test
}

// taken is a message that the sink has acknowledged.
type taken struct {
	hello string
	tls   bool
	user  string
	from  string // the whole word, with parameters
	to    []string
	data  bytes.Buffer
}

// action is what a sink does with a message, and with the connection after it.
type action int

const (
	takes  action = iota // it answers, and has taken what it answers 250 to
	cuts                 // it has taken it, and closes the connection without an answer
	hangs                // the same, and says nothing any more
	forget               // it closes the connection before the message is whole
)

// listen starts the sink at an address, or on any port of a host.
func (s *sink) listen(t testing.TB, addr string) *sink {
	t.Helper()
	if !strings.Contains(addr, ":") {
		addr += ":0"
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s.addr, s.stop = l.Addr().String(), make(chan struct{})
	s.host, s.port, _ = net.SplitHostPort(s.addr)
	s.open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.open.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		close(s.stop)
		s.open.Wait()
	})
	return s
}

// all gives what the sink has taken up to now.
func (s *sink) all() []*taken {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*taken{}, s.took...)
}

// only waits for one message.
func (s *sink) only(t testing.TB) *taken {
	t.Helper()
	eventually(t, func() error {
		if len(s.all()) == 0 {
			return io.EOF
		}
		return nil
	})
	if all := s.all(); len(all) > 1 {
		t.Fatalf("%d messages", len(all))
	}
	return s.all()[0]
}

// sinkConn is a connection to a sink.
type sinkConn struct {
	*sink
	conn net.Conn
	in   *bufio.Reader
	now  taken
	sent int // messages
	left bool
}

// leave ends what the connection counts for. It does so before the last reply: who has that may connect again at once.
func (c *sinkConn) leave() {
	if !c.left {
		c.left = true
		c.enter(-1)
	}
}

func (s *sink) serve(conn net.Conn) {
	c := &sinkConn{sink: s, conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
	over := make(chan struct{})
	defer func() {
		close(over)
		c.conn.Close()
	}()
	s.open.Go(func() {
		select {
		case <-s.stop:
			conn.Close()
		case <-over:
		}
	})
	if !s.enter(1) {
		c.say("421 4.7.0 Too many connections")
		return
	}
	defer c.leave()
	c.say("220 sink.example ESMTP")
	for {
		line, err := c.in.ReadString('\n')
		if err != nil || !c.obey(strings.TrimRight(line, "\r\n")) {
			return
		}
	}
}

// enter counts a connection, if there is room for it.
func (s *sink) enter(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.most > 0 && s.busy+n > s.most {
		return false
	}
	s.busy += n
	s.peak = max(s.peak, s.busy)
	return true
}

func (c *sinkConn) say(lines ...string) {
	_, _ = io.WriteString(c.conn, strings.Join(lines, "\r\n")+"\r\n")
}

// obey does as a command says. It tells whether there may be another.
func (c *sinkConn) obey(line string) bool {
	verb, rest, _ := strings.Cut(line, " ")
	switch strings.ToUpper(verb) {
	case "EHLO":
		c.now.hello = rest
		c.greet()
	case "STARTTLS":
		c.say("220 Go ahead")
		conn := tls.Server(c.conn, c.secure)
		if conn.Handshake() != nil {
			return false
		}
		c.conn, c.in, c.now = conn, bufio.NewReaderSize(conn, 64<<10), taken{tls: true}
	case "AUTH":
		c.logIn(rest)
	case "MAIL":
		if c.each > 0 && c.sent == c.each {
			c.leave()
			c.say("421 4.7.0 Enough for one connection")
			return false
		}
		if c.login != "" && c.now.user == "" {
			c.say("530 5.7.0 Log in first")
			break
		}
		c.now.from, c.now.to = strings.TrimPrefix(rest, "FROM:"), nil
		c.say("250 2.1.0 OK")
	case "RCPT":
		c.recipient(strings.TrimSuffix(strings.TrimPrefix(rest, "TO:<"), ">"))
	case "DATA":
		return c.receive()
	case "QUIT":
		c.leave()
		c.say("221 2.0.0 Bye")
		return false
	default:
		c.say("250 2.0.0 OK")
	}
	return true
}

func (c *sinkConn) greet() {
	offers := append([]string{"sink.example"}, c.offers...)
	if c.secure != nil && !c.now.tls {
		offers = append(offers, "STARTTLS")
	} else if c.login != "" {
		offers = append(offers, "AUTH PLAIN")
	}
	for _, o := range offers {
		c.say("250-" + o)
	}
	c.say("250 ENHANCEDSTATUSCODES")
}

func (c *sinkConn) logIn(rest string) {
	user, password, _ := strings.Cut(c.login, ":")
	if rest != "PLAIN "+base64.StdEncoding.EncodeToString([]byte("\x00"+user+"\x00"+password)) {
		c.say("535 5.7.8 Wrong")
		return
	}
	c.now.user = user
	c.say("235 2.7.0 Welcome")
}

func (c *sinkConn) recipient(to string) {
	if c.rcpt != nil {
		if refusal := c.rcpt(to); refusal != "" {
			c.say(refusal)
			return
		}
	}
	c.now.to = append(c.now.to, to)
	c.say("250 2.1.5 OK")
}

// receive takes a message. It tells whether the connection goes on.
func (c *sinkConn) receive() bool {
	m := c.now
	if len(m.to) == 0 {
		c.say("503 5.5.1 No recipients")
		return true
	}
	c.say("354 Go ahead")
	whole := false
	if c.body == nil {
		whole = copyDots(&m.data, c.in)
	} else {
		w := c.body(&m)
		whole = copyDots(w, c.in)
		_ = w.Close() // who reads it has the error
	}
	if !whole {
		return false
	}
	answer, what := "250 2.0.0 Taken", takes
	if c.final != nil {
		answer, what = c.final(&m)
	}
	if what == forget {
		return false
	}
	if what != takes || strings.HasPrefix(answer, "2") {
		c.mu.Lock()
		c.took = append(c.took, &m)
		c.mu.Unlock()
	}
	switch what {
	case cuts:
		return false
	case hangs:
		_, _ = io.Copy(io.Discard, c.conn)
		return false
	}
	c.say(answer)
	c.sent++
	return true
}

// copyDots copies a message up to its final dot, and tells whether it came.
func copyDots(w io.Writer, in *bufio.Reader) bool {
	for begin := true; ; {
		line, err := in.ReadSlice('\n')
		if begin && string(line) == ".\r\n" {
			return true
		}
		if begin && len(line) > 0 && line[0] == '.' {
			line = line[1:]
		}
		_, _ = w.Write(line)
		if err != nil && err != bufio.ErrBufferFull {
			return false
		}
		begin = err == nil
	}
}
