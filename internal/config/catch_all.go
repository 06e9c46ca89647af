package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// catchAll checks what a test server needs, and fills in what follows from being one. It returns the key of the setting
// that is wrong.
func (c *Config) catchAll() (string, error) {
	if !c.CatchAll.On {
		return "", nil
	}
	if c.Database.URL != "" {
		return "catch_all", errors.New("it keeps mail in a data folder of its own, and database_url names a database")
	}
	if c.Outbound.Mode != OutboundCapture {
		return "outbound", errors.New("with catch_all nothing leaves the machine: it must be capture")
	}
	if key, addr := c.exposed(); key != "" && len(c.CatchAll.Hosts) == 0 {
		return key, fmt.Errorf("%s is not on loopback, and with catch_all anyone who reaches it reads all mail: name "+
			"the hosts by which it may be asked in catch_all_hosts, or listen on 127.0.0.1", addr)
	}
	if c.Mailbox == "" {
		c.Mailbox = "all@" + c.Domains[0]
	}
	if c.DNS == dnsAuto {
		c.DNS = DNSOff
	}
	c.Onboarding.RetireAddresses = 0 // addresses come and go with their mail
	return "", nil
}

// exposed finds a listener that is not on loopback alone.
func (c *Config) exposed() (key, addr string) {
	for _, l := range c.listeners() {
		if l.addr != "" && !strings.HasPrefix(l.addr, "unix:") && !loopback(l.addr) {
			return l.key, l.addr
		}
	}
	return "", ""
}

func loopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// hosts are names that a server is asked by.
type hosts []string

func (h *hosts) Set(s string) error {
	var out hosts
	for item := range strings.SplitSeq(s, ",") {
		item = strings.ToLower(strings.TrimSpace(item))
		if strings.ContainsAny(item, " /@") {
			return fmt.Errorf("%q is not the name of a host: write it without scheme and path", item)
		}
		if item != "" {
			out = append(out, item)
		}
	}
	*h = out
	return nil
}

func (h *hosts) String() string { return strings.Join(*h, ",") }
