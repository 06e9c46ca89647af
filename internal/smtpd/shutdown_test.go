package smtpd

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func shutdown(t testing.TB, srv *Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := srv.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}

// Sessions between commands are told at once.
func TestShutdownIdle(t *testing.T) {
	for name, script := range map[string]string{
		"greeted":           greeted,
		"with an envelope":  enveloped,
		"in half a command": greeted + `R: "NOO"`,
	} {
		t.Run(name, func(t *testing.T) {
			srv, addr := start(t, Config{}, &post{})
			c := dial(t, addr)
			c.play(script)
			shutdown(t, srv)
			c.play("S: 421 4.3.2 mx.test\nX")
		})
	}
}

// A message that has begun is finished first.
func TestShutdownFinishes(t *testing.T) {
	rows := []struct{ name, before, after string }{
		{"in DATA", "C: DATA\nS: 354\nC: half", "C: whole\nC: .\nS: 250 2.0.0 Stored\nS: 421 4.3.2\nX"},
		{"in a chunk", `R: "BDAT 4 LAST\r\nha"`, `
			R: "lf"
			S: 250 2.0.0 Stored
			S: 421 4.3.2
			X`},
		{"between chunks", `
			R: "BDAT 4\r\nhalf"
			S: 250`, `
			R: "BDAT 4 LAST\r\nhalf"
			S: 250 2.0.0 Stored
			S: 421 4.3.2
			X`},
		{"what is pipelined behind it is not begun", "C: DATA\nS: 354", `
			R: ".\r\nMAIL FROM:<a@b>\r\nQUIT\r\n"
			S: 250 2.0.0 Stored
			S: 421 4.3.2
			X`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := &post{entered: make(chan struct{}, 1)}
			srv, addr := start(t, Config{}, p)
			c := dial(t, addr)
			c.play(enveloped + row.before)
			<-p.entered
			ended := make(chan error, 1)
			go func() { ended <- srv.Shutdown(context.Background()) }()
			<-srv.stopping
			c.play(row.after)
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if len(p.bodies()) != 1 {
				t.Errorf("stored %q", p.bodies())
			}
		})
	}
}

// The message is here and Receive is at work: its answer is waited for.
func TestShutdownWaitsForReceive(t *testing.T) {
	goOn := make(chan struct{})
	p := &post{entered: make(chan struct{}, 1)}
	p.receive = func(_ context.Context, env mailbox.Envelope, r io.Reader) ([]mailbox.Receipt, error) {
		<-goOn
		return p.keep(env, r)
	}
	srv, addr := start(t, Config{}, p)
	c := dial(t, addr)
	c.play(enveloped + "R: \"DATA\\r\\n.\\r\\n\"")
	<-p.entered
	ended := make(chan error, 1)
	go func() { ended <- srv.Shutdown(context.Background()) }()
	<-srv.stopping
	close(goOn)
	c.play("S: 354\nS: 250 2.0.0 Stored\nS: 421 4.3.2\nX")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// When patience ends connections are closed, and Receive is told by its context.
func TestShutdownForced(t *testing.T) {
	for name, script := range map[string]string{
		"in DATA":        "C: DATA\nS: 354\nC: half",
		"between chunks": "R: \"BDAT 4\\r\\nhalf\"\nS: 250",
	} {
		t.Run(name, func(t *testing.T) {
			p := &post{entered: make(chan struct{}, 1)}
			told := make(chan error, 1)
			p.receive = func(ctx context.Context, env mailbox.Envelope, r io.Reader) ([]mailbox.Receipt, error) {
				receipts, err := p.keep(env, r)
				<-ctx.Done()
				told <- ctx.Err()
				return receipts, err
			}
			srv, addr := start(t, Config{}, p)
			c := dial(t, addr)
			c.play(enveloped + script)
			<-p.entered
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if err := srv.Shutdown(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("Shutdown: %v", err)
			}
			if err := <-told; !errors.Is(err, context.Canceled) {
				t.Errorf("Receive was told %v", err)
			}
			c.expectEnd()
			if len(p.cut) != 1 || p.cut[0] != io.ErrUnexpectedEOF || srv.Stats().Open != 0 {
				t.Errorf("%v, %+v", p.cut, srv.Stats())
			}
		})
	}
}

// A Receive that does not listen to its context holds Shutdown up for a moment only.
func TestShutdownForcedStubborn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		p := &post{receive: func(context.Context, mailbox.Envelope, io.Reader) ([]mailbox.Receipt, error) {
			<-goOn
			return nil, io.ErrClosedPipe
		}}
		srv := New(Config{Hostname: "mx.test"}, p)
		call(t, srv, "192.0.2.1").play(enveloped + "C: DATA")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		began := time.Now()
		if err := srv.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown: %v", err)
		}
		if took := time.Since(began); took != time.Minute+forceGrace {
			t.Errorf("took %v", took)
		}
		close(goOn)
	})
}

// A client that stands still in a message is sent away soon, one that never ends in half of the time; nothing is kept.
func TestShutdownStalled(t *testing.T) {
	rows := []struct {
		name, before string
		pieces       int // that come while the server stops, shortly before it is too late
		after        string
		took         time.Duration
		stored       int
	}{
		{"in DATA", "C: DATA\nS: 354\nC: half", 0, "S: 421 4.3.2\nX", stopStall, 0},
		{"in a chunk", `R: "BDAT 4 LAST\r\nha"`, 0, "S: 421 4.3.2\nX", stopStall, 0},
		{"between chunks", "R: \"BDAT 4\\r\\nhalf\"\nS: 250", 0, "S: 421 4.3.2\nX", stopStall, 0},
		{"without an end", "C: DATA\nS: 354\nC: half", 5, "S: 421 4.3.2\nX", 5 * time.Second, 0},
		{"slowly", "C: DATA\nS: 354\nC: half", 4, "C: .\nS: 250\nS: 421 4.3.2\nX", 4 * 9 * stopStall / 10, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &post{}
				srv := New(Config{Hostname: "mx.test"}, p)
				c := call(t, srv, "192.0.2.1")
				c.play(enveloped + row.before)
				synctest.Wait()
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				defer cancel()
				began, ended := time.Now(), make(chan error, 1)
				go func() { ended <- srv.Shutdown(ctx) }()
				for range row.pieces {
					time.Sleep(9 * stopStall / 10)
					c.play("C: more")
				}
				c.play(row.after)
				if err := <-ended; err != nil || time.Since(began) != row.took || len(p.bodies()) != row.stored {
					t.Errorf("%v after %v, stored %q", err, time.Since(began), p.bodies())
				}
			})
		})
	}
}

// In the handshake a session is between commands.
func TestShutdownInHandshake(t *testing.T) {
	server, _ := testTLS(t)
	synctest.Test(t, func(t *testing.T) {
		srv := New(Config{Hostname: "mx.test", TLS: server}, &post{})
		c := call(t, srv, "192.0.2.1")
		c.play(greeted + "C: STARTTLS\nS: 220")
		synctest.Wait()
		go func() { _, _ = io.Copy(io.Discard, c.conn) }() // the alert
		shutdown(t, srv)
	})
}

// A connection that was accepted just before Shutdown, and a Serve just after it.
func TestShutdownLate(t *testing.T) {
	srv := New(Config{}, &post{})
	before, after := listen(t), listen(t)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(before) }()
	call(t, srv, "192.0.2.1").play("S: 220\nC: QUIT\nS: 221\nX")
	shutdown(t, srv)
	if err := <-served; err != ErrServerClosed {
		t.Error(err)
	}
	call(t, srv, "192.0.2.1").play("S: 421 4.3.2\nX")
	if err := srv.Serve(after); err != ErrServerClosed {
		t.Error(err)
	}
	for _, l := range []net.Listener{before, after} {
		if _, err := l.Accept(); err == nil {
			t.Error("a listener is open")
		}
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}
