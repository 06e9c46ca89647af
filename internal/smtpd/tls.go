package smtpd

import (
	"context"
	"crypto/tls"
	"fmt"
	"time"
)

// handshakeTimeout is for a whole TLS handshake; the slowest honest client needs a few round trips.
const handshakeTimeout = time.Minute

// serverTLS is the configuration as STARTTLS uses it: never below TLS 1.2, and without ALPN, because the
// configuration may be shared with the HTTP server, whose protocols are not spoken here.
func serverTLS(cfg *tls.Config) *tls.Config {
	if cfg == nil {
		return nil
	}
	cfg = cfg.Clone()
	cfg.MinVersion = max(cfg.MinVersion, tls.VersionTLS12)
	cfg.NextProtos = nil
	return cfg
}

// startTLS is RFC 3207. Nothing that was known before the handshake is believed after it (4.2).
func (s *session) startTLS(ctx context.Context, _ string) error {
	switch {
	case s.srv.tls == nil:
		return s.protest(replyNotImplemented)
	case s.secure:
		return s.protest(replySecureAlready)
	case s.loggedIn():
		return s.protest(replySecureLate)
	case s.wire.in.len() > 0:
		// Commands sent along in plain text would run inside the encrypted session as if the client had sent them
		// there.
		return s.end(replyBeforeTLS)
	}
	s.reset()
	s.wire.say(replyStartTLS)
	if err := s.wire.flush(); err != nil {
		return err
	}
	if err := s.wire.secure(ctx, s.srv.tls); err != nil {
		s.log.Debug("TLS handshake", "error", err)
		return fmt.Errorf("TLS handshake: %w", errLost)
	}
	s.secure, s.helo, s.extended = true, "", false
	return nil
}
