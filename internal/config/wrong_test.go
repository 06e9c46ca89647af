package config_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
)

// Every way a setting can be wrong ends in one line with its name, where it came from and what is right.
func TestWrongSettings(t *testing.T) {
	for _, tt := range []struct {
		name  string
		env   []string
		file  string
		flags map[string]string
		want  []string // parts of the line
	}{
		{name: "address without a port", env: []string{"MAILKIN_HTTP_ADDR=8025"},
			want: []string{"http_addr", "variable MAILKIN_HTTP_ADDR", `"8025"`, "127.0.0.1:8025"}},
		{name: "port out of range", flags: map[string]string{"smtp-addr": "localhost:70000"},
			want: []string{"smtp_addr", "flag --smtp-addr", "host:port"}},
		{name: "HTTP cannot be off", env: []string{"MAILKIN_HTTP_ADDR="}, want: []string{"http_addr", "host:port"}},
		{name: "submission where mail comes in", env: []string{"MAILKIN_SUBMISSION_ADDR=127.0.0.1:2525"},
			want: []string{"submission_addr", "already the address of smtp_addr"}},
		{name: "no path for submission", env: []string{"MAILKIN_SUBMISSION_ADDR=unix:/run/submission"},
			want: []string{"submission_addr", "host:port"}},
		{name: "a path only for LMTP", env: []string{"MAILKIN_SMTP_ADDR=unix:/run/smtp"},
			want: []string{"smtp_addr", "host:port"}},
		{name: "two listeners on one address", env: []string{"MAILKIN_SMTP_ADDR=127.0.0.1:8025"},
			want: []string{"smtp_addr", "variable MAILKIN_SMTP_ADDR", "already the address of http_addr"}},
		{name: "an issuer in the clear", env: []string{"MAILKIN_OIDC_ISSUER=http://id.example"},
			want: []string{"oidc_issuer", "https"}},
		{name: "an issuer with a question", env: []string{"MAILKIN_OIDC_ISSUER=https://id.example?a=b"},
			want: []string{"oidc_issuer", "not an issuer"}},
		{name: "an issuer without a client", env: []string{"MAILKIN_OIDC_ISSUER=https://id.example"},
			want: []string{"oidc_client_id", "oidc_issuer needs it"}},
		{name: "an issuer without an address of ours", env: []string{"MAILKIN_OIDC_ISSUER=https://id.example",
			"MAILKIN_OIDC_CLIENT_ID=mailkin"}, want: []string{"public_url", "oidc_issuer needs it"}},
		{name: "a session of a year", env: []string{"MAILKIN_OIDC_ISSUER=https://id.example",
			"MAILKIN_OIDC_CLIENT_ID=mailkin", "MAILKIN_PUBLIC_URL=https://mail.example",
			"MAILKIN_OIDC_SESSION=8760h"}, want: []string{"oidc_session", "720h"}},
		{name: "a role that there is not", env: []string{"MAILKIN_OIDC_ROLES=root=wheel"},
			want: []string{"oidc_roles", `"root=wheel"`, "view, moderate and admin"}},
		{name: "a role for nobody", env: []string{"MAILKIN_OIDC_ROLES=admin"}, want: []string{"oidc_roles"}},
		{name: "two roles for one value", env: []string{"MAILKIN_OIDC_ROLES=admin=a,view=a"},
			want: []string{"oidc_roles", `"a" has two roles`}},
		{name: "scopes that do not say who", env: []string{"MAILKIN_OIDC_SCOPES=email"},
			want: []string{"oidc_scopes", "openid is not among them"}},
		{name: "domain", env: []string{"MAILKIN_DOMAIN=good.example,bad_domain"},
			want: []string{"domain", `"bad_domain"`, "agents.example.com"}},
		{name: "domain is an IP address", env: []string{"MAILKIN_DOMAIN=10.0.0.1"},
			want: []string{"domain", "not a domain name"}},
		{name: "domain is empty", env: []string{"MAILKIN_DOMAIN="}, want: []string{"domain", "not a domain name"}},
		{name: "data folder is empty", env: []string{"MAILKIN_DATA_DIR="},
			want: []string{"data_dir", "the path of a folder"}},
		{name: "mailbox without a domain", env: []string{"MAILKIN_MAILBOX=ops"},
			want: []string{"mailbox", "ops@agents.example.com"}},
		{name: "mailbox with a bad name", env: []string{"MAILKIN_MAILBOX=.x@mailkin.localhost"},
			want: []string{"mailbox", "begins and ends with"}},
		{name: "mailbox on another domain", env: []string{"MAILKIN_MAILBOX=ops@elsewhere.example"},
			want: []string{"mailbox", "variable MAILKIN_MAILBOX", "mailkin.localhost"}},
		{name: "TLS mode", env: []string{"MAILKIN_TLS=on"}, want: []string{"tls", `"on"`, "files:cert.pem,key.pem"}},
		{name: "TLS without a key", env: []string{"MAILKIN_TLS=files:cert.pem"}, want: []string{"tls", "two paths"}},
		{name: "TLS without an address", env: []string{"MAILKIN_TLS=acme:"},
			want: []string{"tls", "acme:you@example.com"}},
		{name: "TLS with a name and address", env: []string{"MAILKIN_TLS=acme:Ada <ada@example.com>"},
			want: []string{"tls", "acme:you@example.com"}},
		{name: "ACME for no name", env: []string{"MAILKIN_TLS=acme:ops@example.com"},
			want: []string{"tls", "hostname"}},
		{name: "ACME in the clear", env: []string{"MAILKIN_ACME_DIRECTORY=http://ca.example/dir"},
			want: []string{"acme_directory", "https://"}},
		{name: "ACME port without ACME", env: []string{"MAILKIN_ACME_HTTP_ADDR=:80"}, want: []string{"acme_http_addr",
			"tls"}},
		{name: "ACME port elsewhere", env: []string{"MAILKIN_TLS=acme:ops@example.com", "MAILKIN_HOSTNAME=mx.example",
			"MAILKIN_ACME_HTTP_ADDR=192.0.2.1:80"},
			want: []string{"acme_http_addr", "http_addr"}},
		{name: "a door that is not this setting's", env: []string{"MAILKIN_DOORS=mailpit"}, want: []string{"doors",
			"catch_all"}},
		{name: "PROXY on no listener", env: []string{"MAILKIN_PROXY_PROTOCOL=imap"}, want: []string{"proxy_protocol",
			`"imap"`, "submission"}},
		{name: "PROXY from nobody", env: []string{"MAILKIN_PROXY_PROTOCOL=smtp"}, want: []string{"proxy_protocol",
			"trusted_proxies"}},
		{name: "PROXY on a socket", env: []string{"MAILKIN_PROXY_PROTOCOL=lmtp", "MAILKIN_TRUSTED_PROXIES=10.0.0.0/8",
			"MAILKIN_LMTP_ADDR=unix:/run/lmtp"},
			want: []string{"proxy_protocol", "lmtp"}},
		{name: "size", file: `limit_text = "5 apples"`, want: []string{"limit_text", "limit_text in", `"5 apples"`,
			"500KB"}},
		{name: "size overflows", env: []string{"MAILKIN_LIMIT_WIRE=99999999TB"}, want: []string{"limit_wire",
			"not a size"}},
		{name: "size of nothing", env: []string{"MAILKIN_LIMIT_WIRE=0"}, want: []string{"limit_wire",
			"at least 1 byte"}},
		{name: "count below its bound", env: []string{"MAILKIN_SMTP_MAX_RECIPIENTS=10"},
			want: []string{"smtp_max_recipients", "from 100 to"}},
		{name: "negative count", env: []string{"DAILY_SEND_LIMIT=-1"}, want: []string{"daily_send_limit",
			"variable DAILY_SEND_LIMIT", "from 0 to"}},
		{name: "failed log-ins", env: []string{"MAILKIN_AUTH_FAILURE_LIMIT=few"}, want: []string{"auth_failure_limit",
			"from 0 to", "auto"}},
		{name: "duration without a unit", env: []string{"MAILKIN_SHUTDOWN_GRACE=10"}, want: []string{"shutdown_grace",
			`"10"`, "such as 30s"}},
		{name: "duration of nothing", env: []string{"MAILKIN_PROVISIONAL_TTL=0s"}, want: []string{"provisional_ttl",
			"length of time"}},
		{name: "percentage", env: []string{"MAILKIN_MIN_FREE_DISK=100%"}, want: []string{"min_free_disk", "below 100"}},
		{name: "percentage that is no number", env: []string{"MAILKIN_MIN_FREE_DISK=NaN%"},
			want: []string{"min_free_disk", "below 100"}},
		{name: "two sizes", env: []string{"MAILKIN_MIN_FREE_DISK=1GB,2GB"}, want: []string{"min_free_disk", "1GB,5%"}},
		{name: "networks", env: []string{"MAILKIN_WEBHOOK_ALLOW_PRIVATE=10.0.0.0/8,yes"},
			want: []string{"webhook_allow_private", `"yes"`, "auto, true, false"}},
		{name: "proxies", env: []string{"MAILKIN_TRUSTED_PROXIES=10.0.0.0/8,nginx"}, want: []string{"trusted_proxies",
			`"nginx"`, "networks such as"}},
		{name: "proxies with a gap", env: []string{"MAILKIN_TRUSTED_PROXIES=10.0.0.0/8,"},
			want: []string{"trusted_proxies", "networks such as"}},
		{name: "resolver", env: []string{"MAILKIN_DNS=dns.example"}, want: []string{"dns", "127.0.0.1:53"}},
		{name: "switch", env: []string{"MAILKIN_BOOTSTRAP=perhaps"}, want: []string{"bootstrap", "on or off"}},
		{name: "claim", env: []string{"MAILKIN_CLAIM=everyone"}, want: []string{"claim", "off, operator, open"}},
		{name: "public address", env: []string{"MAILKIN_PUBLIC_URL=mail.example.com"}, want: []string{"public_url",
			"https://mail.example.com"}},
		{name: "public address with a query", env: []string{"MAILKIN_PUBLIC_URL=https://x.example/?a=b"},
			want: []string{"public_url"}},
		{name: "negative grace", env: []string{"MAILKIN_KEY_GRACE=-1s"}, want: []string{"key_grace", "length of time"}},
		{name: "log level", env: []string{"MAILKIN_LOG_LEVEL=loud"},
			want: []string{"log_level", "debug, info, warn, error"}},
		{name: "log format", env: []string{"MAILKIN_LOG_FORMAT=xml"}, want: []string{"log_format", "text, json"}},
		{name: "short token", env: []string{"AUTH_TOKEN=hunter2"}, want: []string{"auth_token", "variable AUTH_TOKEN",
			"at least 16"}},
		{name: "token with a space", env: []string{"AUTH_TOKEN=hunter2 hunter2 hunter2"}, want: []string{"auth_token",
			"space"}},
		{name: "token twice", env: []string{"AUTH_TOKEN=hunter2hunter2hunter2", "AUTH_TOKEN_FILE=/tmp/x"},
			want: []string{"auth_token", "one of the two"}},
		{name: "token file missing", env: []string{"AUTH_TOKEN_FILE=/does/not/exist"}, want: []string{"auth_token",
			"AUTH_TOKEN_FILE", "cannot be read"}},

		{name: "misspelt variable", env: []string{"MAILKIN_HTPP_ADDR=x"},
			want: []string{"unknown variable MAILKIN_HTPP_ADDR", "did you mean MAILKIN_HTTP_ADDR?"}},
		{name: "prefix where there is none", env: []string{"MAILKIN_AUTH_TOKEN=x"},
			want: []string{"did you mean AUTH_TOKEN?"}},
		{name: "unknown variable", env: []string{"MAILKIN_FLUX_CAPACITOR=x"}, want: []string{"MAILKIN_FLUX_CAPACITOR",
			"mailkin config help"}},
		{name: "misspelt key", file: `htp_addr = "x"`, want: []string{"unknown key htp_addr in",
			"did you mean http_addr?"}},
		{name: "table in the file", file: "[smtp]\naddr = \"x\"", want: []string{"unknown key smtp in"}},
		{name: "misspelt flag", flags: map[string]string{"data-dri": "x"}, want: []string{"did you mean --data-dir?"}},
		{name: "secret as a flag", flags: map[string]string{"auth-token": "x"},
			want: []string{"did you mean the variable AUTH_TOKEN?"}},
		{name: "file that is not TOML", file: "http_addr 8025", want: []string{"config", "line 1"}},
		{name: "file with an odd value", file: "domain = [1]", want: []string{"domain", "only strings"}},
		{name: "file in a file", file: `config = "x"`, want: []string{"config", "cannot name another"}},
		{name: "file missing", flags: map[string]string{"config": "/does/not/exist"},
			want: []string{"config", "flag --config", "/does/not/exist"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := config.Source{Environ: tt.env, Flags: tt.flags}
			if tt.file != "" {
				src.Flags = map[string]string{"config": write(t, tt.file)}
			}
			_, err := config.Load(src)
			if err == nil {
				t.Fatal("no error")
			}
			line := err.Error()
			for _, part := range tt.want {
				if !strings.Contains(line, part) {
					t.Errorf("%q does not say %q", line, part)
				}
			}
			if strings.ContainsAny(line, "\r\n") {
				t.Errorf("more than one line: %q", line)
			}
			if strings.Contains(line, "hunter2") {
				t.Errorf("a secret is repeated: %q", line)
			}
		})
	}
}

// Variables with our prefix that belong to others are let through.
func TestForeignVariables(t *testing.T) {
	_, err := config.Load(config.Source{Environ: []string{
		"MAILKIN_URL=http://x", "MAILKIN_API_KEY=mk_x", "MAILKIN_BINARY=/x", "MAILKIN_CORPORA=/x",
		"MAILKIN_TEST_BINARY=/x",
		"MAILKIN_SERVICE_HOST=10.0.0.1", "MAILKIN_PORT=tcp://10.0.0.1:25", "MAILKIN_PORT_25_TCP_ADDR=10.0.0.1",
		"PATH=/bin", "ODD", "=C:=x",
	}})
	if err != nil {
		t.Error(err)
	}
}
