package parked_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/connlimit"
	"github.com/mailkin/mailkin/internal/parked"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kit is a server of which the requests below /wait wait until the test says so.
type kit struct {
	*testing.T
	limiter *connlimit.Limiter
	lot     *parked.Lot
	srv     *http.Server
	addr    string
	entered chan *http.Request
	release chan http.HandlerFunc // what answers
	left    chan error            // why a request no longer waits that was not answered
}

func start(t *testing.T, idle time.Duration) *kit {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{T: t, limiter: connlimit.New(connlimit.Options{}), addr: inner.Addr().String(),
		entered: make(chan *http.Request, 10), release: make(chan http.HandlerFunc), left: make(chan error, 10)}
	k.lot = parked.New(func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/wait") }, k.limiter, idle,
		slog.New(slog.DiscardHandler))
	k.srv = &http.Server{Handler: k.lot.Handler(k), ConnState: k.limiter.State}
	done := make(chan error, 1)
	go func() { done <- k.lot.Serve(k.srv, k.limiter.Listen(inner, true)) }()
	t.Cleanup(func() {
		if err := k.stop(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-done; err != http.ErrServerClosed {
			t.Error(err)
		}
		for k.limiter.Stats().Open > 0 { // net/http says so a moment later
			time.Sleep(time.Millisecond)
		}
	})
	return k
}

// stop ends the server as the program does.
func (k *kit) stop(ctx context.Context) error {
	over := make(chan error, 1)
	go func() {
		err := k.srv.Shutdown(ctx)
		if late := k.lot.Shutdown(ctx); err == nil {
			err = late
		}
		over <- err
	}()
	for {
		select {
		case err := <-over:
			return err
		case <-time.After(time.Millisecond):
			k.limiter.CloseIdle()
		}
	}
}

func (k *kit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/wait") {
		_, _ = io.WriteString(w, "at once")
		return
	}
	k.entered <- r
	select {
	case answer := <-k.release:
		answer(w, r)
	case <-r.Context().Done():
		k.left <- r.Context().Err()
		panic(http.ErrAbortHandler)
	}
}

type conn struct {
	net.Conn
	in *bufio.Reader
}

func (k *kit) dial() *conn {
	k.Helper()
	c, err := net.Dial("tcp", k.addr)
	if err != nil {
		k.Fatal(err)
	}
	k.Cleanup(func() { _ = c.Close() })
	return &conn{c, bufio.NewReader(c)}
}

func (c *conn) ask(path string, headers ...string) {
	_, _ = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n"+strings.Join(append(headers, "\r\n"), "\r\n"))
}

func (k *kit) answer(c *conn) (*http.Response, string) {
	k.Helper()
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		k.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		k.Fatal(err)
	}
	return resp, string(body)
}

func say(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, text+r.URL.Path) }
}

// One connection takes requests that wait and others in any order, and is counted once all the time.
func TestTurns(t *testing.T) {
	k := start(t, time.Minute)
	c := k.dial()
	for i := range 5 {
		path := fmt.Sprintf("/wait/%d", i)
		c.ask(path)
		<-k.entered
		if open := k.limiter.Stats().Open; open != 1 {
			t.Errorf("%d connections are counted", open)
		}
		k.release <- say("here is ")
		resp, body := k.answer(c)
		length, dated := resp.ContentLength, resp.Header.Get("Date") != ""
		if body != "here is "+path || length != int64(len(body)) || resp.Close || !dated {
			t.Errorf("%s: %q %v", path, body, resp)
		}
		for range i {
			c.ask("/other")
			if _, body := k.answer(c); body != "at once" {
				t.Errorf("%q", body)
			}
		}
	}
	if open := k.limiter.Stats().Open; open != 1 {
		t.Errorf("%d connections are counted", open)
	}
}

// Requests that come before their turn are answered in theirs.
func TestPipeline(t *testing.T) {
	k := start(t, time.Minute)
	c := k.dial()
	const one = "GET /wait/a HTTP/1.1\r\nHost: x\r\n\r\n"
	_, _ = io.WriteString(c, one+strings.Repeat("GET /other HTTP/1.1\r\nHost: x\r\n\r\n", 3)+one)
	<-k.entered
	_, _ = io.WriteString(c, one+"GET /other HTTP/1.1\r\nHost: x\r\n\r\n")
	for _, want := range []string{"1/wait/a", "at once", "at once", "at once", "2/wait/a", "3/wait/a", "at once"} {
		if n, waits := strings.CutSuffix(want, "/wait/a"); waits {
			if n != "1" {
				<-k.entered
			}
			k.release <- say(n)
		}
		if _, body := k.answer(c); body != want {
			t.Errorf("%q, want %q", body, want)
		}
	}
}

func TestAnswers(t *testing.T) {
	long := strings.Repeat("long ", 100_000)
	for name, row := range map[string]struct {
		answer  http.HandlerFunc
		headers []string
		want    string
		pieces  bool
		closed  bool
	}{
		"nothing": {answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }},
		"long": {answer: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, long) }, want: long,
			pieces: true},
		"of a length": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(long)))
			for piece := range strings.SplitAfterSeq(long, " ") {
				_, _ = io.WriteString(w, piece)
			}
		}, want: long},
		"a stream": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			for range 3 {
				_, _ = io.WriteString(w, "x")
				_ = http.NewResponseController(w).Flush()
			}
		}, want: "xxx", pieces: true, closed: true},
		"the last": {answer: say(""), headers: []string{"Connection: close"}, want: "/wait", closed: true},
	} {
		t.Run(name, func(t *testing.T) {
			k := start(t, time.Minute)
			k.T = t
			c := k.dial()
			c.ask("/wait", row.headers...)
			<-k.entered
			k.release <- row.answer
			resp, body := k.answer(c)
			if body != row.want || resp.Close != row.closed || len(resp.TransferEncoding) > 0 != row.pieces {
				t.Errorf("%d bytes, %v", len(body), resp)
			}
			if !row.closed {
				return
			}
			if _, err := c.in.ReadByte(); err != io.EOF {
				t.Errorf("the connection is still there: %v", err)
			}
		})
	}
}

// A client that hangs up ends its request, also after it has sent another one.
func TestHangUp(t *testing.T) {
	k := start(t, time.Minute)
	c := k.dial()
	c.ask("/wait")
	<-k.entered
	_ = c.Close()
	if err := <-k.left; err != context.Canceled {
		t.Error(err)
	}
}

// What net/http would do with a handler that breaks off is done here, too.
func TestAbort(t *testing.T) {
	for _, with := range []any{http.ErrAbortHandler, "oh"} {
		k := start(t, time.Minute)
		c := k.dial()
		c.ask("/wait")
		<-k.entered
		k.release <- func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "never seen")
			panic(with)
		}
		if b, err := io.ReadAll(c); len(b) > 0 || err != nil {
			t.Errorf("%q, %v", b, err)
		}
	}
}

// A connection without a request is closed after a while.
func TestIdle(t *testing.T) {
	k := start(t, time.Millisecond)
	c := k.dial()
	c.ask("/wait")
	<-k.entered
	k.release <- say("")
	k.answer(c)
	if b, err := io.ReadAll(c); len(b) > 0 || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

// A connection that came back with a part of a request does not hold up a stop.
func TestStopWithPart(t *testing.T) {
	k := start(t, time.Minute)
	c := k.dial()
	c.ask("/wait")
	<-k.entered
	k.release <- say("")
	k.answer(c)
	_, _ = io.WriteString(c, "GET /other HT")
	time.Sleep(50 * time.Millisecond) // for it to be back; the test passes without, too
	began := time.Now()
	if err := k.stop(t.Context()); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
}

// Other requests are answered by net/http itself.
func TestOthersStay(t *testing.T) {
	const ask = "GET /wait HTTP/1.1\r\nHost: x\r\n"
	for _, request := range []string{"GET /wait HTTP/1.0\r\n\r\n", "POST /wait HTTP/1.1\r\nHost: x\r\n\r\n",
		ask + "Content-Length: 1\r\n\r\nx", ask + "Upgrade: x\r\n\r\n"} {
		k := start(t, time.Minute)
		c := k.dial()
		_, _ = io.WriteString(c, request)
		if r := <-k.entered; r.Context().Value(http.ServerContextKey) == nil {
			t.Errorf("%q was taken", request)
		}
		k.release <- say("")
		k.answer(c)
	}
}

// Requests that wait are answered before the end, those that take too long are cut off.
func TestShutdown(t *testing.T) {
	k := start(t, time.Minute)
	c, late := k.dial(), k.dial()
	c.ask("/wait/a")
	<-k.entered
	over := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	late.ask("/wait/b")
	<-k.entered
	go func() { over <- k.stop(ctx) }()
	k.release <- say("")
	select {
	case err := <-over:
		t.Fatalf("it is over while one still waits: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	cancel()
	if err := <-over; err != context.Canceled {
		t.Error(err)
	}
	<-k.left
}
