package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
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
	master := filepath.Join(cfg.DataDir, datadir.MasterKey)
	for what, want := range map[string]error{"right": nil, "gone": seal.ErrMaster, "another": seal.ErrMaster} {
		rename(datadir.MasterKey, "master-away")
		switch what {
		case "right":
			rename("master-away", datadir.MasterKey)
		case "another":
			if err := os.WriteFile(master, bytes.Repeat([]byte("x"), 52), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		opens, err := CheckMaster(t.Context(), cfg)
		if !errors.Is(err, want) || opens != (want == nil) || opens && err != nil {
			t.Errorf("the master key is %s: %v, %v", what, opens, err)
		}
		if what == "gone" {
			if _, err := os.Stat(master); err == nil {
				t.Error("a look made another master key")
			}
		}
		if what != "right" {
			rename("master-away", datadir.MasterKey)
		}
	}
	for _, lost := range [][]string{{datadir.Keys}, {datadir.RootKey}, {datadir.Keys, datadir.RootKey},
		{datadir.Keys, datadir.RootKey, datadir.MasterKey}} {
		for _, cfg.Encryption = range []bool{true, false} {
			for _, name := range lost {
				rename(name, name+"-away")
			}
			var setting *config.SettingError // it is no failure that passes
			if err := start(); !errors.Is(err, seal.ErrLost) || !errors.As(err, &setting) || setting.Key != "data_dir" {
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

// An older state of the mail beside the newest keys destroys none of a later state, and gives no number out again: the
// later state can be put back, as the older one can after it.
func TestKeysOfALaterState(t *testing.T) {
	cfg := config.Default()
	cfg.DataDir = t.TempDir()
	cfg.HTTPAddr, cfg.SMTPAddr, cfg.Encryption = "127.0.0.1:0", "", true
	run := func(do func(store.Tx) error) {
		t.Helper()
		a, err := Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		a.comparing.Wait()
		if err := errors.Join(a.storage.db.Update(t.Context(), do), a.Close()); err != nil {
			t.Fatal(err)
		}
	}
	database := filepath.Join(cfg.DataDir, datadir.Database)
	state := func() []byte {
		t.Helper()
		b, err := os.ReadFile(database)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(database + "-wal"); err == nil {
			t.Fatal("the file is not all of it")
		}
		return b
	}
	put := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(database, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made := map[string]mailbox.Num{}
	insert := func(name string) {
		t.Helper()
		run(func(tx store.Tx) (err error) {
			made[name], err = tx.InsertMailbox(t.Context(), mailbox.Mailbox{Address: name + "@mailkin.localhost",
				Status: mailbox.Active})
			if err != nil {
				return err
			}
			m := mailbox.Message{ID: mailbox.ID{byte(made[name])}, Mailbox: made[name], Subject: "mail of " + name}
			return tx.InsertMessage(t.Context(), &m, store.Content{Packed: []byte("sealed")})
		})
	}
	has := func(names ...string) {
		t.Helper()
		run(func(tx store.Tx) error {
			for _, name := range names {
				m, err := tx.Message(t.Context(), made[name], mailbox.ID{byte(made[name])})
				if err != nil || m.Subject != "mail of "+name {
					t.Errorf("mail of %s: %q, %v", name, m.Subject, err)
				}
			}
			return nil
		})
	}
	insert("first")
	older := state()
	insert("second")
	insert("third")
	later := state()
	put(older)
	insert("fourth")
	if made["fourth"] != made["third"]+1 {
		t.Errorf("the numbers are %v", made)
	}
	has("first", "fourth") // a second start knows as well
	insert("fifth")
	branch := state()
	put(later)
	has("first", "second", "third")
	insert("sixth")
	put(branch)
	has("first", "fourth", "fifth")
}

// Without a single key a start is refused, and the doctor of a server that does not run says why. One key that is lost
// is told; one that came back with an old copy of the keys is destroyed again.
func TestKeysAndMailboxes(t *testing.T) {
	cfg := config.Default()
	cfg.DataDir = t.TempDir()
	cfg.HTTPAddr, cfg.SMTPAddr, cfg.Encryption = "127.0.0.1:0", "", true
	keys := filepath.Join(cfg.DataDir, datadir.Keys)
	var lines bytes.Buffer
	run := func(do func(store.Tx) error) error {
		a, err := Open(t.Context(), cfg, slog.New(slog.NewTextHandler(&lines, nil)))
		if err != nil {
			return err
		}
		a.comparing.Wait()
		return errors.Join(a.storage.db.Update(t.Context(), do), a.Close())
	}
	nothing := func(store.Tx) error { return nil }
	var boxes [2]mailbox.Mailbox
	err := run(func(tx store.Tx) error {
		for i := range boxes {
			boxes[i] = mailbox.Mailbox{Address: fmt.Sprintf("box%d@mailkin.localhost", i), Status: mailbox.Active}
			num, err := tx.InsertMailbox(t.Context(), boxes[i])
			if err != nil {
				return err
			}
			boxes[i].Num = num
			m := mailbox.Message{ID: mailbox.ID{byte(i + 1)}, Mailbox: num, Subject: "sealed"}
			if err := tx.InsertMessage(t.Context(), &m, store.Content{Packed: []byte("sealed")}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(keys)
	if err != nil {
		t.Fatal(err)
	}
	put := func(b []byte) {
		if err := os.WriteFile(keys, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(nil)
	if err := run(nothing); !errors.Is(err, seal.ErrLost) {
		t.Errorf("without keys: %v", err)
	}
	found, err := Stopped(t.Context(), cfg)
	if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return f.Check == "keys of mailboxes" }) {
		t.Errorf("the doctor: %+v, %v", found, err)
	}
	put(whole[:int(boxes[1].Num)*seal.SlotSize])
	lines.Reset()
	if err := run(nothing); err != nil || !strings.Contains(lines.String(), boxes[1].Address) {
		t.Errorf("without a key: %v\n%s", err, lines.String())
	}
	dead := slices.Clone(whole)
	copy(dead[int(boxes[1].Num)*seal.SlotSize:], seal.Slot(nil))
	put(dead)
	found, err = Stopped(t.Context(), cfg)
	if err != nil || !slices.ContainsFunc(found, func(f Finding) bool {
		return f.Check == "keys of mailboxes" && strings.Contains(f.Found, "were destroyed") &&
			strings.Contains(f.Found, boxes[1].Address)
	}) {
		t.Errorf("the doctor, of a key that was destroyed: %+v, %v", found, err)
	}
	lines.Reset()
	if err := run(nothing); err != nil || !strings.Contains(lines.String(), "were destroyed") {
		t.Errorf("with a key that was destroyed: %v\n%s", err, lines.String())
	}
	put(whole)
	if err := run(func(tx store.Tx) error { return tx.RemoveMailbox(t.Context(), boxes[0].Num) }); err != nil {
		t.Fatal(err)
	}
	put(whole)
	lines.Reset()
	err = run(nothing)
	now, readErr := os.ReadFile(keys)
	if err = errors.Join(err, readErr); err != nil || !seal.IsShredded(now[int(boxes[0].Num)*seal.SlotSize:]) ||
		seal.IsShredded(now[int(boxes[1].Num)*seal.SlotSize:]) {
		t.Errorf("a key of a mailbox that was deleted: %v\n%s", err, lines.String())
	}
}

// A mailbox from before there was encryption has no key, which is no loss; once it has one, that is noted.
func TestKeysOfOlderMailboxes(t *testing.T) {
	cfg := config.Default()
	cfg.DataDir = t.TempDir()
	cfg.HTTPAddr, cfg.SMTPAddr = "127.0.0.1:0", ""
	var lines bytes.Buffer
	run := func(do func(store.Tx) error) {
		t.Helper()
		a, err := Open(t.Context(), cfg, slog.New(slog.NewTextHandler(&lines, nil)))
		if err != nil {
			t.Fatal(err)
		}
		a.comparing.Wait()
		if err := errors.Join(a.storage.db.Update(t.Context(), do), a.Close()); err != nil {
			t.Fatal(err)
		}
	}
	var num mailbox.Num
	noted := func(want bool) {
		t.Helper()
		run(func(tx store.Tx) error {
			is, err := tx.KeyNoted(t.Context(), num)
			if is != want {
				t.Errorf("noted: %t", is)
			}
			return err
		})
	}
	run(func(tx store.Tx) (err error) {
		num, err = tx.InsertMailbox(t.Context(), mailbox.Mailbox{Address: "a@mailkin.localhost",
			Status: mailbox.Active})
		return err
	})
	cfg.Encryption = true
	noted(false)
	run(func(tx store.Tx) error {
		m := mailbox.Message{ID: mailbox.ID{1}, Mailbox: num, Subject: "sealed"}
		return tx.InsertMessage(t.Context(), &m, store.Content{Packed: []byte("sealed")})
	})
	noted(true)
	if strings.Contains(lines.String(), "are lost") {
		t.Errorf("told as a loss:\n%s", lines.String())
	}
}
