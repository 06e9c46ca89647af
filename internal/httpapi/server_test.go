package httpapi

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// start serves an interface on a real socket and returns its address.
func start(t *testing.T, f *fake) string {
	t.Helper()
	api, _ := newAPI(f)
	return startServer(t, api.Handler(), nil)
}

// startServer is start for any handler, and over TLS if there is a setting for it.
func startServer(t *testing.T, h http.Handler, cfg *tls.Config) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := NewServer(h, slog.New(slog.DiscardHandler))
	var conns sync.WaitGroup // a connection that is closed early lingers for half a second
	srv.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			conns.Add(1)
		case http.StateClosed:
			conns.Done()
		}
	}
	outer := JSONErrors(l)
	if cfg != nil {
		outer = Secure(srv, l, cfg)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(outer) }()
	t.Cleanup(func() {
		_ = srv.Close()
		<-done
		conns.Wait()
	})
	return l.Addr().String()
}

// talk sends bytes and returns the answer.
func talk(t *testing.T, conn net.Conn, request string) *http.Response {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// A body that is too large is refused before the client has sent any of it.
func TestLargeBodyIsNotAwaited(t *testing.T) {
	addr := start(t, &fake{})
	for path, contentType := range map[string]string{"/v1/ingest?mailbox=a@b": "message/rfc822",
		"/v1/send": "application/json", "/v1/forward": "application/json"} {
		resp := talk(t, dial(t, addr), "POST "+path+" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+keyOperator+
			"\r\nContent-Type: "+contentType+"\r\nContent-Length: 2000001\r\n\r\n")
		if resp.StatusCode != http.StatusRequestEntityTooLarge || !resp.Close {
			t.Errorf("%s: %d, close %v", path, resp.StatusCode, resp.Close)
		}
	}
}

func TestHeadAndKeepAlive(t *testing.T) {
	addr := start(t, &fake{content: []byte("0123456789")})
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	for _, path := range []string{"/v1/inbox", "/v1/me", "/v1/email/raw?id=" + fakeID.String(), "/health"} {
		var lengths []int64
		for _, method := range []string{"GET", "HEAD"} {
			r, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+keyMailbox)
			resp, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode != 200 || method == "HEAD" && len(body) > 0 {
				t.Errorf("%s %s: %d with %d bytes", method, path, resp.StatusCode, len(body))
			}
			lengths = append(lengths, resp.ContentLength)
		}
		if lengths[0] != lengths[1] || lengths[0] <= 0 {
			t.Errorf("%s: lengths %v", path, lengths)
		}
	}
}

// The server as a whole can be asked for its options too.
func TestOptionsOfServer(t *testing.T) {
	resp := talk(t, dial(t, start(t, &fake{})), "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n")
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("X-Request-Id") == "" {
		t.Errorf("%d with %v", resp.StatusCode, resp.Header)
	}
}

// synctestStart is what the clock shows at the start of a bubble.
var synctestStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// pipe is a listener with one connection, so that a server can run on a clock of its own.
type pipe struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipe) Close() error   { close(p.done); return nil }
func (p *pipe) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// onOwnClock runs a conversation with a server in a bubble where time passes only when everybody waits.
func onOwnClock(t *testing.T, f *fake, conversation func(t *testing.T, conn net.Conn)) {
	synctest.Test(t, func(t *testing.T) {
		serveOn(t, f, func(conn net.Conn) { conversation(t, conn) })
	})
}

// serveOn runs a conversation with a server over a pipe.
func serveOn(t *testing.T, f *fake, conversation func(conn net.Conn)) {
	t.Helper()
	api, _ := newAPI(f)
	srv := NewServer(api.Handler(), slog.New(slog.DiscardHandler))
	l := &pipe{make(chan net.Conn, 1), make(chan struct{})}
	done := make(chan struct{})
	go func() { _ = srv.Serve(l); close(done) }()
	client, server := net.Pipe()
	l.conns <- server
	defer func() {
		_ = client.Close()
		_ = srv.Close()
		<-done
	}()
	conversation(client)
}

func TestBodyThatStandsStill(t *testing.T) {
	for _, tt := range []struct {
		name, request, start string
		held                 time.Duration
	}{
		{"JSON", "PATCH /v1/mailbox", "application/json", bodyTime},
		{"message", "POST /v1/ingest?mailbox=a@b", "message/rfc822", stallTime},
		{"draft", "POST /v1/send", "application/json", stallTime},
		{"callback", "POST /v1/providers/resend", "application/json\r\n" + strings.Join(sign(resendSecret, "svix", "1",
			synctestStart, ""), "\r\n"), bodyTime},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onOwnClock(t, &fake{}, func(t *testing.T, conn net.Conn) {
				began := time.Now()
				resp := talk(t, conn, tt.request+" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+keyOperator+
					"\r\nContent-Type: "+tt.start+"\r\nContent-Length: 100\r\n\r\n{")
				if took := time.Since(began); resp.StatusCode != http.StatusRequestTimeout || took != tt.held {
					t.Errorf("%d after %v", resp.StatusCode, took)
				}
			})
		})
	}
}

// One that comes a byte at a time is not waited for any longer.
func TestBodyThatDrips(t *testing.T) {
	onOwnClock(t, &fake{}, func(t *testing.T, conn net.Conn) {
		began := time.Now()
		go func() { // two bytes that come in time, each by itself
			for range 2 {
				time.Sleep(12 * time.Second)
				_, _ = io.WriteString(conn, " ")
			}
		}()
		resp := talk(t, conn, "POST /v1/claim/start HTTP/1.1\r\nHost: x\r\nContent-Type: "+
			"application/json\r\nContent-Length: 100\r\n\r\n{")
		if took := time.Since(began); resp.StatusCode != http.StatusRequestTimeout || took != bodyTime {
			t.Errorf("%d after %v", resp.StatusCode, took)
		}
	})
}

// A body that nobody reads, and that does not come, holds a connection no longer than any other.
func TestIgnoredBodyThatStandsStill(t *testing.T) {
	onOwnClock(t, &fake{}, func(t *testing.T, conn net.Conn) {
		began := time.Now()
		_, _ = io.WriteString(conn, "GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+keyMailbox+
			"\r\nContent-Length: 100\r\n\r\n")
		_, _ = io.Copy(io.Discard, conn)
		if took := time.Since(began); took > stallTime+time.Second {
			t.Errorf("held for %v", took)
		}
	})
}

// A body that comes slowly but steadily is taken. One that is hardly moving is given up, so that it does not hold what
// it has on the disk.
func TestSlowBody(t *testing.T) {
	for _, tt := range []struct {
		name, path, contentType, body string
		pause                         time.Duration // before each byte
		status                        int
	}{
		{"message", "/v1/ingest?mailbox=a@b", "message/rfc822", "Subject: x", 4 * time.Second, http.StatusCreated},
		{"draft", "/v1/send", "application/json", `{"to":"a@x"}`, 4 * time.Second, http.StatusOK},
		{"message that hardly moves", "/v1/ingest?mailbox=a@b", "message/rfc822", "Subject: x", stallTime / 2,
			http.StatusRequestTimeout},
		{"draft that hardly moves", "/v1/send", "application/json", `{"to":"a@x"}`, stallTime / 2,
			http.StatusRequestTimeout},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onOwnClock(t, &fake{}, func(t *testing.T, conn net.Conn) {
				var sending sync.WaitGroup
				defer func() { _ = conn.Close(); sending.Wait() }()
				sending.Go(func() {
					_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+
						"%s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
						tt.path, keyOperator, tt.contentType, len(tt.body))
					for i := range tt.body {
						time.Sleep(tt.pause)
						if _, err := io.WriteString(conn, tt.body[i:i+1]); err != nil {
							return
						}
					}
				})
				if resp := talk(t, conn, ""); resp.StatusCode != tt.status {
					t.Errorf("status %d", resp.StatusCode)
				}
			})
		})
	}
}

// A client that does not read its answer is cut off; one that reads slowly gets it.
func TestAnswerThatStandsStill(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<16) // 1 MB
	request := "GET /v1/email/raw?id=" + fakeID.String() + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " +
		keyMailbox + "\r\n\r\n"
	onOwnClock(t, &fake{content: content}, func(t *testing.T, conn net.Conn) {
		resp := talk(t, conn, request)
		time.Sleep(stallTime + time.Second)
		if n, err := io.Copy(io.Discard, resp.Body); err == nil {
			t.Errorf("the whole answer came: %d bytes", n)
		}
	})
	onOwnClock(t, &fake{content: content}, func(t *testing.T, conn net.Conn) {
		resp := talk(t, conn, request)
		total := int64(0)
		for total < int64(len(content)) {
			time.Sleep(stallTime - time.Second)
			n, err := io.CopyN(io.Discard, resp.Body, 128<<10)
			if total += n; err != nil {
				t.Fatalf("%v after %d bytes", err, total)
			}
		}
	})
}

// A list of 50, from the request's bytes to the answer's, without a socket.
func BenchmarkInbox(b *testing.B) {
	list := make([]mailbox.Message, 50)
	for i := range list {
		list[i] = mailbox.Message{
			ID: fakeID, Thread: fakeID, Direction: mailbox.Inbound, Status: "received", ReceivedAt: fakeTime,
			From: mailbox.Address{Name: "Some Sender", Address: "sender@shop.example"}, To: ownAddress,
			Subject: "Your order 1234567 is on its way", Snippet: strings.Repeat("The parcel leaves today. ", 6),
			MessageID: "0123456789abcdef@shop.example", Labels: []string{"notification"},
		}
	}
	api, _ := newAPI(&fake{inbox: list})
	r := scenario{path: "/v1/inbox?limit=50"}.request()
	b.ReportAllocs()
	for b.Loop() {
		api.ServeHTTP(&discard{header: make(http.Header)}, r)
	}
}

type discard struct {
	http.ResponseWriter
	header http.Header
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
