// Package transport brings one mail to the next server.
//
// A [Way] opens sessions for a destination, and a [Session] sends mails, one after the other. There are two ways:
//
//	Direct     the servers that the DNS names for a domain, found by Routes
//	Smarthost  one server that takes everything, named by a URL
//
// How a session is opened:
//
//	Routes ─► TLS demand (DANE, MTA-STS, or none) ─► connect ─► greeting ─► EHLO ─► STARTTLS ─► EHLO ─► AUTH
//	            for each server in turn                  for each of its addresses in turn
//
// and how a mail is sent:
//
//	MAIL, RCPT ─► Mail.Begin ─► DATA ─► the message ─► final dot ─► reply
//
// What became of a mail is a [Result], never an error. Permanent is only what a server, or the DNS, said for good.
// Until the final dot is out the mail is certainly not with the server, and what goes wrong is temporary; when the
// connection is lost between the final dot and its reply, nobody here can know, and the result is Unknown: a caller
// that sends again may send twice. Begin is called before the first byte that could lead there.
//
// TLS is used wherever it is offered, with any certificate, and without it where it does not work: that keeps out those
// who only listen. A domain can demand more, with DANE (RFC 7672) or MTA-STS (RFC 8461); then there is no mail without
// it.
//
// The servers and the DNS may wish us ill. Replies, records and policies are bounded in size and time, addresses in our
// own networks are refused unless they are allowed, and nothing a server says is passed on but as one clean line.
package transport

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"
)

// Way opens sessions to the next server for a destination: a domain, or an address in brackets. The result is why there
// is no session, and is nil where there is one.
type Way interface {
	Open(ctx context.Context, destination string) (Session, *Result)
}

// Session is a connection to a server. It is for one goroutine at a time.
type Session interface {
	// Send sends a mail. When ctx ends, the connection is cut at once.
	Send(ctx context.Context, m Mail) Result
	// Alive says whether another mail may be sent.
	Alive() bool
	// Close says goodbye, and waits a moment for the answer.
	Close()
}

// Mail is a message for one recipient.
type Mail struct {
	From     string // return path; empty for reports that nobody is to answer
	To       string
	Size     int64     // of Body
	Body     io.Reader // the message; what is left of it after an error is not read
	UTF8     bool      // it has addresses or header fields that only SMTPUTF8 allows (RFC 6531)
	EightBit bool      // it has bytes above 127

	// Begin is called when the server has taken the envelope, before DATA. With an error nothing is sent. May be nil.
	Begin func(ctx context.Context) error
}

// Outcome is what became of a mail.
type Outcome uint8

// The outcomes. The zero value is none of them.
const (
	Delivered Outcome = iota + 1 // the server is responsible for it now
	Temporary                    // it was not taken; later it may be
	Permanent                    // it will never be taken
	Unknown                      // the connection was lost after the final dot and before its reply
)

func (o Outcome) String() string {
	switch o {
	case Delivered:
		return "delivered"
	case Temporary:
		return "temporary"
	case Permanent:
		return "permanent"
	case Unknown:
		return "unknown"
	}
	return "none"
}

// Result is what became of a mail, or why there is no session.
type Result struct {
	Outcome  Outcome
	Code     int        // of the server's reply; 0 if there was none
	Enhanced string     // RFC 3463, such as 5.1.1; empty if the server gave none
	Text     string     // what the server said, or what went wrong, in one line of at most 500 bytes
	Host     string     // name of the server
	Addr     netip.Addr // of the server
	TLS      string     // such as TLS1.3; empty without
	Verified bool       // the server's certificate was what DANE, MTA-STS or the settings demand
	Began    bool       // DATA was begun
	Here     bool       // what went wrong is ours: nothing was said to or by another server
}

// String is the result as a server would say it: "550 5.1.1 No such user".
func (r Result) String() string {
	var parts []string
	if r.Code > 0 {
		parts = append(parts, fmt.Sprint(r.Code))
	}
	for _, s := range []string{r.Enhanced, r.Text} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

func temporary(enhanced, format string, args ...any) Result {
	return Result{Outcome: Temporary, Enhanced: enhanced, Text: oneLine(fmt.Sprintf(format, args...))}
}

func permanent(enhanced, format string, args ...any) Result {
	return Result{Outcome: Permanent, Enhanced: enhanced, Text: oneLine(fmt.Sprintf(format, args...))}
}

// dialFunc connects.
type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// client is what all sessions have in common.
type client struct {
	hostname string // ours, for EHLO
	dial     dialFunc
	times    timeouts
	log      *slog.Logger
}

func newClient(hostname string, dial dialFunc, log *slog.Logger) client {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return client{hostname: hostname, dial: dial, times: patience(), log: log}
}

// timeouts are how long the server is waited for.
type timeouts struct {
	open                           time.Duration // for a session, with all servers that are tried
	connect, handshake             time.Duration
	greeting, hello                time.Duration
	mail, rcpt, data, block, final time.Duration
	reset, quit, last              time.Duration
	rate                           int64 // bytes in a second that a server must take of a message, on the whole
}

// patience is what RFC 5321 4.5.3.2 asks for. It bounds each step; open and rate bound their sum, so that no server can
// hold on to us by being slow in every step.
func patience() timeouts {
	return timeouts{
		open: 10 * time.Minute, connect: 30 * time.Second, handshake: time.Minute,
		greeting: 5 * time.Minute, hello: 5 * time.Minute,
		mail: 5 * time.Minute, rcpt: 5 * time.Minute, data: 2 * time.Minute, block: 3 * time.Minute,
		final: 10 * time.Minute,
		reset: 30 * time.Second, quit: 5 * time.Second, last: 2 * time.Second,
		rate: 16 << 10,
	}
}
