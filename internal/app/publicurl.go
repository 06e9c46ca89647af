package app

import (
	"cmp"
	"net"
	"net/netip"

	"github.com/mailkin/mailkin/internal/config"
)

// publicURL is where people reach the pages of the service, for links in mail: as the settings say, or else where it
// listens.
func (a *App) publicURL() string {
	if a.cfg.PublicURL != "" {
		return a.cfg.PublicURL
	}
	scheme := "http"
	if a.cfg.TLS.Mode != config.TLSOff {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(cmp.Or(a.addrs.HTTP, a.cfg.HTTPAddr))
	if addr, err := netip.ParseAddr(host); host == "" || err == nil && addr.IsUnspecified() {
		host = a.cfg.Hostname
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}
