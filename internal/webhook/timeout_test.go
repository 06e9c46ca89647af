package webhook

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a network of pipes to serve, inside a bubble, which waits for it.
func pipes(t *testing.T, serve func(net.Conn)) func(context.Context, string, string) (net.Conn, error) {
	t.Cleanup(func() { time.Sleep(time.Hour) }) // whatever serve waits for ends
	return func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			serve(theirs)
		}()
		return ours, nil
	}
}

// takeAll reads until the other side is gone.
func takeAll(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// pipePoster is a Poster whose connections are pipes to serve: a network in which time is the test's.
func pipePoster(t *testing.T, serve func(net.Conn)) *Poster {
	p := newPoster(t, Options{})
	p.transport.DialContext = pipes(t, serve)
	return p
}

// readPost reads a whole request.
func readPost(conn net.Conn) {
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err == nil {
		_, _ = io.Copy(io.Discard, req.Body)
	}
}

// drip writes text over and over, a byte a second, until the other side is gone.
func drip(conn net.Conn, text string) {
	for {
		for _, b := range []byte(text) {
			time.Sleep(time.Second)
			if _, err := conn.Write([]byte{b}); err != nil {
				return
			}
		}
	}
}

// Whatever it is that takes long, the exchange ends at the time-out, to the nanosecond.
func TestTimeout(t *testing.T) {
	const says = "The receiver did not answer within 10s."
	for _, tt := range []struct {
		name   string
		serve  func(net.Conn)
		status int
	}{
		{"takes nothing", func(net.Conn) { time.Sleep(time.Minute) }, 0},
		{"says nothing", takeAll, 0},
		{"headers drip", func(conn net.Conn) { readPost(conn); drip(conn, "HTTP/1.1 200 OK\r\n") }, 0},
		{"headers without end", func(conn net.Conn) {
			readPost(conn)
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n")
			drip(conn, "A: b\r\n")
		}, 0},
		{"100 and no more", func(conn net.Conn) {
			readPost(conn)
			fmt.Fprint(conn,
				"HTTP/1.1 100 Continue\r\n\r\n")
			takeAll(conn)
		}, 0},
		{"199 and no more", func(conn net.Conn) {
			readPost(conn)
			fmt.Fprint(conn,
				"HTTP/1.1 199 Nearly\r\n\r\n")
			takeAll(conn)
		}, 0},
		{"103 over and over", func(conn net.Conn) { readPost(conn); drip(conn, "HTTP/1.1 103 Early Hints\r\n\r\n") },
			0},
		{"body drips", func(conn net.Conn) {
			readPost(conn)
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			drip(conn, "a")
		}, 200},
		{"body drips without end", func(conn net.Conn) {
			readPost(conn)
			fmt.Fprint(conn,
				"HTTP/1.1 200 OK\r\n\r\n")
			drip(conn, "a")
		}, 200},
		{"chunks drip", func(conn net.Conn) {
			readPost(conn)
			fmt.Fprint(conn, "HTTP/1.1 202 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
			drip(conn, "1\r\na\r\n")
		}, 202},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				o := pipePoster(t, tt.serve).Post(t.Context(), shipment("http://hook.example/"))
				took := time.Since(began)
				if o.OK() || o.Error != says || o.Status != tt.status || took != 10*time.Second || o.Duration != took {
					t.Errorf("%+v after %s", o, took)
				}
			})
		})
	}
}

// The time-out covers what comes before the request: the connection, the TLS handshake.
func TestTimeoutBefore(t *testing.T) {
	const says = "The receiver did not answer within 3s."
	for _, tt := range []struct {
		name, url string
		poster    func(*testing.T) *Poster
	}{
		{"connection", "http://hook.example", func(t *testing.T) *Poster {
			p := newPoster(t, Options{Timeout: 3 * time.Second})
			p.transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return p
		}},
		{"handshake", "https://hook.example", func(t *testing.T) *Poster {
			p := newPoster(t, Options{Timeout: 3 * time.Second})
			p.transport.DialContext = pipes(t, takeAll)
			return p
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := tt.poster(t)
				began := time.Now()
				o := p.Post(t.Context(), shipment(tt.url))
				if took := time.Since(began); o.Error != says || took != 3*time.Second || o.Duration != took {
					t.Errorf("%+v after %s", o, took)
				}
			})
		})
	}
}

// And the lookup of the name. The resolver keeps state of its own over bubbles, so this takes real time.
func TestTimeoutLookup(t *testing.T) {
	p := newPoster(t, Options{Timeout: 50 * time.Millisecond, Resolver: &net.Resolver{PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}})
	o := p.Post(t.Context(), shipment("http://hook.example"))
	// the resolver's own is 5 s
	if o.Error != "The receiver did not answer within 50ms." || o.Duration < 50*time.Millisecond ||
		o.Duration > 4*time.Second {
		t.Errorf("%+v", o)
	}
}

// counted counts what is written to it.
type counted struct {
	net.Conn
	written int
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.written += n
	return n, err
}

// Of a long answer no more is read than 64 KB and what a buffer holds.
func TestLongAnswer(t *testing.T) {
	kilobyte := bytes.Repeat([]byte("a"), 1<<10)
	for _, tt := range []struct{ name, head, before, after string }{
		{"length said", "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", "", ""},
		{"until the end", "HTTP/1.1 200 OK\r\n\r\n", "", ""},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "400\r\n", "\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				written := make(chan int, 1)
				p := pipePoster(t, func(conn net.Conn) {
					c := &counted{Conn: conn}
					readPost(c)
					_, err := io.WriteString(c, tt.head)
					for err == nil {
						_, err = fmt.Fprintf(c, "%s%s%s", tt.before, kilobyte, tt.after)
					}
					written <- c.written
				})
				o := p.Post(t.Context(), shipment("http://hook.example/"))
				if n := <-written; !o.OK() || o.Response != string(kilobyte) || n < maxAnswer || n > maxAnswer+8<<10 {
					t.Errorf("%d bytes read, %+v", n, o)
				}
			})
		})
	}
}

// Answers that are none.
func TestBrokenAnswer(t *testing.T) {
	const closed, unreadable = "The receiver closed the connection without an answer.", "The receiver's answer could " +
		"not be read."
	for _, tt := range []struct {
		name, answer, says string
		status             int
	}{
		{"nothing", "", closed, 0},
		{"half a line", "HTTP/1.1 20", unreadable, 0},
		{"half the headers", "HTTP/1.1 200 OK\r\nA: b\r\n", closed, 0},
		{"100 alone", "HTTP/1.1 100 Continue\r\n\r\n", closed, 0},
		{"199 alone", "HTTP/1.1 199 Nearly\r\n\r\n", closed, 0},
		{"not HTTP", "220 mx.example ESMTP\r\n", unreadable, 0},
		{"no number", "HTTP/1.1 OK OK\r\n\r\n", unreadable, 0},
		{"headers without end", "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("b", 2*maxAnswer), unreadable, 0},
		{"other protocol", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc",
			"The receiver answered 101.", 101},
		{"less than it said", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "", 200},
		{"chunk cut off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", "", 200},
		{"body where none can be", "HTTP/1.1 204 OK\r\nConnection: close\r\nTransfer-Encoding: " +
			"chunked\r\n\r\nHTTP/1.1 500 Second\r\n\r\n", "", 204},
		{"100 first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\nContent-Length: 0\r\n\r\n", "", 201},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := pipePoster(t, func(conn net.Conn) {
					readPost(conn)
					_, _ = io.WriteString(conn, tt.answer)
				})
				if o := p.Post(t.Context(), shipment("http://hook.example/")); o.Error != tt.says ||
					o.Status != tt.status || o.OK() != (tt.says == "") || o.Duration != 0 {
					t.Errorf("%+v", o)
				}
			})
		})
	}
}

// A receiver that resets the connection, and one that is not there.
func TestReset(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		readPost(conn)
		_ = conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	}()
	p := newPoster(t, Options{})
	url := "http://" + l.Addr().String()
	if o := p.Post(t.Context(), shipment(url)); o.Error != "The receiver closed the connection without an answer." {
		t.Errorf("%+v", o)
	}
	l.Close()
	<-done
	if o := p.Post(t.Context(), shipment(url)); o.Error != "The receiver refused the connection." {
		t.Errorf("%+v", o)
	}
	if o := newPoster(t, Options{Resolver: nameServer(t, func(string, uint16) []string { return nil })}).Post(
		t.Context(), shipment("http://gone.example")); o.Error != saysNoName {
		t.Errorf("%+v", o)
	}
}
