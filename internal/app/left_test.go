package app

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// A start without the database beside anything of an earlier run is refused, and makes nothing and takes nothing away.
// The doctor of a server that does not run says the same.
func TestMissingDatabase(t *testing.T) {
	tests := []struct {
		name   string
		files  []string // that are there, with something in them
		refuse bool
	}{
		{"empty folder", nil, false},
		{"secrets alone", []string{datadir.MasterKey, datadir.BackupKey, "secret", "token", datadir.LastBackup,
			datadir.Database + ".lock"}, false},
		{"index", []string{datadir.Index}, true},
		{"log", []string{datadir.Database + "-wal"}, true},
		{"keys", []string{datadir.Keys, datadir.RootKey}, true},
		{"root key", []string{datadir.RootKey}, true},
		{"large mail", []string{datadir.Blobs + "/ab/abcd"}, true},
	}
	for _, tt := range tests {
		for _, cut := range []bool{false, true} { // whether the database is there with nothing in it
			cfg := config.Default()
			cfg.DataDir = t.TempDir()
			cfg.HTTPAddr, cfg.SMTPAddr = "127.0.0.1:0", ""
			put := func(name, text string) {
				path := filepath.Join(cfg.DataDir, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text),
					0o600)); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range tt.files {
				put(name, "0123456789012345678901234567890123456789")
			}
			if cut {
				put(datadir.Database, "")
			}
			list, err := Stopped(t.Context(), cfg)
			if err != nil && tt.refuse || (len(list) == 1 && list[0].Severe) != tt.refuse {
				t.Errorf("%s, cut %t: the doctor: %+v, %v", tt.name, cut, list, err)
			}
			a, err := Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
			if err == nil {
				err = a.Close()
			}
			var setting *config.SettingError
			if !tt.refuse && err != nil || tt.refuse && (!errors.As(err, &setting) || setting.Key != "data_dir" ||
				!strings.Contains(err.Error(), list[0].Found)) {
				t.Errorf("%s, cut %t: the start: %v", tt.name, cut, err)
			}
			info, err := os.Stat(filepath.Join(cfg.DataDir, datadir.Database))
			if made := err == nil && info.Size() > 0; made == tt.refuse {
				t.Errorf("%s, cut %t: the database was made: %t", tt.name, cut, made)
			}
		}
	}
}

// Keys beside an empty database that knows nothing of them refuse the start, and are left as they are.
func TestStrayKeys(t *testing.T) {
	cfg := config.Default()
	cfg.DataDir = t.TempDir()
	cfg.HTTPAddr, cfg.SMTPAddr, cfg.Encryption = "127.0.0.1:0", "", true
	start := func(do func(store.Tx) error) error {
		a, err := Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		a.comparing.Wait()
		return errors.Join(a.storage.db.Update(t.Context(), do), a.Close())
	}
	nothing := func(store.Tx) error { return nil }
	path := func(name string) string { return filepath.Join(cfg.DataDir, name) }
	err := start(func(tx store.Tx) error {
		_, err := tx.InsertMailbox(t.Context(), mailbox.Mailbox{Address: "a@mailkin.localhost", Status: mailbox.Active})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path(datadir.Keys))
	if err != nil {
		t.Fatal(err)
	}
	away := t.TempDir()
	for _, name := range []string{datadir.Database, datadir.Keys, datadir.RootKey} {
		if err := os.Rename(path(name), filepath.Join(away, name)); err != nil {
			t.Fatal(err)
		}
	}
	cfg.Encryption = false
	if err := start(nothing); err != nil {
		t.Fatal(err)
	}
	cfg.Encryption = true
	for _, names := range [][]string{{datadir.Keys}, {datadir.RootKey}} { // without its root key, and with it
		if err := os.Rename(filepath.Join(away, names[0]), path(names[0])); err != nil {
			t.Fatal(err)
		}
		list, err := Stopped(t.Context(), cfg)
		if err != nil || len(list) != 1 || !list[0].Severe || list[0].Check != "keys of mailboxes" {
			t.Errorf("the doctor with %s: %+v, %v", names[0], list, err)
		}
		var setting *config.SettingError
		if err := start(nothing); !errors.As(err, &setting) || setting.Key != "data_dir" {
			t.Errorf("the start with %s: %v", names[0], err)
		}
	}
	if err := os.Rename(filepath.Join(away, datadir.Database), path(datadir.Database)); err != nil {
		t.Fatal(err)
	}
	now, readErr := os.ReadFile(path(datadir.Keys))
	if err := errors.Join(readErr, start(nothing)); err != nil || string(now) != string(whole) {
		t.Errorf("with the database again: %v; the keys are as they were: %t", err, string(now) == string(whole))
	}
}
