package smtpd

import (
	"context"
	"crypto/tls"
	"log/slog"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/trace"
)

// Config is what a Server is told once. 0 means no limit where that is said, else the default that is next to the
// field.
type Config struct {
	Hostname string      // in the greeting and in 421; default localhost
	LMTP     bool        // RFC 2033: LHLO, and a reply per recipient
	TLS      *tls.Config // nil: no STARTTLS

	// PlainAuthLoopback lets a client on this machine log in without TLS, where no certificate is there that it could
	// trust.
	PlainAuthLoopback bool

	AnyLogin bool // who wants to log in may, with any name and key, also without TLS
	// Fault decides whether a command fails on purpose, at a stage of mailbox.Chaos; nil: none does
	Fault func(stage mailbox.ChaosStage) (code int, fails bool)

	// Welcome refuses clients whose mail is not taken, whoever it is for but postmaster; nil: everybody is welcome
	Welcome func(ctx context.Context, remote string) error

	MaxSize int64 // SIZE, as it comes over the wire; default 140,000,000
	// per message; default 1,000, never less than 100 (RFC 5321 4.5.3.1.8); of mail to be sent 50, and any number
	MaxRecipients int
	MaxErrors     int // bad commands that are answered before 421; five times as many refused recipients; default 20

	MaxConns        int // at the same time; 0: no limit
	MaxConnsPerAddr int // the same from one IPv4 address or IPv6 /64, loopback excepted; 0: no limit
	MaxMessages     int // taken in one session; 0: no limit

	CommandTimeout time.Duration // for the next command; default 5 min (RFC 5321 4.5.3.2.7)
	DataTimeout    time.Duration // without a byte of the message; default 5 min
	SessionTimeout time.Duration // in all; default 1 h

	// Took is told of each message that was taken how long that took, from its last byte to the reply; nil: nobody is
	Took func(time.Duration)
	Log  *slog.Logger // default: none
	// Tracer follows sessions; nil: nobody does
	Tracer *trace.Tracer
}

func (c Config) withDefaults() Config {
	setDefault(&c.Hostname, "localhost")
	setDefault(&c.MaxSize, 140_000_000)
	setDefault(&c.MaxRecipients, 1000)
	setDefault(&c.MaxErrors, 20)
	setDefault(&c.CommandTimeout, 5*time.Minute)
	setDefault(&c.DataTimeout, 5*time.Minute)
	setDefault(&c.SessionTimeout, time.Hour)
	if c.Took == nil {
		c.Took = func(time.Duration) {}
	}
	setDefault(&c.Log, slog.New(slog.DiscardHandler))
	c.MaxRecipients = max(c.MaxRecipients, 100)
	return c
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
