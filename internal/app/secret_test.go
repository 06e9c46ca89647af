package app

import (
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
)

// A file that has lost its secret, or has one that its setting would not take, ends the start: another secret in its
// place would lock out whoever has the right one.
func TestSecretFilesThatCannotBeUsed(t *testing.T) {
	cfg, err := config.Load(config.Source{Flags: map[string]string{"data-dir": t.TempDir(), "domain": "a.example",
		"http-addr": "127.0.0.1:0", "smtp-addr": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	start := func() error {
		a, err := Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
		if err == nil {
			err = a.Close()
		}
		return err
	}
	if err := start(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{cfg.TokenFile(), cfg.SecretFile(), cfg.WebhookSecretFile()} {
		right, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for found, text := range map[string]string{"": "is empty", "\n": "is empty", "short\n": "has 5 characters",
			strings.Repeat("a b", 20): "has a space"} {
			if err := os.WriteFile(path, []byte(found), 0o600); err != nil {
				t.Fatal(err)
			}
			err := start()
			if !errors.As(err, new(*config.SettingError)) || !strings.Contains(err.Error(), path) ||
				!strings.Contains(err.Error(), text) {
				t.Errorf("%q in %s: %v", found, path, err)
			}
			list, err := Stopped(t.Context(), cfg)
			if err != nil || len(list) == 0 || !list[0].Severe || !strings.Contains(list[0].Found, path) {
				t.Errorf("the doctor on %q in %s: %v, %v", found, path, list, err)
			}
			if kept, _ := os.ReadFile(path); string(kept) != found {
				t.Errorf("%s has %q now, and had %q", path, kept, found)
			}
		}
		if err := os.WriteFile(path, right, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := start(); err != nil {
			t.Errorf("with the right one in %s again: %v", path, err)
		}
	}
}
