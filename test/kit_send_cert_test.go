package test

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"path/filepath"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/certtest"
)

// certificate makes a self-signed certificate for a host and gives it with the files that it is in.
func certificate(t testing.TB, host string) (cert tls.Certificate, certFile, keyFile string) {
	t.Helper()
	cert = certtest.Issue(t, &x509.Certificate{Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotAfter: time.Now().Add(time.Hour)}, nil)
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certtest.Write(t, cert, certFile, keyFile)
	return cert, certFile, keyFile
}
