package app

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/console"
)

// console makes the pages. A start can be followed by a link that signs a person on this machine in, once. There is
// none where the deployment brings its own token: then its output is not a place for anything that stands for it; and
// none where the link could not work.
func (a *App) console() http.Handler {
	if a.secrets.tokenSource == a.cfg.TokenFile() && opensHere(a.cfg) {
		a.signIn = console.NewSignIn(a.secrets.token, time.Now)
	}
	return console.Handler(console.Config{Log: a.log, SignIn: a.signIn, TrustedProxies: a.cfg.TrustedProxies,
		SMTP: func() string { return a.addrs.SMTP }, Provider: a.cfg.OIDC.Provider()})
}

// opensHere tells whether a browser on this machine reaches the console straight, so that the console knows it for one.
// Over TLS the link's name may lead to another machine; a socket has no link; behind a proxy on this machine everybody
// looks local.
func opensHere(cfg config.Config) bool {
	if cfg.TLS.Mode != config.TLSOff || strings.HasPrefix(cfg.HTTPAddr, "unix:") || slices.Contains(cfg.ProxyProtocol,
		"http") {
		return false
	}
	for _, here := range [...]string{"127.0.0.0/8", "::1/128", "::ffff:127.0.0.0/104"} {
		if slices.ContainsFunc(cfg.TrustedProxies, netip.MustParsePrefix(here).Overlaps) {
			return false
		}
	}
	host, _, err := net.SplitHostPort(cfg.HTTPAddr)
	if err != nil {
		return false
	}
	if host == "" || host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && (addr.Unmap().IsLoopback() || addr.IsUnspecified())
}

// SignIn makes the token with which the console is opened once, signed in as the operator, and returns it; empty: there
// is none. Callers have somebody to show it to.
func (a *App) SignIn() string {
	if a.signIn == nil {
		return ""
	}
	return a.signIn.Token()
}
