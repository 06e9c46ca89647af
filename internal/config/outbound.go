package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Outbound is how mail leaves, and how much of it at a time.
type Outbound struct {
	Mode           OutboundMode
	Relay          *url.URL       // with OutboundRelay
	ProviderKey    mailbox.Secret // with OutboundResend
	ProviderURL    string
	ProviderSecret mailbox.Secret // signs the provider's callbacks
	Port           int            // of the recipients' servers
	AllowPrivate   PrivateTargets // servers on loopback and private addresses
	Connections    int
	PerDestination int
	RetryTime      time.Duration
	ReviewExpiry   time.Duration // how long a message waits for a person's approval
	Reviewers      []string      // who is told by mail of such messages, where the mailbox names nobody
	Uploads        int64         // bytes that all unfinished sends may have on the disk
	MailboxUploads int64         // the same for those of one mailbox
	DailyCap       int           // messages of the deployment in a UTC day; 0: no limit
	LoopThread     int           // equal answers of a mailbox to equal mail on one thread within an hour; 0: no limit
	LoopPeer       int           // the same to one recipient
	Brakes         bool          // of mailboxes about which nobody has decided that
}

// OutboundMode is the way that mail takes.
type OutboundMode string

const (
	OutboundOff     OutboundMode = "off"
	OutboundCapture OutboundMode = "capture"
	OutboundDirect  OutboundMode = "direct"
	OutboundRelay   OutboundMode = "smtp"
	OutboundResend  OutboundMode = "resend"
)

// outboundWay is capture, direct, off, or a URL of a relay or provider. It may hold a password.
type outboundWay struct{ to *Outbound }

func (o outboundWay) Set(s string) error {
	switch mode := OutboundMode(s); mode {
	case OutboundOff, OutboundCapture, OutboundDirect:
		o.to.Mode = mode
		return nil
	}
	u, err := url.Parse(s)
	if err != nil {
		return errors.New("it is not capture, direct, off, smtp://user:password@host:587, " +
			"smtps://user:password@host:465 or resend://KEY")
	}
	switch u.Scheme {
	case "smtp", "smtps":
		if u.Hostname() == "" {
			return fmt.Errorf("%s:// needs a host: %s://user:password@mail.example.com", u.Scheme, u.Scheme)
		}
		o.to.Mode, o.to.Relay = OutboundRelay, u
	case "resend":
		key := strings.TrimPrefix(s, "resend://")
		if key == "" {
			return errors.New("resend:// needs the provider's API key: resend://re_…")
		}
		o.to.Mode, o.to.ProviderKey = OutboundResend, mailbox.Secret(key)
	default:
		return errors.New("it is not capture, direct, off, smtp://user:password@host:587, " +
			"smtps://user:password@host:465 or resend://KEY")
	}
	return nil
}

func (o outboundWay) words() []string {
	return []string{"capture", "direct", "smtp://", "smtps://", "resend://", "off"}
}

// String shows no password.
func (o outboundWay) String() string {
	if o.to == nil {
		return ""
	}
	switch o.to.Mode {
	case OutboundRelay:
		return o.to.Relay.Redacted()
	case OutboundResend:
		return "resend://xxxxx"
	}
	return string(o.to.Mode)
}
