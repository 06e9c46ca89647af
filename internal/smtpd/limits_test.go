package smtpd

import (
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestTooManyErrors(t *testing.T) {
	_, addr := start(t, Config{MaxErrors: 3}, &post{})
	dial(t, addr).play(greeted + `
		C: FOO
		S: 500
		C: DATA
		S: 503
		R: "NOOP\n"
		S: 500
		C: NOOP
		S: 250
		C: BAR
		S: 421 4.7.0
		X`)
}

func TestTooManyUnknownRecipients(t *testing.T) {
	_, addr := start(t, Config{MaxErrors: 2}, &post{})
	c := dial(t, addr)
	c.play(greeted + "C: MAIL FROM:<a@b>\nS: 250")
	for range 20 { // come again later: no harm in it
		c.play("C: RCPT TO:<paused@mx.test>\nS: 450")
	}
	for range 10 {
		c.play("C: RCPT TO:<unknown@mx.test>\nS: 550")
	}
	c.play("C: RCPT TO:<unknown@mx.test>\nS: 421 4.7.0\nX")
}

func TestTooManyRecipients(t *testing.T) {
	p := &post{}
	_, addr := start(t, Config{MaxRecipients: 1}, p) // raised to 100
	c := dial(t, addr)
	c.play(greeted + "C: MAIL FROM:<a@b>\nS: 250")
	for i := range 100 {
		c.play(fmt.Sprintf("C: RCPT TO:<r%d@mx.test>\nS: 250", i))
	}
	c.play("C: RCPT TO:<r100@mx.test>\nS: 452 4.5.3\nC: DATA\nS: 354\nC: .\nS: 250")
	if got := len(p.stored[0].env.Recipients); got != 100 || len(p.rejects) != 1 {
		t.Errorf("%d recipients, %d rejects", got, len(p.rejects))
	}
}

func TestTooManyMessages(t *testing.T) {
	_, addr := start(t, Config{MaxMessages: 1}, &post{})
	dial(t, addr).play(enveloped + `
		C: DATA
		S: 354
		C: .
		S: 250
		C: MAIL FROM:<a@b>
		S: 421 4.7.0
		X`)
}

// from is a connection that comes from a given address.
type from struct {
	net.Conn
	addr string
}

func (f from) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.ParseIP(f.addr), Port: 12345}
}

// call opens a connection to srv without a network, so that time can be a bubble's.
func call(t testing.TB, srv *Server, addr string) *client {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close() })
	go srv.admit(from{theirs, addr})
	return talkOver(t, ours)
}

func TestConnectionLimits(t *testing.T) {
	const busy, ours = "421 4.7.0 mx.test has too many connections,", "421 4.7.0 mx.test has too many connections from"
	rows := []struct {
		name  string
		all   int
		per   int
		calls []string // address and the answer
	}{
		{"none", 0, 0, []string{"192.0.2.1 220", "192.0.2.1 220", "192.0.2.1 220"}},
		{"in all", 2, 0, []string{"192.0.2.1 220", "192.0.2.2 220", "192.0.2.3 " + busy, "127.0.0.1 " + busy}},
		{"per address", 0, 1, []string{"192.0.2.1 220", "192.0.2.1 " + ours, "192.0.2.2 220"}},
		{"IPv6 by /64", 0, 1, []string{"2001:db8::1 220", "2001:db8::2 " + ours, "2001:db8:0:1::1 220"}},
		{"IPv4 in IPv6", 0, 1, []string{"192.0.2.1 220", "::ffff:192.0.2.1 " + ours}},
		{"loopback", 0, 1, []string{"127.0.0.1 220", "127.0.0.1 220", "::1 220", "::1 220"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := New(Config{Hostname: "mx.test", MaxConns: row.all, MaxConnsPerAddr: row.per}, &post{})
				open := int64(0)
				for _, line := range row.calls {
					addr, want, _ := strings.Cut(line, " ")
					c := call(t, srv, addr)
					c.expect(want)
					if want == "220" {
						open++
						continue
					}
					c.expectEnd()
				}
				if st := srv.Stats(); st.Open != open || st.TurnedAway != int64(len(row.calls))-open {
					t.Errorf("%+v", st)
				}
				shutdown(t, srv)
			})
		})
	}
}

// A place that becomes free is free.
func TestConnectionLimitReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := New(Config{Hostname: "mx.test", MaxConnsPerAddr: 1}, &post{})
		call(t, srv, "192.0.2.1").play("S: 220\nC: QUIT\nS: 221\nX")
		synctest.Wait()
		if len(srv.perAddr) != 0 || srv.Stats().Open != 0 {
			t.Errorf("still counted: %v", srv.perAddr)
		}
		call(t, srv, "192.0.2.1").play("S: 220\nC: QUIT\nS: 221\nX")
		shutdown(t, srv)
	})
}

// troubled is a listener that fails before it works.
type troubled struct {
	errs  []error
	conns chan net.Conn
	done  chan struct{}
}

func (l *troubled) Accept() (net.Conn, error) {
	if len(l.errs) > 0 {
		err := l.errs[0]
		l.errs = l.errs[1:]
		return nil, err
	}
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *troubled) Close() error {
	select {
	case <-l.done:
	default:
		close(l.done)
	}
	return nil
}

func (l *troubled) Addr() net.Addr { return &net.TCPAddr{} }

func TestAcceptErrors(t *testing.T) {
	emfile := &net.OpError{Op: "accept", Err: syscall.EMFILE}
	synctest.Test(t, func(t *testing.T) {
		l := &troubled{errs: []error{emfile, emfile, emfile}, conns: make(chan net.Conn), done: make(chan struct{})}
		srv := New(Config{Log: slog.New(slog.NewTextHandler(t.Output(), nil))}, &post{})
		served := make(chan error)
		go func() { served <- srv.Serve(l) }()
		began := time.Now()
		ours, theirs := net.Pipe()
		l.conns <- theirs
		if waited := time.Since(began); waited != 35*time.Millisecond {
			t.Errorf("backed off %v", waited)
		}
		talkOver(t, ours).play("S: 220\nC: QUIT\nS: 221\nX")
		shutdown(t, srv)
		if err := <-served; err != ErrServerClosed {
			t.Error(err)
		}
	})
	t.Run("for good", func(t *testing.T) {
		l := &troubled{errs: []error{net.ErrClosed}, done: make(chan struct{})}
		if err := New(Config{}, &post{}).Serve(l); err == nil || err == ErrServerClosed {
			t.Error(err)
		}
	})
}

// An idle connection is cheap: no large buffer stays with it.
func TestIdleMemory(t *testing.T) {
	const n = 200
	_, addr := start(t, Config{}, &post{})
	clients := make([]*client, n)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range clients {
		clients[i] = dial(t, addr)
		clients[i].play(enveloped + "C: DATA\nS: 354\nC: .\nS: 250")
	}
	for range 2 { // the pool lets go at the second
		runtime.GC()
	}
	runtime.ReadMemStats(&after)
	per := (int64(after.HeapAlloc+after.StackInuse) - int64(before.HeapAlloc+before.StackInuse)) / n
	t.Logf("%d bytes for a connection and its client", per)
	if per > 40<<10 {
		t.Errorf("%d bytes for a connection and its client", per)
	}
	runtime.KeepAlive(clients)
}
