package app

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/seal"
)

// A start that misses a file of keys is refused, with encryption on and off, and makes no other key: what is sealed
// with that would be lost when the file is put back.
func TestLostKeysRefuseTheStart(t *testing.T) {
	cfg := config.Default()
	cfg.DataDir = t.TempDir()
	cfg.HTTPAddr, cfg.SMTPAddr = "127.0.0.1:0", ""
	cfg.Encryption = true
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
	rename := func(from, to string) {
		if err := os.Rename(filepath.Join(cfg.DataDir, from), filepath.Join(cfg.DataDir, to)); err != nil {
			t.Fatal(err)
		}
	}
	for _, lost := range [][]string{{datadir.Keys}, {datadir.RootKey}, {datadir.Keys, datadir.RootKey},
		{datadir.Keys, datadir.RootKey, datadir.MasterKey}} {
		for _, cfg.Encryption = range []bool{true, false} {
			for _, name := range lost {
				rename(name, name+"-away")
			}
			if err := start(); !errors.Is(err, seal.ErrLost) {
				t.Errorf("without %v, encryption %t: %v", lost, cfg.Encryption, err)
			}
			for _, name := range lost {
				if _, err := os.Stat(filepath.Join(cfg.DataDir, name)); err == nil {
					t.Errorf("without %v, encryption %t: %s was made again", lost, cfg.Encryption, name)
				}
				rename(name+"-away", name)
			}
			if err := start(); err != nil {
				t.Errorf("with the keys again: %v", err)
			}
		}
	}
}
