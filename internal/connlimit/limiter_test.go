package connlimit_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/connlimit"
)

// named is a connection of another client than it seems.
type named struct {
	net.Conn
	client net.Addr
}

func (n named) RemoteAddr() net.Addr { return n.client }

// names is a listener whose connections are those of the clients that are put in.
type names struct {
	net.Listener
	clients chan string
}

func (n names) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &named{c, net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(<-n.clients), 1))}, nil
}

// outside is a listener whose connections are around those of another, as TLS is.
type outside struct{ net.Listener }

func (o outside) Accept() (net.Conn, error) {
	c, err := o.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &around{c}, nil
}

type around struct{ net.Conn }

func (a *around) NetConn() net.Conn { return a.Conn }

// kit is a server behind a limiter. Its /hold answers when the test says so.
type kit struct {
	*testing.T
	limiter *connlimit.Limiter
	clients chan string
	addr    string
	held    chan struct{} // gets one for each request to /hold that has begun
	release chan struct{}
	idle    chan struct{} // gets one when a connection becomes idle
	closed  chan struct{} // gets one when a connection is closed
}

func start(t *testing.T, opt connlimit.Options) *kit {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{T: t, limiter: connlimit.New(opt), clients: make(chan string, 100), addr: inner.Addr().String(),
		held: make(chan struct{}, 100), release: make(chan struct{}),
		idle: make(chan struct{}, 100), closed: make(chan struct{}, 100)}
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hold" {
			k.held <- struct{}{}
			<-k.release
		}
		_, _ = io.WriteString(w, "ok")
	})
	// What a proxy names stands in the header From.
	client := func(r *http.Request) netip.Addr {
		if from := r.Header.Get("From"); from != "" {
			return netip.MustParseAddr(from)
		}
		return netip.MustParseAddrPort(r.RemoteAddr).Addr()
	}
	srv := &http.Server{Handler: k.limiter.Handler(answer, client), ConnState: func(c net.Conn, state http.ConnState) {
		k.limiter.State(c, state)
		switch state {
		case http.StateIdle:
			k.idle <- struct{}{}
		case http.StateClosed:
			k.closed <- struct{}{}
		}
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(outside{k.limiter.Listen(names{inner, k.clients}, true)})
	}()
	t.Cleanup(func() {
		close(k.release)
		if err := srv.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		<-done
		for k.limiter.Stats().Open > 0 {
			<-k.closed
		}
	})
	return k
}

// conn is a client's connection.
type conn struct {
	net.Conn
	in *bufio.Reader
}

func (k *kit) dial(client string) *conn {
	k.Helper()
	k.clients <- client
	c, err := net.Dial("tcp", k.addr)
	if err != nil {
		k.Fatal(err)
	}
	k.Cleanup(func() { c.Close() })
	return &conn{c, bufio.NewReader(c)}
}

// ask returns the status of a request, 0 if the connection is gone.
func (c *conn) ask(path, from string) int {
	_, _ = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n"+from+"\r\n")
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return 0
	}
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode == http.StatusServiceUnavailable && !strings.Contains(string(body),
		`"code":"too_many_connections"`) {
		return -1
	}
	return resp.StatusCode
}

// hold begins a request that is not answered yet.
func (k *kit) hold(c *conn, from string) {
	_, _ = io.WriteString(c, "GET /hold HTTP/1.1\r\nHost: x\r\n"+from+"\r\n")
	<-k.held
}

func (k *kit) want(what string, got, want int) {
	k.Helper()
	if got != want {
		k.Errorf("%s: %d, want %d", what, got, want)
	}
}

// A new connection takes the place of the one that is idle for longest, never that of one at work.
func TestIdleGoesFirst(t *testing.T) {
	k := start(t, connlimit.Options{Max: 3})
	working := k.dial("192.0.2.1")
	k.hold(working, "")
	old, young := k.dial("192.0.2.2"), k.dial("192.0.2.3")
	k.want("old", old.ask("/", ""), 200)
	<-k.idle
	k.want("young", young.ask("/", ""), 200)
	<-k.idle
	k.want("new", k.dial("192.0.2.4").ask("/", ""), 200)
	k.want("old, after another came", old.ask("/", ""), 0)
	k.want("young, after another came", young.ask("/", ""), 200)
	if s := k.limiter.Stats(); s.Closed != 1 || s.Refused != 0 || s.Open != 3 {
		t.Errorf("%+v", s)
	}
}

// Connections that have not asked anything make room, too.
func TestSilentGoFirst(t *testing.T) {
	k := start(t, connlimit.Options{Max: 3})
	for range 20 {
		k.dial("127.0.0.1")
	}
	k.want("who asks", k.dial("127.0.0.1").ask("/", ""), 200)
}

func TestNoneIsIdle(t *testing.T) {
	k := start(t, connlimit.Options{Max: 2})
	k.hold(k.dial("127.0.0.1"), "")
	k.hold(k.dial("127.0.0.1"), "")
	k.want("one more", k.dial("127.0.0.1").ask("/", ""), http.StatusServiceUnavailable)
	if s := k.limiter.Stats(); s.Refused != 1 || s.Open != 2 {
		t.Errorf("%+v", s)
	}
}

// Each client has a limit; this machine and the proxies have any number.
func TestPerClient(t *testing.T) {
	k := start(t, connlimit.Options{Max: 100, PerClient: 2,
		Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	for _, tt := range []struct {
		name    string
		clients [3]string
		third   int
	}{
		{"an address", [3]string{"192.0.2.1", "192.0.2.1", "192.0.2.1"}, 503},
		{"a network", [3]string{"2001:db8::1", "2001:db8::2", "2001:db8::3"}, 503},
		{"several", [3]string{"2001:db8:0:1::1", "2001:db8:0:2::1", "192.0.2.2"}, 200},
		{"this machine", [3]string{"127.0.0.1", "127.0.0.1", "127.0.0.1"}, 200},
		{"a proxy", [3]string{"10.1.1.1", "10.1.1.1", "10.1.1.1"}, 200},
		{"a proxy that is named in IPv6", [3]string{"::ffff:10.1.1.1", "::ffff:10.1.1.1", "::ffff:10.1.1.1"}, 200},
	} {
		k.hold(k.dial(tt.clients[0]), "")
		k.hold(k.dial(tt.clients[1]), "")
		k.want(tt.name, k.dial(tt.clients[2]).ask("/", ""), tt.third)
		if tt.third == 200 {
			<-k.idle
		}
	}
	// Its own idle connection makes room for it.
	k.hold(k.dial("192.0.2.9"), "")
	idle := k.dial("192.0.2.9")
	k.want("the second", idle.ask("/", ""), 200)
	<-k.idle
	k.want("the third", k.dial("192.0.2.9").ask("/", ""), 200)
	k.want("the second, after that", idle.ask("/", ""), 0)
}

// Requests through a proxy are those of the client that it names.
func TestThroughProxy(t *testing.T) {
	k := start(t, connlimit.Options{Max: 100, PerClient: 2,
		Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	const from = "From: 192.0.2.1\r\n"
	k.hold(k.dial("10.1.1.1"), from)
	k.hold(k.dial("192.0.2.1"), "") // the same client, without the proxy
	c := k.dial("10.1.1.1")
	k.want("one more", c.ask("/", from), 503)
	k.want("another's", c.ask("/", "From: 192.0.2.2\r\n"), 200)
	k.want("again", c.ask("/", "From: 192.0.2.2\r\n"), 200)
	k.want("nobody's", c.ask("/", "From: 0.0.0.0\r\n"), 200)
}
