package webhook

import (
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// A report is posted as it is, to whoever may have it, and nowhere else.
func TestPostReport(t *testing.T) {
	var got []string
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		user, password, _ := r.BasicAuth()
		got = append(got, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type")+" "+string(body)+" "+user+password)
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/report", http.StatusTemporaryRedirect)
		case "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusCreated)
		}
	}))
	t.Cleanup(receiver.Close)
	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	p := newPoster(t, Options{Timeout: 10 * time.Second, RootCAs: roots})
	post := func(p *Poster, address string) string {
		return p.PostReport(t.Context(), address, "application/tlsrpt+gzip", []byte("packed"))
	}
	withUser := strings.Replace(receiver.URL, "https://", "https://me:secret@", 1)
	if problem := post(p, withUser+"/report"); problem != "" {
		t.Error(problem)
	}
	for _, address := range []string{receiver.URL + "/moved", receiver.URL + "/busy", "https:///x", "ftp://far.test/x",
		strings.Replace(receiver.URL, "https", "http", 1) + "/report"} {
		if problem := post(p, address); problem == "" || strings.Contains(problem, "secret") {
			t.Errorf("%s: %q", address, problem)
		}
	}
	nobody := newPoster(t, Options{Timeout: 10 * time.Second, RootCAs: roots,
		AllowPrivate: func(netip.Addr) bool { return false }})
	if problem := post(nobody, receiver.URL+"/report"); problem == "" {
		t.Error("a report was posted into our own network")
	}
	if problem := post(newPoster(t, Options{Timeout: 10 * time.Second}), receiver.URL+"/report"); problem == "" {
		t.Error("a report was posted to a stranger's certificate")
	}
	if len(got) != 3 || got[0] != "POST /report application/tlsrpt+gzip packed mesecret" {
		t.Errorf("posted %q", got)
	}
}
