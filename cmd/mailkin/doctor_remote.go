package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/config"
)

// remote checks a service from outside.
func (d *doctor) remote(ctx context.Context, address, name string) {
	at, err := d.p.place(address, name)
	if err != nil {
		d.fail("profile", err.Error(), "Mend or delete the file.")
		return
	}
	d.profile(at)
	c, err := client.New(at.url, at.key, client.WithRetries(0))
	if err != nil {
		d.fail("address", err.Error(), at.hint())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 3*doctorPatience)
	defer cancel()
	if !d.reach(ctx, c, at) {
		return
	}
	if at.key == "" {
		d.warn("key", "there is none for this service", noKey.next)
		return
	}
	me, err := c.Me(ctx)
	if err != nil {
		d.fail("key", err.Error(), "Run \"mailkin bootstrap\", set MAILKIN_API_KEY, or, if the mailbox is paused, "+
			"\"mailkin mailbox resume\".")
		return
	}
	d.key(me)
	d.webhook(ctx, c)
	if _, domain, _ := strings.Cut(me.Mailbox, "@"); !builtIn(domain) {
		d.outside(ctx, domain)
	}
}

// profile checks that others cannot read the key.
func (d *doctor) profile(at place) {
	info, err := os.Stat(at.path)
	switch {
	case err != nil:
		d.ok("profile", "there is none")
	case info.Mode().Perm()&0o077 != 0:
		d.fail("profile", fmt.Sprintf("%s has mode %o: others can read the key", at.path, info.Mode().Perm()),
			"chmod 600 "+quote(at.path))
	default:
		d.ok("profile", at.path)
	}
}

// reach checks that the service answers, its certificate and its clock.
func (d *doctor) reach(ctx context.Context, c *client.Client, at place) bool {
	const what = "service"
	health, err := c.Ready(ctx)
	var refused *client.Error
	switch {
	case errors.As(err, &refused):
		d.fail(what, at.url+" answers "+number(refused.Status)+": "+refused.Error(), "Look at the server's log, or "+
			"run \"mailkin doctor\" there.")
		return false
	case err != nil:
		d.fail(what, at.url+" does not answer: "+silence(err), "Is \"mailkin serve\" running there? "+at.hint())
		return false
	}
	d.ok(what, "version "+health.Version+" answers at "+at.url)
	u, err := url.Parse(c.BaseURL())
	if err != nil {
		return true
	}
	switch {
	case u.Scheme == "https":
		d.served(ctx, u)
	case !isLoopback(u.Hostname()):
		d.warn("certificate", "the service is used without TLS: keys and mail can be read on the way", "Use https://.")
	}
	d.theirClock(ctx, c.BaseURL())
	return true
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// served checks the certificate that the service shows.
func (d *doctor) served(ctx context.Context, u *url.URL) {
	address := u.Host
	if u.Port() == "" {
		address = net.JoinHostPort(u.Hostname(), "443")
	}
	conn, err := (&tls.Dialer{Config: &tls.Config{ServerName: u.Hostname()}}).DialContext(ctx, "tcp", address)
	if err != nil {
		d.fail("certificate", silence(err), "Renew it, or use the name that it is for.")
		return
	}
	defer func() { _ = conn.Close() }()
	if c, ok := conn.(*tls.Conn); ok && len(c.ConnectionState().PeerCertificates) > 0 {
		d.validity(c.ConnectionState().PeerCertificates[0], u.Hostname())
	}
}

// shown checks the certificate that the server of this machine shows.
func (d *doctor) shown(ctx context.Context, cfg config.Config, address string) {
	// nothing is said to it
	dialer := &tls.Dialer{Config: &tls.Config{ServerName: cfg.Hostname, InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		d.fail("certificate", silence(err), "Look at the server's log.")
		return
	}
	defer func() { _ = conn.Close() }()
	c, ok := conn.(*tls.Conn)
	if !ok || len(c.ConnectionState().PeerCertificates) == 0 {
		return
	}
	leaf := c.ConnectionState().PeerCertificates[0]
	if leaf.Issuer.String() == leaf.Subject.String() && cfg.TLS.Mode == config.TLSACME {
		d.fail("certificate", "the server shows its self-made one, because there is none from "+cfg.ACME.Directory+
			" yet", "See what its state says, or its log.")
		return
	}
	d.validity(leaf, cfg.Hostname)
}

// theirClock compares our clock with the service's.
func (d *doctor) theirClock(ctx context.Context, base string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/health", nil)
	if err != nil {
		return
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return // the service has just answered: it is not about the clock
	}
	defer func() { _ = resp.Body.Close() }()
	if said, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		d.skew(said.Add(time.Second / 2).Sub(d.now()))
	}
}

func (d *doctor) key(me *api.Me) {
	switch left := me.ExpiresAt.Sub(d.now()); {
	case me.ExpiresAt.IsZero():
		d.ok("key", "of "+me.Mailbox+", "+me.Scope)
	case left < 24*time.Hour:
		d.warn("key", "of "+me.Mailbox+", which ends in "+roundly(max(left, 0)), "Keep the mailbox with \"mailkin "+
			"claim\".")
	default:
		d.ok("key", "of "+me.Mailbox+", for "+roundly(left)+" more")
	}
}

// outside checks, as a sender would, that mail for a domain can be brought.
func (d *doctor) outside(ctx context.Context, domain string) {
	what := "mail for " + domain
	list, err := d.dns.LookupMX(ctx, domain)
	if err != nil || len(list) == 0 {
		d.fail(what, "there is no MX record", "Publish one that names the server.")
		return
	}
	host := strings.TrimSuffix(list[0].Host, ".")
	d.ok(what, "its MX is "+host)
	d.inwards(ctx, host)
}

// connect reaches port 25 of a host, at the first of its addresses that answers. The DNS is asked as for everything
// else.
func (d *doctor) connect(ctx context.Context, host string) (conn net.Conn, err error) {
	addrs, err := d.dns.LookupHost(ctx, host)
	if err == nil && len(addrs) == 0 {
		err = errors.New("it has no address")
	}
	for _, addr := range addrs {
		if conn, err = d.dial(ctx, "tcp", net.JoinHostPort(addr, "25")); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// greet connects to a mail server, reads its greeting, and asks whether it offers STARTTLS; then it leaves.
func (d *doctor) greet(ctx context.Context, host string) (greeting string, secure bool, err error) {
	conn, err := d.connect(ctx, host)
	if err != nil {
		return "", false, err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(doctorPatience)); err != nil {
		return "", false, err
	}
	lines := bufio.NewReader(io.LimitReader(conn, 64<<10))
	greeting, err = lines.ReadString('\n')
	if err != nil || !strings.HasPrefix(greeting, "220") {
		return "", false, errors.Join(fmt.Errorf("its greeting is %q", strings.TrimSpace(greeting)), err)
	}
	if _, err := io.WriteString(conn, "EHLO doctor.invalid\r\n"); err != nil {
		return "", false, err
	}
	for {
		reply, err := lines.ReadString('\n')
		if err != nil {
			return "", false, err
		}
		if strings.EqualFold(strings.TrimSpace(reply[min(4, len(reply)):]), "STARTTLS") {
			secure = true
		}
		if len(reply) < 4 || reply[3] != '-' {
			break
		}
	}
	_, err = io.WriteString(conn, "QUIT\r\n")
	return strings.TrimSpace(greeting), secure, err
}
