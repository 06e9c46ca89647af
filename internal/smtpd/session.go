package smtpd

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/trace"
)

// errEnded ends a session whose last reply is said.
var errEnded = errors.New("session ended")

// session is one client's connection. Its goroutine is the only one that touches it, but for what wire locks.
type session struct {
	srv  *Server
	wire *wire
	addr netip.Addr
	log  *slog.Logger

	helo     string // empty: no hello yet
	extended bool   // it was EHLO
	secure   bool   // TLS is on
	linger   bool   // the client may be sending while we close

	who  *mailbox.Caller // nil: not logged in
	user *string         // the name of a client that any log-in is taken from; nil: not logged in

	tx     *transaction // nil: no MAIL yet
	chunks *chunks      // nil: no BDAT yet

	asked     bool  // whether the client is welcome
	unwelcome error // why it is not; nil: it is

	errors   int    // bad commands
	refused  int    // recipients refused for good
	rejected int    // recipients refused at all, at RCPT or at the end of a message
	messages int    // taken
	logins   int    // that failed
	name     string // of the last hello, which TLS does not make us forget
}

func newSession(srv *Server, conn net.Conn, addr netip.Addr) *session {
	s := &session{srv: srv, wire: newWire(srv, conn), addr: addr}
	s.log = srv.cfg.Log.With("client", s.remote())
	return s
}

// remote is the client's address as the trace has it.
func (s *session) remote() string {
	if !s.addr.IsValid() {
		return ""
	}
	return s.addr.String()
}

// run holds the session from greeting to end. Whatever goes wrong in it stays in it.
func (s *session) run(ctx context.Context) {
	defer func() { s.wire.close(s.linger) }()
	defer s.abort()
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in SMTP session", "panic", p, "stack", string(debug.Stack()))
			s.farewell(s.end(replyPanic))
		}
	}()
	began := time.Now()
	ctx, span := s.srv.cfg.Tracer.Root(ctx, s.srv.listener()+" session", trace.Server, trace.Place{})
	defer span.End()
	if span != nil {
		s.log = s.log.With("trace_id", span.Place().ID())
	}
	err := s.talk(ctx)
	s.farewell(err)
	span.Text("client.address", s.remote())
	span.Number("mailkin.messages", int64(s.messages))
	s.traceEnd(err, time.Since(began))
}

func (s *session) talk(ctx context.Context) error {
	greeting := replyGreeting
	if s.srv.cfg.LMTP {
		greeting = replyGreetingLMTP
	}
	s.wire.say(greeting.with(s.srv.cfg.Hostname))
	for {
		line, err := s.wire.line(s.chunks != nil)
		if err != nil {
			err = s.badLine(line, err)
		} else {
			err = s.obey(ctx, line)
		}
		if err != nil {
			return err
		}
		if len(s.wire.out) >= flushSize {
			if err := s.wire.flush(); err != nil {
				return err
			}
		}
	}
}

// badLine answers a line that is no command, or passes on an error of the connection.
func (s *session) badLine(line string, err error) error {
	var r reply
	switch err {
	case errLineLong:
		r = replyLineLong
	case errLineBare:
		r = replyLineBare
	case errLineBytes:
		r = replyLineBytes
	case errLineEndless:
		return s.end(replyEndless)
	default:
		return err
	}
	if _, chunk := cutFold(line, "BDAT"); chunk {
		// Bytes of a message follow, and nobody can say how many.
		s.wire.say(r)
		return s.end(replyOutOfStep)
	}
	return s.protest(r)
}

// farewell says the last words that fit the reason. Where the connection is lost there are none.
func (s *session) farewell(err error) {
	var timeout net.Error
	switch {
	case errors.Is(err, errEnded):
	case errors.Is(err, errStopping):
		s.wire.say(replyStopping.with(s.srv.cfg.Hostname))
	case errors.As(err, &timeout) && timeout.Timeout():
		s.wire.say(replyTimeout.with(s.srv.cfg.Hostname))
	default:
		return
	}
	s.wire.writeTimeout = min(s.wire.writeTimeout, farewellTimeout)
	_ = s.wire.flush()
}

// end says r as the last reply of the session.
func (s *session) end(r reply) error {
	s.linger = true
	s.wire.say(r.with(s.srv.cfg.Hostname))
	return errEnded
}

// say answers a command and goes on.
func (s *session) say(r reply) error {
	s.wire.say(r)
	return nil
}

// protest answers a bad command; too many of them end the session.
func (s *session) protest(r reply) error {
	s.errors++
	if s.errors > s.srv.cfg.MaxErrors {
		return s.end(replyTooManyErrors)
	}
	return s.say(r)
}

// reset forgets the transaction.
func (s *session) reset() {
	s.abort()
	s.tx = nil
}

// proto is the protocol as RFC 3848 and RFC 6531 4.3 name it.
func (s *session) proto() string {
	name := "ESMTP"
	switch {
	case s.srv.cfg.LMTP:
		name = "LMTP"
	case !s.extended && !s.secure:
		return "SMTP"
	}
	if s.tx.utf8 {
		name = "UTF8" + strings.TrimPrefix(name, "E")
	}
	if s.secure {
		name += "S"
	}
	if s.loggedIn() {
		name += "A"
	}
	return name
}
