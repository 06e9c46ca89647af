package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
	"time"
)

// demand is what a session's TLS must be. The zero value is opportunistic: as good as it gets.
type demand struct {
	off      bool // not even if it is offered
	required bool // no TLS, no mail
	name     string
	verify   func(chain []*x509.Certificate) error // nil: any certificate will do
	report   func(error)                           // where set, what verify finds is only reported
	reason   string                                // who demands it
	policy   string                                // which one (RFC 8460 4.4)
	ignored  string                                // how the server fails a policy that is only tested
}

func (d demand) because() string {
	if d.reason == "" {
		return ""
	}
	return " (" + d.reason + ")"
}

// config is for one handshake. verified is set when the certificate is what was demanded.
func (d demand) config(verified *bool) *tls.Config {
	c := &tls.Config{
		ServerName: d.name,
		// Who the server is, is verified below, by the rules of the policy that demands it.
		InsecureSkipVerify: true,
		MinVersion:         tls.VersionTLS12, // RFC 8461 4.2, RFC 8996
	}
	if !d.required {
		c.MinVersion = tls.VersionTLS10 // still better than none, which would be next
	}
	if d.verify == nil {
		return c
	}
	c.VerifyConnection = func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 {
			return errors.New("no certificate")
		}
		err := d.verify(state.PeerCertificates)
		*verified = err == nil
		if err != nil && d.report != nil {
			d.report(err)
			return nil
		}
		return err
	}
	return c
}

// byAuthorities verifies as browsers do: a chain to a root, for one of the names.
func byAuthorities(roots *x509.CertPool, now func() time.Time, names ...string) func([]*x509.Certificate) error {
	return func(chain []*x509.Certificate) error {
		between := x509.NewCertPool()
		for _, c := range chain[1:] {
			between.AddCert(c)
		}
		_, err := chain[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: now()})
		if err != nil {
			return err
		}
		return hasName(chain[0], names)
	}
}

// hasName says whether a certificate is for one of the names.
func hasName(c *x509.Certificate, names []string) error {
	var err error
	for _, name := range names {
		if err = c.VerifyHostname(name); err == nil {
			return nil
		}
	}
	return err
}

// versionName is a version as results have it.
func versionName(version uint16) string { return strings.ReplaceAll(tls.VersionName(version), " ", "") }
