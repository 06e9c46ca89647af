package test

import (
	"crypto/tls"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/acme/pebbletest"
)

// A server that is told to gets a certificate from an authority, by itself, and shows it for HTTPS and STARTTLS; until
// then mail comes in all the same. After a restart it has it still.
func TestACME(t *testing.T) {
	t.Parallel()
	ca := pebbletest.Start(t)
	srv := start(t, "MAILKIN_TLS=acme:ops@example.com", "MAILKIN_ACME_DIRECTORY="+ca.Directory,
		"SSL_CERT_FILE="+ca.RootsFile,
		"MAILKIN_HOSTNAME=mx.example.test", "MAILKIN_PUBLIC_URL=https://api.example.test")
	web := webAddr(t, srv)
	if chain := mailCert(t, srv.smtp); verifies(ca, "mx.example.test", chain) == nil {
		t.Error("the certificate is there before anybody could ask")
	}
	ca.Forward(nil, []string{web})
	for _, name := range []string{"mx.example.test", "api.example.test"} {
		awaitCert(t, srv, web, name, ca)
	}
	before := mailCert(t, srv.smtp)
	if err := verifies(ca, "mx.example.test", before); err != nil {
		t.Errorf("STARTTLS shows another certificate: %v", err)
	}
	srv.restart(t)
	awaitCert(t, srv, webAddr(t, srv), "mx.example.test", ca)
	if !mailCert(t, srv.smtp)[0].Equal(before[0]) {
		t.Error("after a restart it is another one")
	}
	if n := ca.Orders(); n != 2 {
		t.Errorf("%d certificates were issued for two names", n)
	}
}

var printedPort = regexp.MustCompile(`:(\d+)$`)

// webAddr is where HTTPS is, by address.
func webAddr(t *testing.T, srv *server) string {
	t.Helper()
	m := printedPort.FindStringSubmatch(srv.http)
	if !strings.HasPrefix(srv.http, "https://") || m == nil {
		t.Fatalf("HTTP is at %s", srv.http)
	}
	return net.JoinHostPort("127.0.0.1", m[1])
}

// awaitCert waits until HTTPS shows a certificate of the authority's for a name.
func awaitCert(t *testing.T, srv *server, addr, name string, ca *pebbletest.Server) {
	t.Helper()
	deadline := time.Now().Add(3 * patience) // a first try that fails is repeated after a minute
	for {
		c, err := tls.DialWithDialer(&net.Dialer{Timeout: patience}, "tcp", addr, &tls.Config{ServerName: name,
			RootCAs: ca.Issuers})
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no certificate for %s: %v; log:\n%s", name, err, srv.stderr)
		}
		time.Sleep(20 * time.Millisecond) // nothing tells when it is there
	}
}
