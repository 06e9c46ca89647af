package test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"net"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/acme/pebbletest"
)

// mailCert is the chain that STARTTLS shows to a client that names no server.
func mailCert(t *testing.T, addr string) []*x509.Certificate {
	t.Helper()
	conn, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	s := &session{conn: conn, in: bufio.NewReader(conn)}
	if _, err := s.read(); err != nil {
		t.Fatal(err)
	}
	if err := s.hello(); err != nil {
		t.Fatal(err)
	}
	s.mustAsk(t, "STARTTLS", 220)
	secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
	if err := secure.Handshake(); err != nil {
		t.Fatal(err)
	}
	return secure.ConnectionState().PeerCertificates
}

// verifies tells whether a chain is the authority's for a name.
func verifies(ca *pebbletest.Server, name string, chain []*x509.Certificate) error {
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	_, err := chain[0].Verify(x509.VerifyOptions{DNSName: name, Roots: ca.Issuers, Intermediates: between})
	return err
}
