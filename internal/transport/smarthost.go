package transport

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net"
	"time"
)

// SmarthostOptions say how mail is given to a smarthost.
type SmarthostOptions struct {
	Hostname string         // of this server, for EHLO
	Roots    *x509.CertPool // nil: the system's
	Dial     dialFunc       // nil: the network
	Now      func() time.Time
	Log      *slog.Logger
}

// Smarthost sends all mail to one server. Its name may be one that only this machine knows, so it is looked up as the
// system does.
type Smarthost struct {
	client
	relay  Relay
	demand demand
}

// NewSmarthost gives a way to a relay.
func NewSmarthost(r Relay, o SmarthostOptions) *Smarthost {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Smarthost{client: newClient(o.Hostname, o.Dial, o.Log), relay: r}
	s.demand = demand{name: r.host, off: r.tls == tlsOff}
	if r.tls != tlsOff && !r.isLocal() {
		s.demand.required, s.demand.reason = true, "the settings"
		if r.tls == tlsVerified {
			s.demand.verify = byAuthorities(o.Roots, o.Now, r.host)
		}
	}
	return s
}

// Open returns a session with the relay, whatever the destination.
func (s *Smarthost) Open(ctx context.Context, _ string) (Session, *Result) {
	ctx, cancel := context.WithTimeout(ctx, s.times.open)
	defer cancel()
	opened, p := s.open(ctx, target{
		host: s.relay.host, address: net.JoinHostPort(s.relay.host, s.relay.port), implicit: s.relay.implicit,
		user: s.relay.user, password: s.relay.password, demand: s.demand,
	})
	if p != nil {
		return nil, &p.Result
	}
	return opened, nil
}
