package config_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
)

// A node on PostgreSQL shares its secrets with the others, or does not start.
func TestSeveralNodes(t *testing.T) {
	const database, root, token = "MAILKIN_DATABASE_URL=postgres://u:pass@127.0.0.1/mailkin",
		"MAILKIN_SECRET=0123456789abcdef0123456789abcdef", "AUTH_TOKEN=0123456789abcdef"
	for _, tt := range []struct {
		name    string
		environ []string
		want    string // in the error; empty: none
	}{
		{"everything", []string{database, root, token}, ""},
		{"no root secret", []string{database, token}, "MAILKIN_SECRET"},
		{"no token", []string{database, root}, "AUTH_TOKEN"},
		{"another database", []string{"MAILKIN_DATABASE_URL=mysql://u:pass@127.0.0.1/x", root, token},
			"postgres://user:password@host"},
		{"no database's name", []string{"MAILKIN_DATABASE_URL=postgres://u:pass@127.0.0.1/", root, token},
			"names no database"},
		{"not a bucket", []string{"MAILKIN_BLOB_URL=http://127.0.0.1/x"}, "s3://"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := config.Load(config.Source{Environ: tt.environ})
			switch {
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want %q in it", err, tt.want)
			case tt.want == "" && err != nil:
				t.Error(err)
			case err != nil && strings.Contains(err.Error(), "pass@"):
				t.Errorf("the error shows the password: %v", err)
			case err == nil && c.WebhookSecret == "":
				t.Error("the nodes share no webhook secret")
			}
		})
	}
}

func TestNodesDeriveTheSameWebhookSecret(t *testing.T) {
	load := func(root string) string {
		c, err := config.Load(config.Source{Environ: []string{"MAILKIN_DATABASE_URL=postgres:///mailkin",
			"AUTH_TOKEN=0123456789abcdef", "MAILKIN_SECRET=" + root}})
		if err != nil {
			t.Fatal(err)
		}
		return string(c.WebhookSecret)
	}
	one, other := strings.Repeat("a", 32), strings.Repeat("b", 32)
	first, again := load(one), load(one)
	if first != again || first == load(other) || first == one {
		t.Error("it is not derived from the root secret")
	}
}
