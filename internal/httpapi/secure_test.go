package httpapi

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// pair is a certificate for example.com, and those who trust it.
func pair(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	srv := httptest.NewTLSServer(http.NotFoundHandler())
	defer srv.Close()
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	return &tls.Config{Certificates: srv.TLS.Certificates}, roots
}

// Both versions of HTTP are spoken over TLS, handlers see that it is TLS, and clients that do not shake hands hold up
// nobody.
func TestSecure(t *testing.T) {
	cfg, roots := pair(t)
	addr := startServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ", r.TLS != nil && r.TLS.HandshakeComplete && r.TLS.ServerName == "example.com")
	}), cfg)
	for range 5 {
		dial(t, addr) // which stay silent
	}
	for _, want := range []string{"HTTP/1.1 true", "HTTP/2.0 true"} {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "example.com"},
			ForceAttemptHTTP2: want == "HTTP/2.0 true"}
		defer transport.CloseIdleConnections()
		for range 2 {
			resp, err := (&http.Client{Transport: transport}).Get("https://" + addr)
			if err != nil {
				t.Fatal(err)
			}
			if body, _ := io.ReadAll(resp.Body); string(body) != want {
				t.Errorf("got %s, want %s", body, want)
			}
			resp.Body.Close()
		}
	}
}

// A client that wants another protocol than HTTP has seen the certificate; there is nothing else for it.
func TestSecureOtherProtocol(t *testing.T) {
	cfg, roots := pair(t)
	cfg.NextProtos = []string{"h2", "http/1.1", "acme-tls/1"}
	addr := startServer(t, http.NotFoundHandler(), cfg)
	c := tls.Client(dial(t, addr), &tls.Config{RootCAs: roots, ServerName: "example.com",
		NextProtos: []string{"acme-tls/1"}})
	if err := c.Handshake(); err != nil || c.ConnectionState().NegotiatedProtocol != "acme-tls/1" {
		t.Fatalf("%v, %q", err, c.ConnectionState().NegotiatedProtocol)
	}
	if n, err := c.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("read %d bytes, %v", n, err)
	}
}
