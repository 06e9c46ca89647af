package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"
)

// target is where a session goes.
type target struct {
	host     string // name
	address  string // host:port
	implicit bool   // TLS from the first byte on
	user     string // for AUTH; empty for none
	password string
	demand   demand
	domain   string // that mail is for; empty for a relay
}

// problem is why there is no session.
type problem struct {
	Result
	handshake bool       // TLS did not work
	tls       string     // why, in the words of RFC 8460 4.3; empty: that is not why
	local     netip.Addr // of this machine
}

// open connects, says hello and does what the target demands.
func (c *client) open(ctx context.Context, t target) (*session, *problem) {
	dialing, cancel := context.WithTimeout(ctx, c.times.connect)
	defer cancel()
	conn, err := c.dial(dialing, "tcp", t.address)
	if err != nil {
		r := temporary("4.4.1", "cannot connect to %s: %s", t.address, cause(err))
		r.Host, r.Addr = t.host, addrOf(t.address)
		return nil, &problem{Result: r}
	}
	s := newSession(c, t.host, conn)
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	p := s.begin(ctx, t)
	if !stop() && p == nil {
		p = s.broken(ctx.Err())
	}
	if p != nil {
		conn.Close()
		return nil, p
	}
	return s, nil
}

func (s *session) begin(ctx context.Context, t target) *problem {
	if t.implicit {
		if p := s.secure(ctx, t.demand); p != nil {
			return p
		}
	}
	greeting, err := s.hear(s.times.greeting)
	switch {
	case err != nil:
		return s.broken(err)
	case greeting.class() != 2:
		return s.refused(greeting)
	}
	if p := s.hello(); p != nil {
		return p
	}
	if p := s.upgrade(ctx, t); p != nil {
		return p
	}
	if t.user != "" {
		return s.authenticate(t)
	}
	return nil
}

// hello is EHLO, or HELO where that is not known.
func (s *session) hello() *problem {
	s.ext = extensions{}
	first := true
	r, err := s.ask(s.times.hello, func(text string) {
		if !first { // the first line is the server's name
			s.ext.add(text)
		}
		first = false
	}, "EHLO ", s.hostname)
	if err == nil && r.class() == 5 {
		s.ext = extensions{}
		r, err = s.ask(s.times.hello, nil, "HELO ", s.hostname)
	}
	switch {
	case err != nil:
		return s.broken(err)
	case r.class() != 2:
		return s.refused(r)
	}
	return nil
}

// upgrade is STARTTLS (RFC 3207), if the server has it.
func (s *session) upgrade(ctx context.Context, t target) *problem {
	d := t.demand
	switch {
	case s.tls != "" || d.off:
		return nil
	case !s.ext.startTLS && !d.required:
		return nil
	case !s.ext.startTLS:
		p := s.failed(temporary("4.7.10", "%s must be reached with TLS%s, and does not offer it", t.host,
			d.because()))
		p.tls = failedNoTLS
		return p
	}
	r, err := s.ask(s.times.hello, nil, "STARTTLS")
	switch {
	case err != nil:
		p := s.broken(err)
		p.handshake, p.tls = true, failedOther
		return p
	case r.class() != 2 && !d.required && r.code != codeClosing:
		return nil
	case r.class() != 2:
		p := s.refused(r)
		p.tls = failedNoTLS
		return p
	case s.r.Buffered() > 0:
		// Somebody on the way put words in front of the encrypted ones, to have them taken for the server's.
		return s.unsecured(d, errInjected)
	}
	if p := s.secure(ctx, d); p != nil {
		return p
	}
	return s.hello()
}

// secure does the handshake.
func (s *session) secure(ctx context.Context, d demand) *problem {
	ctx, cancel := context.WithTimeout(ctx, s.times.handshake)
	defer cancel()
	if err := s.raw.SetDeadline(time.Time{}); err != nil { // ctx has it
		return s.broken(err)
	}
	verified := false
	if tell := d.report; tell != nil {
		d.report = func(err error) {
			s.testFailed = failureType(err)
			tell(err)
		}
	}
	conn := tls.Client(s.raw, d.config(&verified))
	if err := conn.HandshakeContext(ctx); err != nil {
		return s.unsecured(d, err)
	}
	s.attach(conn)
	s.tls, s.verified = versionName(conn.ConnectionState().Version), verified
	return nil
}

var errInjected = errors.New("plain text after STARTTLS")

// unsecured is a handshake that failed.
func (s *session) unsecured(d demand, err error) *problem {
	p := s.failed(temporary("4.7.5", "TLS with %s failed%s: %s", s.host, d.because(), cause(err)))
	p.handshake, p.tls = true, failureType(err)
	return p
}

// failed is a result with what is known about the server.
func (s *session) failed(r Result) *problem {
	known := s.result()
	r.Host, r.Addr, r.TLS, r.Verified = known.Host, known.Addr, known.TLS, known.Verified
	return &problem{Result: r, local: addrOf(s.raw.LocalAddr().String())}
}

// refused is a server that does not want to talk to us. It says so with 5xx, too, where it means this hour, or us and
// not the mail: that is no reason to give the mail up.
func (s *session) refused(r reply) *problem {
	return s.failed(Result{Outcome: Temporary, Code: r.code, Enhanced: r.enhanced, Text: r.text})
}

// broken is a connection that ended or makes no sense.
func (s *session) broken(err error) *problem { return s.failed(s.lost(err)) }

func (s *session) lost(err error) Result {
	switch {
	case errors.Is(err, errReply) || errors.Is(err, errLongReply):
		return temporary("4.5.0", "%s: %s", s.host, err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return temporary("4.4.2", "%s took too long to answer", s.host)
	}
	return temporary("4.4.2", "the connection with %s was lost", s.host)
}

// cause is the innermost part of a network error: the outer ones repeat the addresses.
func cause(err error) string {
	var op *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded):
		return "it took too long"
	case errors.As(err, &op):
		return op.Err.Error()
	}
	return err.Error()
}

// addrOf is the address of a host:port, if it is one.
func addrOf(hostport string) netip.Addr {
	ap, err := netip.ParseAddrPort(hostport)
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap()
}
