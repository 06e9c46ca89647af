package proxyproto

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/certtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 30 * time.Second

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// listen returns a listener on a free port that trusts the networks.
func listen(t *testing.T, trusted []netip.Prefix) *Listener {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := Listen(inner, trusted, NewPending(100), slog.New(slog.DiscardHandler))
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// dial connects and sends.
func dial(t *testing.T, l net.Listener, text string) net.Conn {
	t.Helper()
	c, err := net.DialTimeout("tcp", l.Addr().String(), patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// greet is a server that tells each client its address and repeats its first line.
func greet(t *testing.T, l net.Listener) {
	t.Helper()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(patience))
				line, _ := bufio.NewReader(c).ReadString('\n')
				_, _ = io.WriteString(c, c.RemoteAddr().String()+" "+line)
			}()
		}
	}()
}

func TestListener(t *testing.T) {
	elsewhere := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	v1 := "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\n"
	for _, tt := range []struct {
		name    string
		trusted []netip.Prefix
		send    string
		want    string // beginning of the answer; "self": our own address; empty: closed without one
		line    string // its end
	}{
		{"v1", loopback, v1 + "hello\n", "192.0.2.1:56324 ", "hello\n"},
		{"v2", loopback, binaryHeader(proxy, tcp6, body6) + "hello\n", "[2001:db8::1]:56324 ", "hello\n"},
		{"v2 with the most TLVs", loopback, binaryHeader(proxy, tcp4, body4+strings.Repeat("x", maxBody-12)) +
			"hello\n", "192.0.2.1:56324 ", "hello\n"},
		{"unknown", loopback, "PROXY UNKNOWN\r\nhello\n", "0.0.0.0:0 ", "hello\n"},
		{"local", loopback, binaryHeader(local, tcp4, body4) + "hello\n", "0.0.0.0:0 ", "hello\n"},
		{"no address at all", loopback, "PROXY TCP4 0.0.0.0 198.51.100.1 56324 25\r\nhello\n", "0.0.0.0:0 ", "hello\n"},
		{"multicast", loopback, "PROXY TCP4 224.0.0.1 198.51.100.1 56324 25\r\nhello\n", "0.0.0.0:0 ", "hello\n"},
		{"loopback, from there", loopback, "PROXY TCP4 127.0.0.9 127.0.0.1 56324 25\r\nhello\n", "127.0.0.9:56324 ",
			"hello\n"},
		{"a second header is not read", loopback, v1 + "PROXY TCP4 203.0.113.1 198.51.100.1 1 25\r\n",
			"192.0.2.1:56324 ", "PROXY TCP4 203.0.113.1 198.51.100.1 1 25\r\n"},
		{"none", loopback, "hello there, this is no proxy\n", "", ""},
		{"malformed", loopback, "PROXY TCP4 x y 1 2\r\nhello\n", "", ""},
		{"too large", loopback, "PROXY " + strings.Repeat("x", 300), "", ""},
		{"from elsewhere, without", elsewhere, "hello\n", "self", "hello\n"},
		{"from elsewhere it is what a client says", elsewhere, v1, "self", v1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := listen(t, tt.trusted)
			greet(t, l)
			c := dial(t, l, tt.send)
			answer, err := io.ReadAll(c)
			want := tt.want + tt.line
			if tt.want == "self" {
				want = c.LocalAddr().String() + " " + tt.line
			}
			if tt.want != "" && err != nil || string(answer) != want {
				t.Errorf("answer %q, %v; want %q", answer, err, want)
			}
		})
	}
}

// Loopback of another machine is not this machine.
func TestBelievable(t *testing.T) {
	for _, tt := range []struct {
		client, peer string
		want         bool
	}{
		{"192.0.2.1", "10.0.0.1", true}, {"10.0.0.1", "10.0.0.1", true}, {"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1", "10.0.0.1", false}, {"::1", "10.0.0.1", false}, {"::", "10.0.0.1", false},
		{"ff02::1", "10.0.0.1", false},
	} {
		if got := believable(netip.MustParseAddr(tt.client), netip.MustParseAddr(tt.peer)); got != tt.want {
			t.Errorf("%s from %s: %v", tt.client, tt.peer, got)
		}
	}
}

// Connections that are silent keep nobody else waiting, and Close ends them.
func TestSilentConnections(t *testing.T) {
	l := listen(t, loopback)
	greet(t, l)
	var silent []net.Conn
	for range 20 {
		silent = append(silent, dial(t, l, "PROXY TCP4 192."))
	}
	c := dial(t, l, "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\nhello\n")
	if answer, err := io.ReadAll(c); err != nil || string(answer) != "192.0.2.1:56324 hello\n" {
		t.Errorf("answer %q, %v", answer, err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	for _, c := range silent {
		if b, _ := io.ReadAll(c); len(b) > 0 {
			t.Errorf("a silent connection was told %q", b)
		}
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept after Close: %v", err)
	}
	if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed again: %v", err)
	}
}

// Of the connections that have not sent their header there are never more than the bound, on all listeners together:
// the oldest is closed for the next. Those that are through are not counted, and those that nobody trusts never were.
func TestPending(t *testing.T) {
	waiting := NewPending(3)
	one, other := listen(t, loopback), listen(t, loopback)
	stranger := listen(t, nil)
	for _, l := range []*Listener{one, other, stranger} {
		l.waiting = waiting
		greet(t, l)
	}
	through := dial(t, one, "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\n")
	forged := dial(t, stranger, "PROXY TCP4 192.")
	var silent []net.Conn
	for i := range 5 {
		silent = append(silent, dial(t, []*Listener{one, other}[i%2], ""))
		if i >= 3 { // the next one is dialled when this one is counted
			if b, err := io.ReadAll(silent[i-3]); err != nil || len(b) > 0 {
				t.Errorf("silent connection %d: %q, %v", i-3, b, err)
			}
		} else {
			awaitPending(t, waiting, i+1)
		}
	}
	for _, c := range silent[2:] {
		if _, err := io.WriteString(c, "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\nhello\n"); err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(c); err != nil || string(b) != "192.0.2.1:56324 hello\n" {
			t.Errorf("answer %q, %v", b, err)
		}
	}
	for c, want := range map[net.Conn]string{through: "192.0.2.1:56324 hi\n", forged: forged.LocalAddr().String() +
		" PROXY TCP4 192.hi\n"} {
		if _, err := io.WriteString(c, "hi\n"); err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(c); err != nil || string(b) != want {
			t.Errorf("answer %q, %v; want %q", b, err, want)
		}
	}
	awaitPending(t, waiting, 0)
}

func awaitPending(t *testing.T, p *Pending, want int) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		p.mu.Lock()
		n := p.conns.Len()
		p.mu.Unlock()
		if n == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d connections are pending, want %d", n, want)
		}
	}
}

// A header has five seconds in all, however it trickles; what comes after it has as long as the server gives.
func TestHeaderTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		var trickle sync.WaitGroup
		defer trickle.Wait()
		trickle.Go(func() {
			for _, b := range []byte("PROXY TCP4 192.0.2.1") {
				if _, err := theirs.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		})
		began := time.Now()
		_, err := open(ours)
		var timeout net.Error
		if !errors.As(err, &timeout) || !timeout.Timeout() || time.Since(began) != headerTimeout {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ours.Close()
	})
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer ours.Close()
		var writing sync.WaitGroup
		defer writing.Wait()
		writing.Go(func() {
			defer theirs.Close()
			_, _ = io.WriteString(theirs, "PROXY UNKNOWN\r\n")
			time.Sleep(time.Hour)
			_, _ = io.WriteString(theirs, "late")
		})
		c, err := open(ours)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(c); err != nil || string(b) != "late" {
			t.Errorf("%q, %v", b, err)
		}
	})
}

// failing returns an error that passes, then a connection, then waits for Close.
type failing struct {
	net.Listener
	errs []error
}

func (f *failing) Accept() (net.Conn, error) {
	if len(f.errs) > 0 {
		err := f.errs[0]
		f.errs = f.errs[1:]
		return nil, err
	}
	return f.Listener.Accept()
}

func TestAcceptGoesOnAfterAnError(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	passing := errors.New("too many open files")
	l := Listen(&failing{inner, []error{passing}}, nil, NewPending(1), slog.New(slog.DiscardHandler))
	defer l.Close()
	if _, err := l.Accept(); !errors.Is(err, passing) {
		t.Fatalf("Accept: %v", err)
	}
	dial(t, l, "")
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// HTTPS behind it, as a server of the standard library serves it.
func TestHTTPS(t *testing.T) {
	cert, roots := certificate(t)
	l := listen(t, loopback)
	srv := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_,
				_ = io.WriteString(w, r.RemoteAddr)
		}),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}},
	}
	served := make(chan error, 1)
	go func() { served <- srv.ServeTLS(l, "", "") }()
	transport := &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: "mx.test"},
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err == nil {
				_, err = io.WriteString(c, binaryHeader(proxy, tcp4, body4))
			}
			return c, err
		},
	}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport, Timeout: patience}).Get("https://" + l.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "192.0.2.1:56324" || resp.ProtoMajor != 2 {
		t.Errorf("%q over HTTP/%d, %v", body, resp.ProtoMajor, err)
	}
	transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := srv.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve: %v", err)
	}
}

func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	made := certtest.Issue(t, &x509.Certificate{DNSNames: []string{"mx.test"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true}, nil)
	return made, certtest.Trusting(made)
}
