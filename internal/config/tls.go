package config

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// tlsValue is off, files:cert,key, or acme:address.
type tlsValue TLS

func (t *tlsValue) Set(s string) error {
	if s == string(TLSOff) {
		*t = tlsValue{Mode: TLSOff}
		return nil
	}
	if email, ok := strings.CutPrefix(s, "acme:"); ok {
		return t.acme(strings.TrimSpace(email))
	}
	files, ok := strings.CutPrefix(s, "files:")
	if !ok {
		return fmt.Errorf("%q is not off, files:cert.pem,key.pem or acme:you@example.com", s)
	}
	cert, key, ok := strings.Cut(files, ",")
	cert, key = strings.TrimSpace(cert), strings.TrimSpace(key)
	if !ok || cert == "" || key == "" {
		return errors.New("files: needs two paths with a comma between them: files:cert.pem,key.pem")
	}
	*t = tlsValue{Mode: TLSFiles, CertFile: cert, KeyFile: key}
	return nil
}

func (t *tlsValue) acme(email string) error {
	a, err := mail.ParseAddress(email)
	if err != nil || a.Address != email {
		return fmt.Errorf("acme: needs an address of yours, to which the authority writes when something is wrong: "+
			"acme:you@example.com, not %q", email)
	}
	*t = tlsValue{Mode: TLSACME, Email: email}
	return nil
}

func (t *tlsValue) String() string {
	switch t.Mode {
	case TLSFiles:
		return "files:" + t.CertFile + "," + t.KeyFile
	case TLSACME:
		return "acme:" + t.Email
	}
	return string(t.Mode)
}

// directoryURL is the address of an ACME directory. Its answers decide what we sign, so it is never plain HTTP.
type directoryURL string

func (d *directoryURL) Set(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return fmt.Errorf("%q is not the address of a directory: give it like https://acme.example.com/directory", s)
	}
	*d = directoryURL(s)
	return nil
}

func (d *directoryURL) String() string { return string(*d) }

// listenerNames are those that can be behind a balancer.
var listenerNames = []string{"http", "smtp", "lmtp", "submission", "acme"}

// doorNames are the services whose interfaces are served for programs that have a key.
var doorNames = []string{"agentmail", "resend"}

// nameSet is off, on, or some of a few names.
type nameSet struct {
	to   *[]string
	of   []string
	what string // one of them
}

func (n nameSet) Set(s string) error {
	*n.to = nil
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "off", "false":
		return nil
	case "on", "true":
		*n.to = slices.Clone(n.of)
		return nil
	}
	for item := range strings.SplitSeq(s, ",") {
		name := strings.ToLower(strings.TrimSpace(item))
		if n.what == "door" && name == "mailpit" {
			return errors.New("mailpit is no door of this setting: it is open where catch_all is on, and nowhere else")
		}
		if !slices.Contains(n.of, name) {
			return fmt.Errorf("%q is not a %s: use on, off, or some of %s", item, n.what, strings.Join(n.of, ", "))
		}
		if !slices.Contains(*n.to, name) {
			*n.to = append(*n.to, name)
		}
	}
	return nil
}

func (n nameSet) words() []string { return append([]string{"on", "off"}, n.of...) }

func (n nameSet) String() string {
	switch {
	case n.to == nil || len(*n.to) == 0:
		return "off"
	case len(*n.to) == len(n.of):
		return "on"
	}
	return strings.Join(*n.to, ",")
}

// entrances checks what stands before the listeners: certificates and balancers.
func (c *Config) entrances() (string, error) {
	switch {
	case c.TLS.Mode == TLSACME && len(c.ACMENames()) == 0:
		return "tls", errors.New("acme needs a name that is on the Internet: set hostname, or public_url")
	case c.TLS.Mode != TLSACME && c.ACME.HTTPAddr != "":
		return "acme_http_addr", errors.New("it is for certificates by ACME, and the setting tls does not ask for them")
	case !sameHost(c.HTTPAddr, c.ACME.HTTPAddr):
		return "acme_http_addr", fmt.Errorf("it must be on the same address as http_addr (%s), or on every interface",
			c.HTTPAddr)
	case len(c.ProxyProtocol) > 0 && len(c.TrustedProxies) == 0:
		return "proxy_protocol", errors.New("nobody's headers are believed while trusted_proxies is empty: name the " +
			"balancer's network there")
	case slices.Contains(c.ProxyProtocol, "lmtp") && len(c.ProxyProtocol) < len(listenerNames) &&
		strings.HasPrefix(c.LMTPAddr, "unix:"):
		return "proxy_protocol", errors.New("lmtp is a socket on this machine, which no balancer is before")
	}
	return "", nil
}

// sameHost tells whether two listeners are on one address, as far as they say; one that is off says nothing.
func sameHost(a, b string) bool {
	one, _, _ := net.SplitHostPort(a)
	two, _, _ := net.SplitHostPort(b)
	every := func(host string) bool {
		ip, err := netip.ParseAddr(host)
		return host == "" || err == nil && ip.IsUnspecified()
	}
	return every(one) || every(two) || one == two
}

// Modes of MTA-STS policies.
const (
	STSOff     = "off"
	STSTesting = "testing"
	STSEnforce = "enforce"
)

// ServedSTS is the mode of the MTA-STS policies that are served; empty: none are.
func (c *Config) ServedSTS() string {
	if c.STS == STSOff {
		return ""
	}
	return c.STS
}

// ACMENames are the names that certificates are asked for: that of the mail server, that in public_url, and those of
// the MTA-STS policies of the deployment's domains.
func (c *Config) ACMENames() []string {
	var names []string
	add := func(name string) {
		_, err := netip.ParseAddr(name)
		local := name == "localhost" || strings.HasSuffix(name, ".localhost")
		if err != nil && name != "" && !local && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(c.Hostname)
	if c.ServedSTS() != "" {
		for _, domain := range c.Domains {
			add("mta-sts." + domain)
		}
	}
	if u, err := url.Parse(c.PublicURL); err == nil {
		add(strings.ToLower(u.Hostname()))
	}
	return names
}
