package sqlite

import (
	"bytes"
	"compress/flate"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

var quiet = slog.New(slog.DiscardHandler)

var update = flag.Bool("update", false, "write empty.db.flate")

// The empty store that is part of the program is the one that the migrations make.
func TestEmptyStore(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made.db")
	c, err := sqlite.OpenConn(made, sqlite.OpenReadWrite, sqlite.OpenCreate)
	mustWork(t)(err)
	for _, p := range append(layoutOf(made, pageSize), pragmas...) {
		mustWork(t)(sqlitex.ExecuteTransient(c, p, nil))
	}
	mustWork(t)(migrate(c, made, migrations, quiet))
	mustWork(t)(sqlitex.ExecuteTransient(c, `VACUUM`, nil)) // pages that migrations have freed are in nobody's way
	want := contents(t, c)
	mustWork(t)(c.Close())
	if *update {
		b, err := os.ReadFile(made)
		mustWork(t)(err)
		var packed bytes.Buffer
		w, err := flate.NewWriter(&packed, flate.BestCompression)
		mustWork(t)(err)
		_, err = w.Write(b)
		mustWork(t)(err)
		mustWork(t)(w.Close())
		mustWork(t)(os.WriteFile("empty.db.flate", packed.Bytes(), 0o644))
		return
	}
	planted := filepath.Join(t.TempDir(), "mailkin.db")
	mustWork(t)(makeEmpty(planted))
	if sizeOf(planted) == 0 {
		t.Fatal("the migrations have changed: go test ./internal/store/sqlite -run TestEmptyStore -update")
	}
	wantPrivate(t, planted)
	c, err = sqlite.OpenConn(planted, sqlite.OpenReadWrite)
	mustWork(t)(err)
	defer c.Close()
	if got := contents(t, c); got != want {
		t.Errorf("the migrations make another store: go test ./internal/store/sqlite -run TestEmptyStore -update\n"+
			"%s\nwant\n%s", got, want)
	}
}

// contents is all that a store consists of, as text.
func contents(t *testing.T, c *sqlite.Conn) string {
	t.Helper()
	var b strings.Builder
	query := func(sql string) (first []string) {
		fmt.Fprintln(&b, sql)
		mustWork(t)(sqlitex.ExecuteTransient(c, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
			first = append(first, s.ColumnText(0))
			for i := range s.ColumnCount() {
				fmt.Fprint(&b, s.ColumnText(i), "|")
			}
			fmt.Fprintln(&b)
			return nil
		}}))
		return first
	}
	for _, p := range []string{"user_version", "page_size", "auto_vacuum", "journal_mode", "encoding",
		"integrity_check", "application_id", "freelist_count"} {
		query(`PRAGMA ` + p)
	}
	query(`SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid`)
	for _, table := range query(`SELECT name FROM sqlite_master WHERE type = 'table'`) {
		query(`SELECT * FROM "` + table + `"`)
	}
	return b.String()
}

// What is there already is left alone: a store, a store whose pages are all in its log, and what is no file.
func TestEmptyStoreKeepsOthers(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"a store":   func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
		"a log":     func(path string) error { return os.WriteFile(path+"-wal", nil, 0o600) },
		"a link":    func(path string) error { return os.Symlink(path+".elsewhere", path) },
		"a folder":  func(path string) error { return os.Mkdir(path, 0o700) },
		"no folder": func(path string) error { return os.Remove(filepath.Dir(path)) },
	} {
		path := filepath.Join(t.TempDir(), "data", "mailkin.db")
		mustWork(t)(os.Mkdir(filepath.Dir(path), 0o700))
		mustWork(t)(put(path))
		err := makeEmpty(path)
		if (err != nil) != (name == "no folder") {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 1 {
			t.Errorf("%s: another file was put in its place", name)
		}
	}
}
