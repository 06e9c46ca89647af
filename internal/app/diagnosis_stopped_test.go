package app

import (
	"bytes"
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/service"
)

// A server that refuses to start cannot be asked why: its data is looked at.
func TestStoppedDeployment(t *testing.T) {
	cfg, err := config.Load(config.Source{Flags: map[string]string{"data-dir": t.TempDir(), "domain": "a.example",
		"http-addr": "127.0.0.1:0", "smtp-addr": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := Stopped(t.Context(), cfg); err != nil || len(list) != 0 {
		t.Errorf("before the first start: %v, %v", list, err)
	}
	a, err := Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	// A mailbox that somebody has: that of the server itself does not count alone.
	_, err = a.svc.Bootstrap(t.Context(), service.BootstrapRequest{Client: netip.MustParseAddr("127.0.0.1")})
	if err := errors.Join(err, a.Close()); err != nil {
		t.Fatal(err)
	}
	before, _ := filepath.Glob(filepath.Join(cfg.DataDir, "*"))
	if list, err := Stopped(t.Context(), cfg); err != nil || len(list) != 0 {
		t.Errorf("with the right domain: %v, %v", list, err)
	}
	if after, _ := filepath.Glob(filepath.Join(cfg.DataDir, "*")); !slices.Equal(before, after) {
		t.Errorf("it left %v, and there was %v", after, before)
	}
	database := filepath.Join(cfg.DataDir, "mailkin.db")
	whole, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string][]byte{"no database": bytes.Repeat([]byte("x"), len(whole)),
		"lost pages": append(slices.Clone(whole[:4096]), make([]byte, len(whole)-4096)...)} {
		if err := os.WriteFile(database, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := Stopped(t.Context(), cfg)
		if err != nil || len(list) != 1 || list[0].Found != database+" is damaged" || !list[0].Severe {
			t.Errorf("%s: %v, %v", name, list, err)
		}
		_, err = Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
		if !errors.As(err, new(*config.SettingError)) || !strings.Contains(err.Error(), "is damaged. Keep a copy") {
			t.Errorf("%s: the start says %v", name, err)
		}
	}
	if err := os.WriteFile(database, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Domains, cfg.Mailbox = []string{"b.example"}, "ops@b.example"
	list, err := Stopped(t.Context(), cfg)
	if err != nil || len(list) != 2 || !list[0].Severe || !strings.Contains(list[0].Found, "2 on a.example") {
		t.Errorf("with another domain: %v, %v", list, err)
	}
	if _, err := Open(t.Context(), cfg, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(),
		list[0].Found) {
		t.Errorf("the start says %v, and the doctor %s", err, list[0].Found)
	}
}
