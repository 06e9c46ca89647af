package transport

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Relay is a smarthost, as a URL names it:
//
//	smtp://user:password@mail.example.com:587   STARTTLS
//	smtps://user:password@mail.example.com:465  TLS from the first byte on
//
// with ?tls=insecure for a certificate that nobody has signed, and ?tls=off for none at all. On this machine, where
// nobody can listen in, TLS is used if it is offered, with any certificate.
type Relay struct {
	host, port     string
	implicit       bool
	user, password string
	tls            relayTLS
}

type relayTLS uint8

const (
	tlsVerified relayTLS = iota
	tlsInsecure
	tlsOff
)

// What can be wrong with a URL. None of them repeats it: it may have a password in it.
var (
	errRelayURL = errors.New("a smarthost is written smtp://user:password@host:port or " +
		"smtps://user:password@host:port")
	errRelayHost   = errors.New("the smarthost's URL has no host")
	errRelayPort   = errors.New("the smarthost's port is not a number from 1 to 65535")
	errRelayUser   = errors.New("the smarthost's URL needs both a user and a password, or neither")
	errRelayExtra  = errors.New("the smarthost's URL may have nothing after the port but ?tls=insecure or ?tls=off")
	errRelayTLS    = errors.New("the smarthost's tls is neither insecure nor off")
	errRelaySMTPS  = errors.New("the smarthost's URL says smtps and ?tls=off, which contradict each other")
	errRelayInOpen = errors.New("the smarthost's password would go over the network without TLS: leave out ?tls=off")
)

// ParseRelay reads the URL of a smarthost.
func ParseRelay(s string) (Relay, error) {
	u, err := url.Parse(s)
	if err != nil || u.Opaque != "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return Relay{}, errRelayURL
	}
	r := Relay{host: strings.ToLower(u.Hostname()), port: u.Port(), implicit: u.Scheme == "smtps"}
	if r.port == "" {
		r.port = "587"
		if r.implicit {
			r.port = "465"
		}
	}
	r.user = u.User.Username()
	r.password, _ = u.User.Password()
	if r.tls, err = relayTLSOf(u); err != nil {
		return Relay{}, err
	}
	if err := r.check(u); err != nil {
		return Relay{}, err
	}
	return r, nil
}

func relayTLSOf(u *url.URL) (relayTLS, error) {
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil || len(q) > 1 || len(q) == 1 && len(q["tls"]) != 1 {
		return 0, errRelayExtra
	}
	switch q.Get("tls") {
	case "":
		if len(q) > 0 {
			return 0, errRelayTLS
		}
		return tlsVerified, nil
	case "insecure":
		return tlsInsecure, nil
	case "off":
		return tlsOff, nil
	}
	return 0, errRelayTLS
}

func (r Relay) check(u *url.URL) error {
	port, err := strconv.ParseUint(r.port, 10, 16)
	switch {
	case r.host == "" || strings.ContainsAny(r.host, " \t\r\n"):
		return errRelayHost
	case err != nil || port == 0:
		return errRelayPort
	case (r.user == "") != (r.password == ""):
		return errRelayUser
	case u.Path != "" && u.Path != "/", u.Fragment != "":
		return errRelayExtra
	case r.implicit && r.tls == tlsOff:
		return errRelaySMTPS
	case r.user != "" && r.tls == tlsOff && !r.isLocal():
		return errRelayInOpen
	}
	return nil
}

// isLocal says whether the relay is on this machine.
func (r Relay) isLocal() bool {
	a, err := netip.ParseAddr(r.host)
	return r.host == "localhost" || err == nil && a.Unmap().IsLoopback()
}

// String is the relay without its password.
func (r Relay) String() string {
	u := url.URL{Scheme: "smtp", Host: net.JoinHostPort(r.host, r.port)}
	if r.implicit {
		u.Scheme = "smtps"
	}
	if r.user != "" {
		u.User = url.User(r.user)
	}
	return u.String()
}

// GoString keeps the password out of %#v, too.
func (r Relay) GoString() string { return r.String() }
