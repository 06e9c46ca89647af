package outbound

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/transport"
)

// Letters returns the messages of deliveries as they are sent to the next server.
type Letters interface {
	OutgoingMessage(ctx context.Context, d mailbox.Delivery) (*service.OutgoingMessage, error)
	BeginDelivery(ctx context.Context, d mailbox.Delivery) error
}

// hereWait is how long a delivery waits when it was our own storage that did not answer before a connection was made.
const hereWait = time.Second

// SMTP takes mail to the next server: the recipients' own, or one that passes everything on.
type SMTP struct {
	Way     transport.Way
	Letters Letters
	Relay   string // name of the server that passes everything on; empty: each destination has its own
	Trial   Trial  // nil: every session is opened by Way
}

// Trial opens sessions that are watched, or less strict than others. A lax session is for its one mail.
type Trial interface {
	Try(ctx context.Context, d mailbox.Delivery) (s transport.Session, failed *transport.Result, lax bool)
}

// QueueKey implements Carrier.
func (c *SMTP) QueueKey(destination string) string {
	if c.Relay != "" {
		return c.Relay
	}
	return destination
}

// Open implements Carrier.
func (c *SMTP) Open(ctx context.Context, d mailbox.Delivery) (Conn, *mailbox.Attempt) {
	var session transport.Session
	var failed *transport.Result
	lax := false
	if c.Trial != nil {
		session, failed, lax = c.Trial.Try(ctx, d)
	} else {
		session, failed = c.Way.Open(ctx, c.QueueKey(d.Destination))
	}
	if failed != nil {
		a := c.attempt(*failed)
		if failed.Here {
			a = mailbox.Attempt{Outcome: mailbox.Put, Wait: hereWait}
		}
		return nil, &a
	}
	return &smtpConn{SMTP: c, Session: session, once: lax}, nil
}

type smtpConn struct {
	*SMTP
	transport.Session
	once bool // no other mail may use it
	sent bool
}

// Alive is that of the session.
func (c *smtpConn) Alive() bool { return !(c.once && c.sent) && c.Session.Alive() }

func (c *smtpConn) Send(ctx context.Context, job service.Job) mailbox.Attempt {
	c.sent = true
	message, err := c.Letters.OutgoingMessage(ctx, job.Delivery)
	if err != nil {
		if mailbox.KindOf(err) == mailbox.Conflict { // deleted meanwhile
			return mailbox.Attempt{Outcome: mailbox.Put}
		}
		if wait, ours := service.Outage(err); ours {
			return mailbox.Attempt{Outcome: mailbox.Put, Wait: wait}
		}
		text := "4.3.0 The message could not be read or signed here; it will be tried again"
		switch {
		case mailbox.KindOf(err) == mailbox.Denied: // its domain is not the sender's any more
			text = "4.7.0 " + whyHeld(err)
		case errors.Is(err, service.ErrSealed):
			text = "4.3.5 The message could not be signed here, because the keys of its domain cannot be opened; it " +
				"will be tried again"
		}
		return mailbox.Attempt{Outcome: mailbox.Deferred, Code: 451, Relay: c.Relay != "", Text: text}
	}
	defer func() { _ = message.Close() }() // only read from
	var begin error
	a := c.attempt(c.Session.Send(ctx, transport.Mail{
		From: job.Return, To: job.Recipient, Size: message.Size(), Body: message.Reader(),
		UTF8: message.UTF8, EightBit: message.EightBit,
		Begin: func(ctx context.Context) error {
			begin = c.Letters.BeginDelivery(ctx, job.Delivery)
			return begin
		},
	}))
	if wait, ours := service.Outage(begin); ours {
		return mailbox.Attempt{Outcome: mailbox.Put, Wait: wait}
	}
	return a
}

// whyHeld says why a message does not leave for now.
func whyHeld(err error) string {
	return strings.TrimSuffix(err.Error(), ".") + ". The message is held, and will be tried again"
}

// attempt returns what became of a mail in our words.
func (c *SMTP) attempt(r transport.Result) mailbox.Attempt {
	a := mailbox.Attempt{Code: r.Code, Enhanced: r.Enhanced, Host: r.Host, TLS: r.TLS, Relay: c.Relay != "",
		Begun: r.Began,
		Text:  strings.TrimSpace(r.Enhanced + " " + r.Text)}
	if r.Addr.IsValid() {
		a.Addr = r.Addr.String()
	}
	switch r.Outcome {
	case transport.Delivered:
		a.Outcome = mailbox.Accepted
		if c.Relay != "" {
			a.Outcome = mailbox.Relayed
		}
	case transport.Permanent:
		a.Outcome = mailbox.Refused
	case transport.Unknown:
		a.Outcome = mailbox.Lost
	default:
		a.Outcome = mailbox.Deferred
	}
	return a
}
