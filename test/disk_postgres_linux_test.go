package test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// smallDatabase returns the URL of a database on a small disk, and the disk's folder, or skips the test.
func smallDatabase(t *testing.T, megabytes int) (url, disk string) {
	t.Helper()
	pg := pgtest.Start(t)
	disk = pg.Folder(t)
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=777", megabytes)); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	conn, err := pgx.Connect(t.Context(), pg.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, sql := range []string{`CREATE TABLESPACE small LOCATION '` + pg.FolderIn(t, disk) + `'`,
		`CREATE DATABASE small TABLESPACE small`} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	config := conn.Config()
	return strings.Replace(config.ConnString(), "/"+config.Database+"?", "/small?", 1), disk
}

// While the database has no room for mail a node says so to anyone who asks for its health, and no longer when it has.
func TestDatabaseDiskFull(t *testing.T) {
	t.Parallel()
	database, disk := smallDatabase(t, 80)
	node := newNode(t, append(secrets(), "MAILKIN_DATABASE_URL="+database)...)
	node.expectErrors = true
	node.start(t)
	l := newLedger(t, node, "full")
	health := func(want int) {
		t.Helper()
		for _, path := range []string{"/health", "/ready"} {
			eventually(t, func() error {
				a, err := node.try(request{path: path})
				if err == nil && a.status != want {
					err = fmt.Errorf("%s is %d, want %d", path, a.status, want)
				}
				return err
			})
		}
	}
	health(http.StatusOK)
	rest := filler(filepath.Join(disk, "filler"))
	rest.fill(t, 0)
	l.sendUntilRefused(t, 20_000)
	health(http.StatusServiceUnavailable)
	rest.remove(t)
	if r := l.send(t, 20_000); r.code != 250 {
		t.Errorf("with room again: %v", r)
	}
	health(http.StatusOK)
	l.check(t)
}
