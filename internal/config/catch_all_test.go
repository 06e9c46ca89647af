package config_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
)

func TestCatchAll(t *testing.T) {
	for _, row := range []struct {
		name, flags string
		wrong       string // the setting that the error is about; empty: none
	}{
		{"by default", "", ""},
		{"localhost", "smtp-addr=localhost:1025 http-addr=[::1]:8025", ""},
		{"socket", "lmtp-addr=unix:/run/lmtp.sock", ""},
		{"every interface", "http-addr=:8025", "http_addr"},
		{"every interface by its address", "smtp-addr=0.0.0.0:1025", "smtp_addr"},
		{"another address", "metrics-addr=192.168.1.7:9000", "metrics_addr"},
		{"a name", "http-addr=mailpit:8025", "http_addr"},
		{"every interface, as asked for", "http-addr=:8025 smtp-addr=:1025 catch-all-hosts=localhost", ""},
		{"no name of a host", "catch-all-hosts=http://mailpit", "catch_all_hosts"},
		{"mail that leaves", "outbound=direct", "outbound"},
		{"no mail at all", "outbound=off", "outbound"},
	} {
		t.Run(row.name, func(t *testing.T) {
			flags := map[string]string{"catch-all": "on"}
			for _, f := range strings.Fields(row.flags) {
				name, value, _ := strings.Cut(f, "=")
				flags[name] = value
			}
			c, err := config.Load(config.Source{Flags: flags})
			switch {
			case row.wrong == "" && err != nil:
				t.Error(err)
			case row.wrong != "" && (err == nil || !strings.Contains(err.Error(), "setting "+row.wrong+" ")):
				t.Errorf("%v, want it to be about %s", err, row.wrong)
			case err == nil && (c.Mailbox != "all@mailkin.localhost" || c.DNS != config.DNSOff):
				t.Errorf("mailbox %s, dns %s", c.Mailbox, c.DNS)
			}
		})
	}
	_, err := config.Load(config.Source{Flags: map[string]string{"catch-all": "on"}, Environ: []string{
		"MAILKIN_DATABASE_URL=postgres://u@h/d", "AUTH_TOKEN=0123456789abcdef0123",
		"MAILKIN_SECRET=0123456789abcdef0123456789abcdef"}})
	if err == nil || !strings.Contains(err.Error(), "setting catch_all ") {
		t.Errorf("with a database: %v", err)
	}
}

// A value that came from another program's variable is refused by the name of that.
func TestForeignVariable(t *testing.T) {
	src := config.Source{Defaults: map[string]string{"catch_all_messages": "many"},
		Foreign: map[string]string{"catch_all_messages": "MP_MAX_MESSAGES"}}
	if _, err := config.Load(src); err == nil || !strings.Contains(err.Error(), "variable MP_MAX_MESSAGES") {
		t.Errorf("refused as %v", err)
	}
	src.Flags = map[string]string{"catch-all-messages": "some"}
	if _, err := config.Load(src); err == nil || !strings.Contains(err.Error(), "flag --catch-all-messages") {
		t.Errorf("a flag is refused as %v", err)
	}
}
