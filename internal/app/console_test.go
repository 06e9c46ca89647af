package app

import (
	"net/netip"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
)

// A link to sign in with is given out only where it can work.
func TestOpensHere(t *testing.T) {
	behind := func(networks ...string) func(*config.Config) {
		return func(c *config.Config) {
			for _, n := range networks {
				c.TrustedProxies = append(c.TrustedProxies, netip.MustParsePrefix(n))
			}
		}
	}
	at := func(addr string) func(*config.Config) { return func(c *config.Config) { c.HTTPAddr = addr } }
	for _, tt := range []struct {
		name string
		set  func(*config.Config)
		want bool
	}{
		{"as it comes", func(*config.Config) {}, true},
		{"IPv6", at("[::1]:8025"), true},
		{"by name", at("localhost:8025"), true},
		{"every interface", at(":8025"), true},
		{"every interface of IPv4", at("0.0.0.0:8025"), true},
		{"every interface of IPv6", at("[::]:8025"), true},
		{"one interface", at("192.0.2.1:8025"), false},
		{"another name", at("mail.example:8025"), false},
		{"socket", at("unix:/run/mailkin.sock"), false},
		{"off", at(""), false},
		{"proxy elsewhere", behind("10.0.0.0/8", "2001:db8::/32"), true},
		{"proxy here", behind("10.0.0.0/8", "127.0.0.1/32"), false},
		{"proxy here over IPv6", behind("::1/128"), false},
		{"every proxy", behind("0.0.0.0/0"), false},
		{"PROXY protocol", func(c *config.Config) { c.ProxyProtocol = []string{"smtp", "http"} }, false},
		{"PROXY protocol for mail", func(c *config.Config) { c.ProxyProtocol = []string{"smtp"} }, true},
		{"TLS", func(c *config.Config) { c.TLS.Mode = config.TLSFiles }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config.Default()
			tt.set(&cfg)
			if got := opensHere(cfg); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
