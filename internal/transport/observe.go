package transport

import (
	"cmp"
	"crypto/x509"
	"errors"
	"net/netip"
)

// Handshake is what came of one attempt to have TLS with a server of a domain, in the words of RFC 8460 4.3.
type Handshake struct {
	Domain string // that mail was for
	Policy string // tlsa, sts or no-policy-found
	Result string // the type of the failure; empty: all was as the policy wants it
	Host   string
	Addr   netip.Addr // of the server; invalid: it was not connected to
	Local  netip.Addr // of this machine, likewise
}

// Trial is how a session is opened, beside its destination.
type Trial struct {
	// Observe is told of each attempt at TLS; nil: nobody is.
	Observe func(Handshake)
	// Lax opens a session also where DANE or MTA-STS do not let it. It is for reports on that (RFC 8460 3).
	Lax bool
}

// The policies and results of RFC 8460 4.3, 4.4.
const (
	policyDANE = "tlsa"
	policySTS  = "sts"
	policyNone = "no-policy-found"

	failedNoTLS     = "starttls-not-supported"
	failedHost      = "certificate-host-mismatch"
	failedExpired   = "certificate-expired"
	failedUntrusted = "certificate-not-trusted"
	failedOther     = "validation-failure"
	failedDNSSEC    = "dnssec-invalid"
	failedTLSA      = "tlsa-invalid"
	failedFetch     = "sts-policy-fetch-error"
	failedPolicy    = "sts-policy-invalid"
	failedWebPKI    = "sts-webpki-invalid"
)

// failureType is the type of a handshake that failed.
func failureType(err error) string {
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &host):
		return failedHost
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return failedExpired
	case errors.As(err, &authority):
		return failedUntrusted
	}
	return failedOther
}

// observe tells of an attempt that gave a session or a problem. Where there was no word about TLS, there is nothing to
// tell.
func (t Trial) observe(to target, s *session, p *problem) {
	if t.Observe == nil || to.demand.off {
		return
	}
	h := Handshake{Domain: to.domain, Policy: to.demand.policy, Host: to.host, Addr: addrOf(to.address)}
	switch {
	case p != nil && p.tls != "":
		h.Result, h.Local = p.tls, p.local
	case p != nil:
		return
	case s.testFailed != "" || to.demand.ignored != "":
		h.Result = cmp.Or(to.demand.ignored, s.testFailed)
	case s.tls == "":
		h.Result = failedNoTLS
	}
	if s != nil {
		h.Local = addrOf(s.raw.LocalAddr().String())
	}
	t.Observe(h)
}
