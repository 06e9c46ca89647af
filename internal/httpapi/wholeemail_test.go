package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// wholeOver asks a server for a whole email, over a version of HTTP.
func wholeOver(t *testing.T, f *fake, http2 bool) (*API, *httptest.Server, *http.Response) {
	t.Helper()
	api := New(f, newConfig(io.Discard))
	srv := httptest.NewUnstartedServer(api)
	srv.EnableHTTP2 = http2
	srv.StartTLS()
	t.Cleanup(srv.Close)
	r, err := http.NewRequestWithContext(t.Context(), get, srv.URL+"/v1/email?full=true&id="+fakeID.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+keyMailbox)
	resp, err := srv.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || resp.ProtoAtLeast(2, 0) != http2 || resp.ContentLength >= 0 {
		t.Fatalf("%s %s, %d bytes", resp.Proto, resp.Status, resp.ContentLength)
	}
	return api, srv, resp
}

// A whole email that breaks off never looks like a whole answer to its client.
func TestWholeEmailBreaks(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			f := &fake{long: true, content: []byte(strings.Repeat("line\u0001 of text\r\n", 40_000)),
				broken: errors.New("the disk is gone")}
			_, _, resp := wholeOver(t, f, http2)
			if n, err := io.Copy(io.Discard, resp.Body); err == nil {
				t.Errorf("%d bytes, and no error", n)
			}
		})
	}
}

// Clients that take nothing are cut off when the server stops, so that it can.
func TestStopSlowReaders(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			api, srv, resp := wholeOver(t, &fake{long: true, content: make([]byte, 64<<20)}, http2)
			api.Stop(time.Minute)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			if err := srv.Config.Shutdown(ctx); err != nil {
				t.Errorf("the server does not end: %v", err)
			}
			if n, err := io.Copy(io.Discard, resp.Body); err == nil {
				t.Errorf("%d bytes, and no error", n)
			}
		})
	}
}

// Clients that stop sending a body are cut off, too; one whose body comes gets its answer, also if that takes longer.
func TestStopSlowSenders(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		for rest, want := range map[string]int{"": http.StatusRequestTimeout, `"}`: http.StatusOK} {
			t.Run(fmt.Sprint(name, " ", want), func(t *testing.T) {
				api := New(&fake{delay: stopStall + stopStall/4}, newConfig(io.Discard))
				srv := httptest.NewUnstartedServer(api)
				srv.EnableHTTP2 = http2
				srv.StartTLS()
				t.Cleanup(srv.Close)
				from, to := io.Pipe()
				defer to.Close()
				status := make(chan int, 1)
				go func() { status <- sendBody(t, srv, from) }()
				_, _ = io.WriteString(to, `{"to":"a@example.org","subject":"x","text":"half`)
				for !api.answers.waits() {
					time.Sleep(time.Millisecond)
				}
				api.Stop(time.Minute)
				if rest != "" {
					_, _ = io.WriteString(to, rest)
					to.Close()
				}
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				if err := srv.Config.Shutdown(ctx); err != nil {
					t.Errorf("the server does not end: %v", err)
				}
				if got := <-status; got != want {
					t.Errorf("status %d", got)
				}
			})
		}
	}
}

// waits tells whether more of a body is waited for.
func (l *longAnswers) waits() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.from) > 0
}

// sendBody sends a message with a body that may break off, and returns the status of the answer.
func sendBody(t *testing.T, srv *httptest.Server, body io.Reader) int {
	r, err := http.NewRequestWithContext(t.Context(), post, srv.URL+"/v1/send", body)
	if err != nil {
		t.Error(err)
		return 0
	}
	r.Header.Set("Authorization", "Bearer "+keyMailbox)
	r.Header.Set("Content-Type", "application/json")
	resp, err := srv.Client().Do(r)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// What a client takes of a whole email puts its end off, up to an hour.
func TestWholeEmailPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &pacedWriter{call: &call{out: newResponse(&discard{header: http.Header{}})}, began: time.Now(),
			most: wholeTime}
		for _, tt := range []struct {
			took int
			want time.Duration
		}{{0, largeTime}, {3 * largeRate, largeTime + 3*time.Second}, {64 << 20, wholeTime}} {
			_, err := w.Write(make([]byte, tt.took))
			if err == nil {
				_, err = w.Write(nil)
			}
			if got := w.out.end.Sub(w.began); err != nil || got != tt.want {
				t.Errorf("%d bytes must be taken within %s, want %s, %v", tt.took, got, tt.want, err)
			}
		}
	})
}

// A long answer is remembered until its handler returns, also where its client is gone at once.
func TestLongAnswers(t *testing.T) {
	api := New(&fake{long: true, content: make([]byte, 1<<20)}, newConfig(io.Discard))
	r := httptest.NewRequest(get, "/v1/email?full=true&id="+fakeID.String(), nil)
	r.Header.Set("Authorization", "Bearer "+keyMailbox)
	func() {
		defer func() { _ = recover() }()
		api.ServeHTTP(gone{httptest.NewRecorder()}, r)
	}()
	if n := len(api.answers.open); n != 0 {
		t.Errorf("%d answers are left", n)
	}
}

// gone is a client that has left.
type gone struct{ http.ResponseWriter }

func (gone) Write([]byte) (int, error) { return 0, net.ErrClosed }
