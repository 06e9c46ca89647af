package httpapi

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A whole email that is ended for the next one never looks like a whole answer to its client, and its connection is not
// used for anything else. The next one is whole.
func TestWholeEmailEnds(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			api := openReal(t) // it has room for one answer
			srv := httptest.NewUnstartedServer(api)
			srv.EnableHTTP2 = http2
			srv.StartTLS()
			t.Cleanup(srv.Close)
			cl := client{t, api}
			text := strings.Repeat("line\u0001 of some length, so that there are not too many\r\n", 400_000)
			mail := "From: a@far.example\r\nSubject: long\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n" + text
			got := cl.json(scenario{method: post, path: "/v1/ingest?mailbox=" + configAddress, key: string(keyOperator), body: mail,
				header: []string{"Content-Type: message/rfc822"}, status: 201})
			ask := func() *http.Response {
				t.Helper()
				r, err := http.NewRequestWithContext(t.Context(), get, srv.URL+"/v1/email?full=true&id="+got["id"].(string), nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", "Bearer "+string(keyOperator))
				resp, err := srv.Client().Do(r)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = resp.Body.Close() })
				if resp.StatusCode != http.StatusOK || resp.Proto != name && resp.Proto != name+".0" || resp.ContentLength < int64(len(text)) {
					t.Fatalf("%s %s, %d bytes", resp.Proto, resp.Status, resp.ContentLength)
				}
				return resp
			}
			slow := ask()
			next := ask()
			if n, err := io.Copy(io.Discard, slow.Body); err == nil || n >= slow.ContentLength {
				t.Errorf("the first client got %d of %d bytes, %v", n, slow.ContentLength, err)
			}
			if n, err := io.Copy(io.Discard, next.Body); err != nil || n != next.ContentLength {
				t.Errorf("the next client got %d of %d bytes, %v", n, next.ContentLength, err)
			}
		})
	}
}

// What a client takes of a whole email puts its end off, up to an hour.
func TestWholeEmailPace(t *testing.T) {
	for _, tt := range []struct {
		size int64
		want time.Duration
	}{{3 * largeRate, largeTime + 3*time.Second}, {64 << 20, wholeTime}} {
		synctest.Test(t, func(t *testing.T) {
			file, err := os.Create(filepath.Join(t.TempDir(), "answer"))
			if err == nil {
				err = file.Truncate(tt.size)
			}
			if err != nil {
				t.Fatal(err)
			}
			w := &wholeAnswer{out: newResponse(&discard{header: http.Header{}}), file: file, size: tt.size}
			defer w.close()
			began := time.Now()
			w.send()
			if got := w.out.end.Sub(began); got != tt.want {
				t.Errorf("%d bytes must be taken within %s, want %s", tt.size, got, tt.want)
			}
		})
	}
}

// An answer that was cut off takes nothing any more, however often its deadline is set again.
func TestCut(t *testing.T) {
	w := newResponse(&discard{header: http.Header{}})
	if n, err := w.Write([]byte("x")); n != 1 || err != nil {
		t.Errorf("before: %d, %v", n, err)
	}
	w.cut()
	if n, err := w.Write([]byte("x")); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after: %d, %v", n, err)
	}
}
