package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// complete fills in what depends on other settings, and checks what only shows between two of them. It returns the key
// of the setting that is wrong.
func (c *Config) complete() (string, error) {
	if c.Hostname == "" {
		c.Hostname = c.Domains[0]
	}
	if key, err := c.catchAll(); err != nil {
		return key, err
	}
	if c.Mailbox == "" {
		c.Mailbox = "ops@" + c.Domains[0]
	}
	if _, domain, _ := strings.Cut(c.Mailbox, "@"); !slices.Contains(c.Domains, domain) {
		return "mailbox", fmt.Errorf("%s is not on a mail domain of this server; the setting domain has %s", c.Mailbox,
			strings.Join(c.Domains, ", "))
	}
	firstTry := slices.Equal(c.Domains, []string{builtinDomain})
	if c.WebhookAllowPrivate.Auto {
		c.WebhookAllowPrivate.All = firstTry
	}
	if c.Outbound.AllowPrivate.Auto {
		c.Outbound.AllowPrivate.All = firstTry
	}
	if c.DNS == dnsAuto {
		c.DNS = DNSSystem
		if firstTry && c.Outbound.Mode != OutboundDirect { // nobody on the Internet can send there
			c.DNS = DNSOff
		}
	}
	if c.Outbound.Mode == OutboundDirect && c.DNS == DNSOff {
		return "outbound", errors.New("direct needs the DNS, and the setting dns is off")
	}
	if len(c.DNSBL.Zones) > 0 && c.DNS == DNSOff {
		return "dnsbl", errors.New("block lists need the DNS, and the setting dns is off")
	}
	if key, err := c.signingIn(); err != nil {
		return key, err
	}
	if key, err := c.several(); err != nil {
		return key, err
	}
	if key, err := c.entrances(); err != nil {
		return key, err
	}
	return c.sameAddress()
}

// bound is a setting that says where to listen.
type bound struct{ key, addr string }

func (c *Config) listeners() []bound {
	return []bound{
		{"http_addr", c.HTTPAddr}, {"smtp_addr", c.SMTPAddr}, {"lmtp_addr", c.LMTPAddr},
		{"submission_addr", c.SubmitAddr}, {"metrics_addr", c.MetricsAddr}, {"acme_http_addr", c.ACME.HTTPAddr},
	}
}

// sameAddress finds two listeners on one address.
func (c *Config) sameAddress() (string, error) {
	seen := map[string]string{}
	for _, l := range c.listeners() {
		if l.addr == "" || strings.HasSuffix(l.addr, ":0") {
			continue
		}
		if first, taken := seen[l.addr]; taken {
			return l.key, fmt.Errorf("%s is already the address of %s; choose another port", l.addr, first)
		}
		seen[l.addr] = l.key
	}
	return "", nil
}
