package webhook

import (
	"crypto/tls"
	"crypto/x509"
	"strings"
	"testing"
)

// pool has the authority of httptest's certificate, which is for example.com and loopback addresses.
func pool(r *receiver) *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(r.Certificate())
	return p
}

func TestTLS(t *testing.T) {
	known := newReceiver(t, nil)
	known.StartTLS()
	old := newReceiver(t, nil)
	old.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	old.StartTLS()
	plain := startReceiver(t, nil)
	port := func(url string) string { return url[strings.LastIndex(url, ":"):] }
	for _, tt := range []struct {
		name, url, says string
		roots           *x509.CertPool
	}{
		{"known authority", known.URL, "", pool(known)},
		{"unknown authority", known.URL, "The receiver's TLS certificate is not signed by a known authority.", nil},
		{"another name", "https://hook.example.org" + port(known.URL), "The receiver's TLS certificate is for " +
			"another host name.", pool(known)},
		{"the certificate's name", "https://example.com" + port(known.URL), "", pool(known)},
		{"old versions alone", old.URL, "The receiver and we could not agree on TLS.", pool(known)},
		{"no TLS there", "https" + strings.TrimPrefix(plain.URL, "http"), "The receiver speaks HTTP and not HTTPS on " +
			"this port.", nil},
		{"TLS unexpected", "http" + strings.TrimPrefix(known.URL, "https"), "The receiver answered 400.", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPoster(t, Options{RootCAs: tt.roots, Resolver: nameServer(t, thisMachine)})
			if o := p.Post(t.Context(), shipment(tt.url)); o.OK() != (tt.says == "") || o.Error != tt.says {
				t.Errorf("%+v, want %q", o, tt.says)
			}
		})
	}
}

func TestHTTP2(t *testing.T) {
	for _, tt := range []struct {
		name, proto string
		http2       bool
	}{{"offered", "HTTP/2.0", true}, {"not offered", "HTTP/1.1", false}} {
		t.Run(tt.name, func(t *testing.T) {
			r := newReceiver(t, answer(200, strings.Repeat("a", 4*maxAnswer)))
			r.EnableHTTP2 = tt.http2
			r.StartTLS()
			p := newPoster(t, Options{RootCAs: pool(r)})
			for range 3 {
				if o := p.Post(t.Context(), shipment(r.URL)); !o.OK() || len(o.Response) != maxKept {
					t.Fatalf("%+v", o)
				}
			}
			for _, post := range r.all() {
				if post.proto != tt.proto || post.body != testBody || post.header.Get("webhook-id") != testID {
					t.Errorf("received %+v", post)
				}
			}
			if n := r.connections(); tt.http2 && n != 1 {
				t.Errorf("%d connections", n)
			}
		})
	}
}
