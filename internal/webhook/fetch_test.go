package webhook

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// A file is fetched from where a webhook may be, and nowhere else: not by a redirect either, and not without end.
func TestFetch(t *testing.T) {
	const limit = 1000
	hang := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		_, _ = w.Write(bytes.Repeat([]byte("x"), limit))
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(bytes.Repeat([]byte("x"), limit+1))
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) { // it does not say how long it is
		for i := range limit + 1 {
			_, _ = w.Write([]byte("x"))
			if i%100 == 0 {
				w.(http.Flusher).Flush()
			}
		}
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("x"))
		w.(http.Flusher).Flush()
		<-hang
	})
	mux.Handle("/moved", http.RedirectHandler("/file", http.StatusFound))
	here := httptest.NewServer(mux)
	t.Cleanup(here.Close)
	t.Cleanup(func() { close(hang) })
	p := newPoster(t, Options{Timeout: 10 * time.Second})
	got, mediaType, problem := p.Fetch(t.Context(), here.URL+"/file", limit)
	if len(got) != limit || mediaType != "text/csv" || problem != "" {
		t.Errorf("%d bytes of %q: %s", len(got), mediaType, problem)
	}
	refuses := func(p *Poster, address string) {
		t.Helper()
		if got, _, problem := p.Fetch(t.Context(), address, limit); problem == "" || got != nil {
			t.Errorf("%s: %d bytes, %q", address, len(got), problem)
		}
	}
	for _, path := range []string{"/large", "/endless", "/moved", "/none"} {
		refuses(p, here.URL+path)
	}
	refuses(newPoster(t, Options{Timeout: 100 * time.Millisecond}), here.URL+"/slow")
	for _, address := range []string{"file:///etc/passwd", "/etc/passwd", "ftp://far.test/x", "data:text/plain,x",
		"http:", "http:///x", "gopher://127.0.0.1/"} {
		refuses(p, address)
	}
	guarded := newPoster(t, Options{Timeout: 10 * time.Second, AllowPrivate: func(netip.Addr) bool { return false }})
	for _, host := range []string{"localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", "127.1", "10.0.0.1",
		"192.168.0.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "100.64.0.1"} {
		refuses(guarded, "http://"+host+here.URL[strings.LastIndex(here.URL, ":"):]+"/file")
	}
	refuses(guarded, here.URL+"/file")
}
