package transport

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/certtest"
	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func testLog(t testing.TB) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

// What a server does instead of replying.
const (
	cutOff = "CUT"    // closes the connection
	silent = "SILENT" // says nothing more
	odd    = "SPLIT " // replies in pieces of one byte
)

// server is a mail server that does as it is told, and remembers what it heard. It is told by verb, "." for the end of
// DATA and "" for the greeting; what it is not told goes well.
type server struct {
	says  map[string]string
	offer []string    // EHLO keywords
	tls   *tls.Config // for STARTTLS; nil breaks the handshake

	mu       sync.Mutex
	heard    []string // commands, and "TLS" for a handshake
	mails    []string // as they came, with their dots
	conns    int
	implicit bool
	early    bool // what replies["."] says, it says after the first line of the message, and closes
}

func (s *server) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, line)
}

func (s *server) told(verb string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.says[verb]
}

func (s *server) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

func (s *server) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.heard, "|")
}

// last is the mail that came last, or nothing.
func (s *server) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mails) == 0 {
		return ""
	}
	return s.mails[len(s.mails)-1]
}

// on serves on an address until the test ends, and returns the address with its port.
func (s *server) on(t testing.TB, address string) string {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s.serve(t, l)
	return l.Addr().String()
}

func (s *server) serve(t testing.TB, l net.Listener) {
	var wg sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer conn.Close()
				defer context.AfterFunc(ctx, func() { conn.Close() })()
				s.mu.Lock()
				s.conns++
				s.mu.Unlock()
				s.talk(conn)
			})
		}
	})
	t.Cleanup(func() { stop(); l.Close(); wg.Wait() })
}

// peer is a connection of a server.
type peer struct {
	*server
	conn net.Conn
	r    *bufio.Reader
}

func (s *server) talk(conn net.Conn) {
	if s.implicit {
		conn = tls.Server(conn, s.tls)
	}
	p := &peer{s, conn, bufio.NewReader(conn)}
	if !p.reply("", "220 mx.test ESMTP") {
		return
	}
	for {
		line, err := p.r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, crlf)
		p.note(line)
		verb, _, _ := strings.Cut(line, " ")
		if !p.do(strings.ToUpper(verb)) {
			return
		}
	}
}

// do answers a command. It is false when the connection is over.
func (p *peer) do(verb string) bool {
	switch verb {
	case "EHLO":
		return p.reply(verb, "250-mx.test hello\r\n250-"+strings.Join(append(p.offer, "HELP"), "\r\n250-")+"\r\n250 OK")
	case "STARTTLS":
		if told := p.told(verb); !p.reply(verb, "220 go") || told != "" {
			return told != cutOff
		}
		return p.handshake()
	case "DATA":
		if told := p.told(verb); !p.reply(verb, "354 go") || told != "" {
			return told != cutOff
		}
		return p.message() && p.reply(".", "250 2.0.0 queued as 42")
	case "QUIT":
		p.reply(verb, "221 bye")
		return false
	case "AUTH":
		return p.reply(verb, "235 2.7.0 welcome")
	}
	return p.reply(verb, "250 2.1.0 fine")
}

func (p *peer) handshake() bool {
	if p.tls == nil {
		_, _ = io.WriteString(p.conn, "this is no handshake\r\n")
		return false
	}
	conn := tls.Server(p.conn, p.tls)
	if conn.Handshake() != nil {
		return false
	}
	p.note("TLS")
	p.conn, p.r = conn, bufio.NewReader(conn)
	return true
}

// message reads up to the final dot.
func (p *peer) message() bool {
	var b strings.Builder
	for {
		line, err := p.r.ReadString('\n')
		if err != nil {
			return false
		}
		if p.early {
			p.reply(".", "")
			return false
		}
		if line == "."+crlf {
			break
		}
		b.WriteString(line)
	}
	p.mu.Lock()
	p.mails = append(p.mails, b.String())
	p.mu.Unlock()
	return true
}

func (p *peer) reply(verb, usual string) bool {
	if told := p.told(verb); told != "" {
		usual = told
	}
	switch {
	case usual == cutOff:
		return false
	case usual == silent:
		_, _ = io.Copy(io.Discard, p.conn)
		return false
	case strings.HasPrefix(usual, odd):
		for _, c := range []byte(usual[len(odd):] + crlf) {
			if _, err := p.conn.Write([]byte{c}); err != nil {
				return false
			}
		}
		return true
	}
	_, err := io.WriteString(p.conn, usual+crlf)
	return err == nil
}

// quick are times for servers that say nothing.
func quick(c *client) {
	c.times.greeting, c.times.hello, c.times.mail, c.times.rcpt = 200*time.Millisecond, 200*time.Millisecond,
		200*time.Millisecond, 200*time.Millisecond
	c.times.data, c.times.final, c.times.block, c.times.reset = 200*time.Millisecond, 200*time.Millisecond,
		200*time.Millisecond, 200*time.Millisecond
	c.times.quit, c.times.handshake, c.times.last = 200*time.Millisecond, 200*time.Millisecond, 200*time.Millisecond
}

// ring is some servers on the same port of 127.0.0.2, 127.0.0.3 and so on.
func ring(t testing.TB, servers ...*server) (port uint16) {
	t.Helper()
	for range 20 {
		var ls []net.Listener
		port = 0
		for i := range servers {
			l, err := net.Listen("tcp4", netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(i + 2)}),
				port).String())
			if err != nil {
				break
			}
			ls = append(ls, l)
			port = uint16(l.Addr().(*net.TCPAddr).Port)
		}
		if len(ls) == len(servers) {
			for i, s := range servers {
				s.serve(t, ls[i])
			}
			return port
		}
		for _, l := range ls {
			l.Close()
		}
	}
	t.Fatal("no port is free on all addresses")
	return 0
}

func anyAddr(netip.Addr) bool { return true }

// resolver asks a zone, without a network.
func resolver(t testing.TB, z *dnstest.Zone) *dns.Resolver {
	t.Helper()
	r, err := dns.New(dns.Options{Asker: asker{z}, Timeout: 200 * time.Millisecond, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type asker struct{ *dnstest.Zone }

func (z asker) Ask(ctx context.Context, q dns.Question) (dns.Answer, error) {
	packed, err := q.Pack(1)
	if err != nil {
		return dns.Answer{}, err
	}
	reply, err := z.Exchange(packed)
	if err != nil {
		return dns.Answer{}, err
	}
	a, _, ok := q.Unpack(reply, 1)
	if !ok {
		return dns.Answer{}, errors.New("no answer")
	}
	return a, nil
}

// authority signs certificates.
type authority struct {
	own  tls.Certificate
	cert *x509.Certificate
	pool *x509.CertPool
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	own := certtest.Issue(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "test root"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	}, nil)
	return &authority{own: own, cert: own.Leaf, pool: certtest.Trusting(own)}
}

// server is a certificate for some names, with its chain.
func (a *authority) server(t testing.TB, names ...string) *tls.Config {
	t.Helper()
	return a.serverUntil(t, time.Now().Add(24*time.Hour), names...)
}

func (a *authority) serverUntil(t testing.TB, end time.Time, names ...string) *tls.Config {
	t.Helper()
	template := &x509.Certificate{DNSNames: names, NotAfter: end,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	return &tls.Config{Certificates: []tls.Certificate{certtest.Issue(t, template, &a.own)}}
}
