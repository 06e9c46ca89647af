package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// folder checks the data folder.
func (d *doctor) folder(cfg config.Config) {
	const what = "data folder"
	info, err := os.Stat(cfg.DataDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.warn(what, cfg.DataDir+" is not there yet", "The first start of \"mailkin serve\" makes it. If there was "+
			"one, the setting data_dir is another.")
	case err != nil:
		d.fail(what, err.Error(), "Run this as the user that the server runs as.")
	case !info.IsDir():
		d.fail(what, cfg.DataDir+" is not a folder", "Change the setting data_dir.")
	default:
		exposed, err := app.Exposed(cfg)
		if err != nil || len(exposed) > 0 {
			d.warn(what, "others can get at keys and mail: "+strings.Join(exposed, ", "),
				"chmod -R go= "+quote(cfg.DataDir))
			return
		}
		d.ok(what, cfg.DataDir)
	}
}

// masterKey checks that the master key is there where mail is encrypted.
func (d *doctor) masterKey(ctx context.Context, cfg config.Config) {
	const what = "master key"
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	opens, err := app.CheckMaster(ctx, cfg)
	switch {
	case errors.Is(err, fs.ErrPermission):
		d.warn(what, err.Error(), "Run this as the user that the server runs as.")
	case err != nil:
		d.fail(what, err.Error(), "Put back the one that mail was encrypted with (settings master_key_file and "+
			"master_key_url): without it the next start is refused, and no mail can be read.")
	case opens && cfg.Encryption:
		d.ok(what, "it opens the keys of mailboxes")
	case cfg.Encryption && cfg.Database.URL == "":
		d.ok(what, "there are no keys yet: the first start makes them")
	}
}

// running checks the server itself, what it knows to be wrong, and the webhook of the configured mailbox. It returns a
// client of the operator's, nil where there is none.
func (d *doctor) running(ctx context.Context, cfg config.Config) *client.Client {
	const what = "server"
	address, local := baseURL(cfg, cfg.HTTPAddr), reachable(cfg.HTTPAddr)
	token, err := secretValue(cfg, "token")
	c, newErr := client.New(address, token, client.WithRetries(0), client.WithTransport(app.LocalTransport(cfg, local)))
	if newErr != nil {
		d.fail(what, newErr.Error(), "Change the setting http_addr.")
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	health, askErr := c.Ready(ctx)
	switch {
	case errors.Is(askErr, client.ErrUnavailable):
		d.fail(what, "it runs at "+local+", and takes no mail: "+askErr.Error(), "Look at its log; is the disk full?")
		return nil
	case askErr != nil:
		d.silent(ctx, cfg, address, askErr)
		return nil
	}
	d.answers = true
	d.ok(what, "version "+health.Version+" answers at "+address)
	if u, parseErr := url.Parse(address); parseErr == nil && u.Scheme == "https" {
		d.shown(ctx, cfg, local)
	}
	if err != nil {
		d.warn("operator token", err.Error(), "Run this as the user that the server runs as, so that the server can "+
			"be asked what it knows to be wrong.")
		return nil
	}
	d.problems(ctx, c)
	d.webhook(ctx, c)
	return c
}

// provider checks the OpenID provider at which people sign in.
func (d *doctor) provider(ctx context.Context, cfg config.Config) {
	const what = "OpenID provider"
	if cfg.OIDC.Issuer == "" {
		return
	}
	if err := app.CheckOpenID(ctx, cfg); err != nil {
		d.fail(what, err.Error(), "People cannot sign in with it, and keys go on working. Is oidc_issuer right, letter "+
			"by letter, and does this machine reach it?")
		return
	}
	d.ok(what, cfg.OIDC.Issuer+" answers")
}

// silent tells a server that does not run from one that answers otherwise than it should.
func (d *doctor) silent(ctx context.Context, cfg config.Config, address string, err error) {
	const what = "server"
	conn, dialErr := (&net.Dialer{Timeout: doctorPatience}).DialContext(ctx, "tcp", reachable(cfg.HTTPAddr))
	if dialErr == nil {
		_ = conn.Close()
		d.fail(what, "something runs at "+address+", and does not answer as this server does: "+silence(err),
			"Is it another program, or a server with other settings (tls, hostname, proxy_protocol)? Run this with "+
				"the server's settings.")
		return
	}
	if app.Serving(cfg) {
		d.fail(what, "a server works on "+cfg.DataDir+", but nothing answers at "+address,
			"Run this with the server's settings: http_addr is another.")
		return
	}
	d.warn(what, "nothing answers at "+address, "Start it with \"mailkin serve\".")
	d.stopped(ctx, cfg)
}

// stopped looks into the data of a server that does not run.
func (d *doctor) stopped(ctx context.Context, cfg config.Config) {
	list, err := app.Stopped(ctx, cfg)
	if errors.Is(err, fs.ErrPermission) {
		d.warn("stored data", "it cannot be read: permission denied", "Run this as the user that the server runs as.")
		return
	}
	if err != nil { // its beginnings are about how the data is read
		text := err.Error()
		d.warn("stored data", "it cannot be read:"+text[strings.LastIndex(text, ": ")+1:],
			"Start the server, and look at its log.")
		return
	}
	for _, f := range list {
		grade := worth
		if f.Severe {
			grade = wrong
		}
		d.checks = append(d.checks, check{f.Check, grade, f.Found, f.Next})
	}
}

// problems are what the server itself knows to be wrong.
func (d *doctor) problems(ctx context.Context, c *client.Client) {
	list, err := c.Problems(ctx)
	if err != nil {
		d.warn("state of the server", "it could not be asked for: "+err.Error(), "Is the operator token that of this "+
			"server?")
		return
	}
	for _, p := range list.Problems {
		d.checks = append(d.checks, check{p.Check, p.Status, p.Found, p.Next})
	}
	if len(list.Problems) == 0 {
		d.ok("state of the server", "keys, domains, mailboxes and certificates fit")
	}
}

// senders checks, where mail leaves in the name of the deployment's own domains, what receivers look for: SPF, DKIM and
// DMARC.
func (d *doctor) senders(ctx context.Context, cfg config.Config, c *client.Client) {
	direct := cfg.Outbound.Mode == config.OutboundDirect
	if !direct && cfg.Outbound.Mode != config.OutboundRelay {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 3*doctorPatience)
	defer cancel()
	for _, domain := range cfg.Domains {
		if builtIn(domain) {
			continue
		}
		keys := d.keys(ctx, c, domain)
		for _, r := range d.dns.Sender(ctx, domain, cfg.Hostname, keys) {
			d.published(r, domain, direct)
		}
	}
}

// published judges a record. Mail that is sent directly without SPF or DKIM is refused by many; through a relay others
// may vouch for it.
func (d *doctor) published(r app.Published, domain string, direct bool) {
	what, next := r.Record+" of "+domain, "Publish: "+r.Host+". TXT \""+r.Value+"\""
	switch {
	case r.Unknown:
		d.warn(what, "the DNS did not answer", "Try again; check the setting dns.")
	case r.Problem == "":
		d.ok(what, "it is published")
	case direct && r.Record != "DMARC":
		d.fail(what, r.Problem, next)
	default:
		d.warn(what, r.Problem, next)
	}
}

// keys are the DKIM records of a domain of the deployment, by host. The server has them.
func (d *doctor) keys(ctx context.Context, c *client.Client, domain string) map[string]string {
	what := "DKIM of " + domain
	if c == nil {
		d.warn(what, "only the server knows its keys, and it could not be asked", "Run this while the server runs, "+
			"as its user.")
		return nil
	}
	list, err := c.Domains(ctx)
	if err != nil {
		d.warn(what, "the keys could not be asked for: "+err.Error(), "Look at the server's log.")
		return nil
	}
	for _, have := range list.Domains {
		if have.Domain != domain {
			continue
		}
		whole, err := c.Domain(ctx, have.ID)
		if err == nil && whole.Records.DKIM != nil {
			return map[string]string{whole.Records.DKIM.Host: whole.Records.DKIM.Value}
		}
	}
	d.fail(what, "the server has no keys for it that can be opened", "Run \"mailkin domain rekey "+domain+
		"\" as the operator.")
	return nil
}

// webhook checks a mailbox's webhook.
func (d *doctor) webhook(ctx context.Context, c *client.Client) {
	const what = "webhook"
	m, err := c.Mailbox(ctx)
	switch {
	case err != nil:
		d.warn(what, "it could not be asked for: "+err.Error(), "Is the key right? Is the mailbox paused?")
	case m.Webhook.Status == "failed":
		d.fail(what, fmt.Sprintf("%s failed %d times: %s", m.WebhookURL, m.Webhook.ConsecutiveFailures,
			m.Webhook.LastError),
			"Mend the receiver, then run \"mailkin webhook reset\".")
	case m.WebhookURL == "":
		d.ok(what, "none is set")
	case m.Webhook.ConsecutiveFailures > 0:
		d.warn(what, fmt.Sprintf("%s failed %d times in a row: %s", m.WebhookURL, m.Webhook.ConsecutiveFailures,
			m.Webhook.LastError),
			"Try it with \"mailkin webhook test\".")
	default:
		d.ok(what, string(m.WebhookURL))
	}
}

// builtIn tells of a domain that means this machine everywhere.
func builtIn(domain string) bool {
	return domain == "localhost" || strings.HasSuffix(domain, ".localhost")
}

// domain checks where the DNS sends mail for a domain.
func (d *doctor) domain(ctx context.Context, cfg config.Config, domain string) {
	what := "mail for " + domain
	if builtIn(domain) {
		d.warn(what, "the built-in domain: only programs on this machine can send to it",
			"Set MAILKIN_DOMAIN for mail from outside.")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	list, err := d.dns.LookupMX(ctx, domain)
	want := fmt.Sprintf("Publish: %s. MX 10 %s.", domain, cfg.Hostname)
	switch {
	case isMissing(err) || err == nil && len(list) == 0:
		d.fail(what, "there is no MX record", want)
	case err != nil:
		d.warn(what, "the DNS did not answer: "+err.Error(), "Try again; check the setting dns.")
	case !slices.ContainsFunc(list, func(m *net.MX) bool { return sameHost(m.Host, cfg.Hostname) }):
		d.fail(what, "its MX is "+list[0].Host+" and not this server", want+" Or set hostname to the name that the "+
			"MX has.")
	default:
		d.ok(what, "its MX is "+cfg.Hostname)
	}
}

func sameHost(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}

func isMissing(err error) bool {
	var name *net.DNSError
	return errors.As(err, &name) && name.IsNotFound
}

// host checks the server's name: that it has an address, that the address has the name, and that mail can be brought
// there.
func (d *doctor) host(ctx context.Context, cfg config.Config) {
	if builtIn(cfg.Hostname) {
		return // the domain's check says all there is to say
	}
	ctx, cancel := context.WithTimeout(ctx, 3*doctorPatience)
	defer cancel()
	addrs, err := d.dns.LookupHost(ctx, cfg.Hostname)
	if err != nil && !isMissing(err) {
		d.warn("name of the server", "the DNS did not answer: "+err.Error(), "Try again; check the setting dns.")
		return
	}
	if len(addrs) == 0 {
		d.fail("name of the server", cfg.Hostname+" has no address in the DNS", "Publish an A or AAAA record for it, "+
			"or change the setting hostname.")
		return
	}
	d.ok("name of the server", cfg.Hostname+" is "+strings.Join(addrs, ", "))
	for _, addr := range addrs {
		d.reverse(ctx, cfg.Hostname, addr)
	}
	d.inwards(ctx, cfg.Hostname)
}

// reverse checks that an address has the server's name: receivers want that of senders (PTR).
func (d *doctor) reverse(ctx context.Context, host, addr string) {
	what := "PTR of " + addr
	names, err := d.dns.LookupAddr(ctx, addr)
	switch {
	case err == nil && slices.ContainsFunc(names, func(n string) bool { return sameHost(n, host) }):
		d.ok(what, "it is "+host)
	case err != nil && !isMissing(err):
		d.warn(what, "the DNS did not answer: "+err.Error(), "Try again.")
	default:
		found := "there is none"
		if len(names) > 0 {
			found = "it is " + strings.Join(names, " ") + " and not " + host
		}
		d.warn(what, found, "Have the provider of the "+
			"address set its reverse name to "+host+": others refuse mail from it else.")
	}
}

// inwards checks that mail can be brought to the server.
func (d *doctor) inwards(ctx context.Context, host string) {
	const what = "port 25 inwards"
	greeting, secure, err := d.greet(ctx, host)
	switch {
	case err != nil:
		d.fail(what, "no mail server answers at "+host+":25: "+silence(err), "Set smtp_addr to :25, open the port in "+
			"every firewall, and look whether your provider blocks it.")
	case !secure:
		d.warn(what, "it answers "+greeting+", without STARTTLS", "Is it this server? Mailkin always offers STARTTLS.")
	default:
		d.ok(what, "it answers "+greeting)
	}
}

// outwards checks that mail can leave, where it leaves by itself.
func (d *doctor) outwards(ctx context.Context, cfg config.Config) {
	const what = "sending"
	if cfg.Outbound.Mode != config.OutboundDirect || d.probe == "" {
		d.ok(what, sending(cfg.Outbound))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 3*doctorPatience)
	defer cancel()
	list, err := d.dns.LookupMX(ctx, d.probe)
	if err != nil || len(list) == 0 {
		d.warn(what, "the DNS has no mail server for "+d.probe, "Choose another domain with --probe.")
		return
	}
	if _, _, err := d.greet(ctx, strings.TrimSuffix(list[0].Host, ".")); err != nil {
		d.fail(what, "port 25 cannot be reached outwards: "+silence(err), "Ask your provider to open it, or send "+
			"through a relay: setting outbound.")
		return
	}
	d.ok(what, "port 25 is open outwards")
}

// clock compares the clock with a time server (RFC 4330). Signatures and certificates have a time.
func (d *doctor) clock(ctx context.Context) {
	if d.ntp == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, doctorPatience/2)
	defer cancel()
	off, err := d.offset(ctx)
	if err != nil {
		d.warn("clock", "the time server "+d.ntp+" did not answer", "Choose another with --ntp, or see to it that "+
			"the machine keeps its time.")
		return
	}
	d.skew(off)
}

// skew judges how far two clocks are apart.
func (d *doctor) skew(off time.Duration) {
	switch text := "it is off by " + roundly(off.Abs()); {
	case off.Abs() > time.Minute:
		d.fail("clock", text, "Set it: signatures and certificates are checked against it.")
	case off.Abs() > 5*time.Second:
		d.warn("clock", text, "Have the machine keep its time (NTP).")
	default:
		d.ok("clock", "right")
	}
}

// offset asks a time server how far off our clock is.
func (d *doctor) offset(ctx context.Context) (time.Duration, error) {
	conn, err := d.dial(ctx, "udp", d.ntp)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return 0, err
		}
	}
	packet := make([]byte, 48)
	packet[0] = 4<<3 | 3 // version 4, a client
	sent := d.now()
	if _, err := conn.Write(packet); err != nil {
		return 0, err
	}
	if n, err := conn.Read(packet); err != nil || n < 48 || packet[0]&7 != 4 || packet[1] == 0 {
		return 0, errors.Join(errors.New("no time in the answer"), err)
	}
	came := d.now()
	const since1900 = 2208988800 // seconds to 1970
	seconds := int64(binary.BigEndian.Uint32(packet[40:])) - since1900
	said := time.Unix(seconds, int64(binary.BigEndian.Uint32(packet[44:]))*1e9>>32)
	return said.Sub(sent.Add(came.Sub(sent) / 2)), nil
}
