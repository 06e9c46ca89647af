package smtpd

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// traceEnd is the one line about a session: who it was with, and what came of it.
func (s *session) traceEnd(err error, took time.Duration) {
	attrs := []slog.Attr{
		slog.String("listener", s.srv.listener()), slog.String("helo", mailbox.Loggable(s.name)),
		slog.String("tls", s.wire.tlsVersion()),
		slog.Int("messages", s.messages), slog.Int("recipients_refused", s.rejected),
		slog.Int("bad_commands", s.errors),
		slog.String("end", s.endedBy(err)), slog.Duration("took", took),
	}
	if s.submits() {
		attrs = append(attrs, slog.Int("failed_logins", s.logins))
		if s.who != nil {
			attrs = append(attrs, slog.String("mailbox", s.who.Mailbox.Address))
		}
	}
	s.log.LogAttrs(context.Background(), slog.LevelInfo, "session", attrs...)
}

// endedBy says how a session ended.
func (s *session) endedBy(err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, errEnded) && s.linger:
		return "closed"
	case errors.Is(err, errEnded):
		return "quit"
	case errors.Is(err, errStopping):
		return "stopping"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.Is(err, io.EOF):
		return "hung up"
	}
	return "lost"
}

// traceRefused is the line about a recipient that was refused, or with an empty address about a sender.
func (s *session) traceRefused(stage, from, to string, r reply) {
	s.log.LogAttrs(context.Background(), slog.LevelInfo, "message refused", slog.String("listener", s.srv.listener()),
		slog.String("stage", stage), slog.String("from", mailbox.Loggable(from)),
		slog.String("to", mailbox.Loggable(to)),
		slog.Int("code", r.code), slog.String("status", r.status))
}

// listener names the server's protocol.
func (s *Server) listener() string {
	switch {
	case s.submitter != nil:
		return "submission"
	case s.cfg.LMTP:
		return "lmtp"
	}
	return "smtp"
}

// tlsVersion is that of the connection; empty: there is none.
func (w *wire) tlsVersion() string {
	if c, ok := w.conn.(*tls.Conn); ok {
		return tls.VersionName(c.ConnectionState().Version)
	}
	return ""
}
