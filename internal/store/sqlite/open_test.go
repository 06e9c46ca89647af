package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func TestOpenTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mailkin.db")
	first := open(t, path)
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "another process is using "+
		filepath.Dir(path)) {
		t.Errorf("second Open: %v", err)
	}
	if err := first.Ping(t.Context()); err != nil {
		t.Errorf("the first after the second: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path).Ping(t.Context()); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
}

func TestOpenAgainFindsAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mailkin.db")
	db := open(t, path)
	var m mailbox.Message
	err := db.Update(t.Context(), func(tx store.Tx) error {
		m = mailbox.Message{ID: mailbox.ID{1}, Mailbox: insert(t, tx, "a@x.org"), Subject: "one"}
		return tx.InsertMessage(t.Context(), &m, store.Content{Packed: []byte("content")})
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	err = open(t, path).View(t.Context(), func(r store.Reader) error {
		found, err := r.Message(t.Context(), m.Mailbox, m.ID)
		if err != nil || found.Subject != "one" {
			t.Errorf("message %+v", found)
		}
		c, err := r.Content(t.Context(), found)
		if string(c.Packed) != "content" {
			t.Errorf("content %q", c.Packed)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestOpenFails(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(path string) error
		want string
	}{
		{"a newer version's", func(path string) error { return script(path, `PRAGMA user_version = 99`) },
			"newer version"},
		{"not a database", func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("not a database ", 1000)), 0o600)
		}, "not a database"},
		{"another program's", func(path string) error { return script(path, `CREATE TABLE mailboxes (x)`) },
			"mailboxes"},
		{"no folder", func(path string) error { return os.Remove(filepath.Dir(path)) }, ""},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "data", "mailkin.db")
			if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), c.make(path)); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the lock is given back
				if _, err := Open(path); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("Open: %v, want %q", err, c.want)
				}
			}
		})
	}
}

// script runs SQL on a file before it is opened as a store.
func script(path, sql string) error {
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		return err
	}
	return errors.Join(sqlitex.ExecuteScript(c, sql, nil), c.Close())
}

// All that is stored is nobody else's to read.
func TestFilesArePrivate(t *testing.T) {
	db := newDB(t)
	mustWork(t)(db.Ping(t.Context()))
	files, err := filepath.Glob(db.path + "*")
	if err != nil || len(files) != 4 {
		t.Errorf("files %v, %v", files, err)
	}
	wantPrivate(t, files...)
}

func wantPrivate(t *testing.T, files ...string) {
	t.Helper()
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(f), info.Mode(), err)
		}
	}
}

func TestFreshLayout(t *testing.T) {
	db := newDB(t)
	for pragma, want := range map[string]string{"user_version": strconv.Itoa(Known()), "auto_vacuum": "2",
		"page_size": "2048", "journal_mode": "wal"} {
		if got := db.pragma(t, pragma); got != want {
			t.Errorf("%s = %s, want %s", pragma, got, want)
		}
	}
}

// pragma reads a setting of the database as a View sees it.
func (db *DB) pragma(t testing.TB, name string) (value string) {
	t.Helper()
	err := db.View(context.Background(), func(r store.Reader) error {
		return r.(*queries).sql(`PRAGMA ` + name).one(func(r row) { value = r.Text(0) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Upgrades: a store of an older version is copied, then brought up to date, all or nothing.
func TestMigrate(t *testing.T) {
	first := &fstest.MapFile{Data: []byte(`CREATE TABLE a (x); INSERT INTO a VALUES ('old');`)}
	second := &fstest.MapFile{Data: []byte(`CREATE TABLE b (x); UPDATE a SET x = 'new';`)}
	third := &fstest.MapFile{Data: []byte(`CREATE TABLE c (x);`)}
	broken := &fstest.MapFile{Data: []byte(`UPDATE a SET x = 'half'; SELECT nonsense;`)}
	one := fstest.MapFS{"migrations/0001_a.sql": first}
	three := fstest.MapFS{"migrations/0001_a.sql": first, "migrations/0002_b.sql": second,
		"migrations/0003_c.sql": third}
	for _, c := range []struct {
		name    string
		from    fstest.MapFS
		to      fstest.MapFS
		wantErr string
		version int
		value   string
		backup  string // its suffix
	}{
		{"fresh", nil, three, "", 3, "new", ""},
		{"the same", one, one, "", 1, "old", ""},
		{"older", one, three, "", 3, "new", ".before-0002"},
		{"newer", three, one, "newer version", 3, "new", ""},
		{"broken", one, fstest.MapFS{"migrations/0001_a.sql": first, "migrations/0002_b.sql": broken}, "0002_b.sql", 1,
			"old", ".before-0002"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mailkin.db")
			conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite, sqlite.OpenCreate, sqlite.OpenWAL)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if c.from != nil {
				if err := migrate(conn, path, c.from, quiet); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // a start that fails is tried again
				err = migrate(conn, path, c.to, quiet)
				if c.wantErr == "" && err != nil || c.wantErr != "" && (err == nil || !strings.Contains(err.Error(),
					c.wantErr)) {
					t.Errorf("migrate: %v, want %q", err, c.wantErr)
				}
			}
			check(t, path, c.version, c.value)
			backups, _ := filepath.Glob(path + ".before-*")
			if c.backup == "" {
				if len(backups) > 0 {
					t.Errorf("backups %v", backups)
				}
				return
			}
			if len(backups) != 1 || backups[0] != path+c.backup {
				t.Fatalf("backups %v", backups)
			}
			check(t, backups[0], 1, "old")
			wantPrivate(t, backups[0])
		})
	}
}

// check compares a migrated file with what it should be.
func check(t *testing.T, path string, version int, value string) {
	t.Helper()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got, err := sqlitex.ResultInt(conn.Prep(`PRAGMA user_version`)); err != nil || got != version {
		t.Errorf("version %d, want %d (%v)", got, version, err)
	}
	if got, err := sqlitex.ResultText(conn.Prep(`SELECT x FROM a`)); err != nil || got != value {
		t.Errorf("value %q, want %q (%v)", got, value, err)
	}
}
