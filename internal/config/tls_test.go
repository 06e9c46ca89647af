package config_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/config"
)

func TestACME(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  []string
		want []string
	}{
		{"the server's name", []string{"MAILKIN_DOMAIN=agents.example", "MAILKIN_HOSTNAME=mx.example"},
			[]string{"mx.example"}},
		{"and that of the API", []string{"MAILKIN_HOSTNAME=mx.example",
			"MAILKIN_PUBLIC_URL=https://Mail.example:8443/x"}, []string{"mx.example", "mail.example"}},
		{"the same", []string{"MAILKIN_HOSTNAME=mx.example", "MAILKIN_PUBLIC_URL=https://mx.example"},
			[]string{"mx.example"}},
		{"no address", []string{"MAILKIN_HOSTNAME=mx.example", "MAILKIN_PUBLIC_URL=https://192.0.2.1"},
			[]string{"mx.example"}},
		{"nothing local", []string{"MAILKIN_PUBLIC_URL=https://mail.example"}, []string{"mail.example"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := load(t, append(tt.env, "MAILKIN_TLS=acme:ops@example.com")...)
			if diff := cmp.Diff(tt.want, c.ACMENames()); diff != "" || c.TLS.Mode != config.TLSACME ||
				c.TLS.Email != "ops@example.com" {
				t.Errorf("%+v, names (-want +got):\n%s", c.TLS, diff)
			}
		})
	}
}

func TestProxyProtocol(t *testing.T) {
	const proxies = "MAILKIN_TRUSTED_PROXIES=10.0.0.0/8"
	for _, tt := range []struct {
		value string
		want  []string
	}{
		{"off", nil}, {"", nil}, {"SMTP, http,smtp", []string{"smtp", "http"}},
		{"on", []string{"http", "smtp", "lmtp", "submission", "acme"}},
	} {
		t.Run(tt.value, func(t *testing.T) {
			c := load(t, proxies, "MAILKIN_PROXY_PROTOCOL="+tt.value)
			if diff := cmp.Diff(tt.want, c.ProxyProtocol); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
