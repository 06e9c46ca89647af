package config_test

import (
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestDefault(t *testing.T) {
	want := config.Config{
		HTTPAddr: "127.0.0.1:8025", SMTPAddr: "127.0.0.1:2525",
		DataDir: "./mailkin-data", Domains: []string{"mailkin.localhost"}, DomainMismatch: "refuse",
		Hostname: "mailkin.localhost", Mailbox: "ops@mailkin.localhost",
		TLS:          config.TLS{Mode: config.TLSOff},
		ACME:         config.ACME{Directory: "https://acme-v02.api.letsencrypt.org/directory"},
		SecretMaxAge: 8760 * time.Hour, WebhookAllowPrivate: config.PrivateTargets{Auto: true, All: true},
		WebhookTimeout: 10 * time.Second,
		Outbound: config.Outbound{Mode: config.OutboundCapture, ProviderURL: "https://api.resend.com", Port: 25,
			AllowPrivate: config.PrivateTargets{Auto: true, All: true}, Connections: 200, PerDestination: 20,
			Uploads: 2e9, MailboxUploads: 300e6,
			RetryTime: 48 * time.Hour, ReviewExpiry: 72 * time.Hour, LoopThread: 20, LoopPeer: 30},
		Doors: []string{"agentmail", "resend"},
		Onboarding: config.Onboarding{Bootstrap: true, ClientLimit: 100, TotalLimit: 10000, Claim: "operator",
			RetireAddresses: 90 * 24 * time.Hour},
		AuthFailures: config.AuthFailures{Login: 20},
		CatchAll:     config.CatchAll{StartTLS: true, Messages: 5000},
		DNS:          "off", STS: "off", ReceiveAction: "refuse", QuarantineKept: 30 * 24 * time.Hour,
		Scanner: config.Scanner{Timeout: 10 * time.Second, Connections: 16, MaxSize: 20_000_000, Failure: "accept",
			Reject: "off"},
		DNSBL: config.DNSBL{Action: "label"},
		OIDC: config.OIDC{Scopes: []string{"openid", "profile", "email"}, Claim: "groups",
			Session: 12 * time.Hour},
		CodeWindow: 15 * time.Minute, EventsKept: 7 * 24 * time.Hour,
		Limits: mailbox.DefaultLimits(), Backup: config.Backup{Keep: 7},
		SMTP: config.SMTP{MaxRecipients: 1000, MaxConns: 1000, MaxConnsPerAddr: 100, MaxErrors: 20,
			CommandTimeout: 5 * time.Minute, DataTimeout: 5 * time.Minute, SessionTimeout: time.Hour},
		MinFree:     config.FreeSpace{Bytes: 1e9, Percent: 5},
		Trace:       config.Trace{Ratio: 1},
		RejectsKept: 10000, ShutdownGrace: 10 * time.Second, LogLevel: slog.LevelInfo, LogFormat: "text",
	}
	if diff := cmp.Diff(want, config.Default(), cmpopts.EquateComparable(netip.Prefix{})); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

func TestPrecedence(t *testing.T) {
	path := write(t, `http_addr = "127.0.0.1:1"`)
	const variable = "MAILKIN_HTTP_ADDR=127.0.0.1:2"
	file := "MAILKIN_CONFIG=" + path
	flags := map[string]string{"http-addr": "127.0.0.1:3"}
	for _, tt := range []struct {
		name      string
		src       config.Source
		want, via string
	}{
		{"default", config.Source{}, "127.0.0.1:8025", "default"},
		{"file over default", config.Source{Environ: []string{file}}, "127.0.0.1:1", "http_addr in " + path},
		{"variable over file", config.Source{Environ: []string{file, variable}}, "127.0.0.1:2",
			"variable MAILKIN_HTTP_ADDR"},
		{"flag over variable", config.Source{Environ: []string{file, variable}, Flags: flags}, "127.0.0.1:3",
			"flag --http-addr"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, values, err := config.Explain(tt.src)
			if err != nil {
				t.Fatal(err)
			}
			if c.HTTPAddr != tt.want || values[0].Text != tt.want || values[0].From != tt.via {
				t.Errorf("got %s, shown as %s from %s; want %s from %s", c.HTTPAddr, values[0].Text, values[0].From,
					tt.want, tt.via)
			}
		})
	}
}

func TestFileFlagWinsOverVariable(t *testing.T) {
	good := write(t, `log_level = "debug"`)
	c, err := config.Load(config.Source{
		Flags:   map[string]string{"config": good},
		Environ: []string{"MAILKIN_CONFIG=/does/not/exist"},
	})
	if err != nil || c.LogLevel != slog.LevelDebug {
		t.Errorf("got level %v, error %v", c.LogLevel, err)
	}
}

func TestFileForms(t *testing.T) {
	path := write(t, `
		domain = ["Example.COM", "bücher.example"]
		limit_text = 1234
		webhook_allow_private = true
		provisional_ttl = "1h"
	`)
	c, err := config.Load(config.Source{Flags: map[string]string{"config": path}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"example.com", "xn--bcher-kva.example"}, c.Domains); diff != "" {
		t.Errorf("domains (-want +got):\n%s", diff)
	}
	if c.Limits.TextBytes != 1234 || !c.WebhookAllowPrivate.All || c.Limits.ProvisionalTTL != time.Hour {
		t.Errorf("got %d, %+v, %v", c.Limits.TextBytes, c.WebhookAllowPrivate, c.Limits.ProvisionalTTL)
	}
}

func TestDependentDefaults(t *testing.T) {
	c := load(t, "MAILKIN_DOMAIN=Agents.Example., other.example")
	if c.Hostname != "agents.example" || c.Mailbox != "ops@agents.example" {
		t.Errorf("got hostname %s, mailbox %s", c.Hostname, c.Mailbox)
	}
	if c.WebhookAllowPrivate.All {
		t.Error("private webhook targets are allowed on a real domain")
	}
	if c := load(t, "MAILKIN_DOMAIN=mailkin.localhost,agents.example"); c.WebhookAllowPrivate.All {
		t.Error("private webhook targets are allowed beside a real domain")
	}
}

func TestSecrets(t *testing.T) {
	const token = "0123456789abcdef"
	t.Run("variable", func(t *testing.T) {
		if c := load(t, "AUTH_TOKEN="+token, "WEBHOOK_SECRET="+token); string(c.AuthToken) != token ||
			string(c.WebhookSecret) != token {
			t.Error("not taken from the variables")
		}
	})
	t.Run("file", func(t *testing.T) {
		if c := load(t, "AUTH_TOKEN_FILE="+write(t, token+"\n"), "AUTH_TOKEN="); string(c.AuthToken) != token {
			t.Error("not taken from the file without its line end")
		}
	})
	t.Run("empty is not set", func(t *testing.T) {
		if c := load(t, "AUTH_TOKEN="); c.AuthToken != "" {
			t.Error("set")
		}
	})
	t.Run("never shown", func(t *testing.T) {
		_, values, err := config.Explain(config.Source{Environ: []string{"AUTH_TOKEN=" + token}})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"auth_token": "(set)", "backup_to": "(not set)",
			"blob_url": "(not set)", "database_url": "(not set)",
			"master_key_url": "(not set)", "database_listen_url": "(not set)", "database_standby_url": "(not set)",
			"resend_webhook_secret": "(not set)", "embeddings_url": "(not set)",
			"scanner_url":    "(not set)",
			"webhook_secret": "(kept in the data folder)", "secret": "(kept in the data folder)",
			"trace_headers": "(not set)", "oidc_client_secret": "(not set)",
			"secret_old": "(not set)"}
		got := map[string]string{}
		for _, v := range values {
			if v.Secret {
				got[v.Key] = v.Text + v.Flag
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("secrets shown (-want +got):\n%s", diff)
		}
	})
}

func TestFreeSpaceBound(t *testing.T) {
	const gb = 1_000_000_000
	for _, tt := range []struct {
		name, setting string
		disk, want    uint64
	}{
		{"large disk: bytes are smaller", "1GB,5%", 1000 * gb, gb},
		{"small disk: percent is smaller", "1GB,5%", 10 * gb, gb / 2},
		{"bytes alone", "2GB", 10 * gb, 2 * gb},
		{"percent alone", "10%", 10 * gb, gb},
		{"off", "0", 10 * gb, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := load(t, "MAILKIN_MIN_FREE_DISK="+tt.setting).MinFree.Bound(tt.disk); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestPrivateTargets(t *testing.T) {
	networks := load(t, "MAILKIN_WEBHOOK_ALLOW_PRIVATE=10.1.0.0/16, 192.168.1.20").WebhookAllowPrivate
	for _, tt := range []struct {
		name    string
		targets config.PrivateTargets
		addr    string
		want    bool
	}{
		{"inside", networks, "10.1.2.3", true},
		{"inside, IPv4-mapped", networks, "::ffff:10.1.2.3", true},
		{"outside", networks, "10.2.0.1", false},
		{"one address", networks, "192.168.1.20", true},
		{"beside it", networks, "192.168.1.21", false},
		{"all", load(t, "MAILKIN_WEBHOOK_ALLOW_PRIVATE=true").WebhookAllowPrivate, "127.0.0.1", true},
		{"none", load(t, "MAILKIN_WEBHOOK_ALLOW_PRIVATE=false").WebhookAllowPrivate, "127.0.0.1", false},
		{"auto on the built-in domain", load(t).WebhookAllowPrivate, "127.0.0.1", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.targets.Allows(netip.MustParseAddr(tt.addr)); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// What a value prints as must be readable again: the list of settings in force is what people copy into their file.
func TestValuesAreReadableAgain(t *testing.T) {
	environ := []string{
		"MAILKIN_LMTP_ADDR=unix:/run/lmtp.sock", "MAILKIN_TLS=files:a.pem,b.pem", "MAILKIN_LIMIT_TEXT=1536",
		"MAILKIN_LIMIT_HTML=2MiB",
		"MAILKIN_MIN_FREE_DISK=2.5%", "MAILKIN_WEBHOOK_ALLOW_PRIVATE=10.0.0.0/8,::1", "MAILKIN_PROVISIONAL_TTL=1h30m",
		"MAILKIN_LOG_LEVEL=WARN",
	}
	first, values, err := config.Explain(config.Source{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]string{}
	for _, v := range values {
		if v.Flag != "" {
			flags[v.Flag] = v.Text
		}
	}
	second, err := config.Load(config.Source{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second, cmpopts.EquateComparable(netip.Prefix{})); diff != "" {
		t.Errorf("read again (-first +second):\n%s", diff)
	}
}

func load(t *testing.T, environ ...string) config.Config {
	t.Helper()
	c, err := config.Load(config.Source{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mailkin.toml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOIDC(t *testing.T) {
	c := load(t, "MAILKIN_OIDC_ISSUER=https://id.example/realms/kin/", "MAILKIN_OIDC_CLIENT_ID=mailkin",
		"MAILKIN_PUBLIC_URL=https://mail.example", "MAILKIN_OIDC_SCOPES=openid, groups",
		"MAILKIN_OIDC_ROLES=admin=CN=admins%2CO=kin, view=every body")
	want := config.OIDC{Issuer: "https://id.example/realms/kin/", ClientID: "mailkin", Claim: "groups",
		Scopes: []string{"openid", "groups"}, Session: 12 * time.Hour,
		Roles: map[string]mailbox.Role{"CN=admins,O=kin": mailbox.Admin, "every body": mailbox.View}}
	if diff := cmp.Diff(want, c.OIDC); diff != "" || c.OIDC.Provider() != "id.example" {
		t.Errorf("provider %s, settings (-want +got):\n%s", c.OIDC.Provider(), diff)
	}
}
