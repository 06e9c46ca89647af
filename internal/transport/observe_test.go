package transport

import (
	"crypto/x509"
	"fmt"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

// watched opens a session and returns what was seen of TLS, and whether there is a session.
func watched(t *testing.T, d *Direct, domain string, lax bool) string {
	t.Helper()
	var seen []string
	s, failed := d.Try(t.Context(), domain, Trial{Lax: lax, Observe: func(h Handshake) {
		if h.Domain != domain || h.Host == "" || h.Addr.IsValid() && !h.Local.IsValid() {
			t.Errorf("%+v", h)
		}
		seen = append(seen, h.Policy+" "+h.Result)
	}})
	if s != nil {
		s.Close()
	}
	return fmt.Sprintf("%s; session %t", strings.Join(seen, ", "), failed == nil)
}

// Each attempt at TLS is told in the words of RFC 8460.
func TestObserve(t *testing.T) {
	ca := newAuthority(t)
	starttls := []string{"STARTTLS"}
	for _, tt := range []struct {
		name   string
		server *server
		want   string
	}{
		{"any certificate", &server{offer: starttls, tls: ca.server(t, "other.example")},
			"no-policy-found ; session true"},
		{"no TLS", &server{}, "no-policy-found starttls-not-supported; session true"},
		{"broken", &server{offer: starttls}, "no-policy-found validation-failure; session true"},
		{"no greeting", &server{says: map[string]string{"": "554 go away"}}, "; session false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			port := ring(t, tt.server)
			d := direct(t, dnstest.New(t, "a.example. A 127.0.0.2"), port, nil)
			if got := watched(t, d, "a.example", false); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	for err, want := range map[error]string{x509.HostnameError{}: failedHost, errNoAnchor: failedOther,
		x509.UnknownAuthorityError{}: failedUntrusted,
		fmt.Errorf("x: %w", x509.CertificateInvalidError{Reason: x509.Expired}): failedExpired} {
		if got := failureType(err); got != want {
			t.Errorf("%v is %s, want %s", err, got, want)
		}
	}
}
