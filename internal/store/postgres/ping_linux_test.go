package postgres

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// smallDatabase returns a database on a disk of its own, and the disk's folder, or skips the test.
func smallDatabase(t *testing.T, megabytes int) (url, disk string) {
	t.Helper()
	server := pgtest.Start(t)
	disk = server.Folder(t)
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=777", megabytes)); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	place := server.FolderIn(t, disk)
	at := server.URL(t)
	conn, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, sql := range []string{`CREATE TABLESPACE small LOCATION '` + place + `'`,
		`CREATE DATABASE small TABLESPACE small`} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	cfg := conn.Config()
	return fmt.Sprintf("postgres://%s@%s:%d/small?sslmode=disable", cfg.User, cfg.Host, cfg.Port), disk
}

// fill takes up a disk but for some bytes, and returns what ends that.
func fill(t *testing.T, disk string) (empty func()) {
	t.Helper()
	name := filepath.Join(disk, "filler")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(page)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// A database that has no room for mail says so, although it can still be written, and that it has when it has.
func TestPingWithoutRoom(t *testing.T) {
	t.Parallel()
	url, disk := smallDatabase(t, 60)
	db := openStore(t, url, Options{})
	later := func() { db.probe.mu.Lock(); db.probe.at = db.probe.at.Add(-2 * probeEvery); db.probe.mu.Unlock() }
	ping := func(when string, full bool) {
		t.Helper()
		if err := db.Ping(t.Context()); errors.Is(err, store.ErrStorage) != full || !full && err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	ping("at first", false)
	empty := fill(t, disk)
	if err := db.Update(t.Context(), func(tx store.Tx) error {
		return tx.(*queries).sql(
			`UPDATE ping SET n = n + 1`).run()
	}); err != nil {
		t.Fatalf("small changes: %v", err)
	}
	ping("within ten seconds", false)
	for range 3 { // pages that the last one has left are no room
		later()
		ping("full", true)
		ping("full, and asked again", true)
	}
	empty()
	num := insertBox(t, db, "a@x.org")
	m, c := benchMail(1, num)
	mustUpdate(t, db, func(tx store.Tx) error { return receiveMail(tx, m, c) })
	ping("mail was stored since", false)
	later()
	began := db.probe.at
	ping("room again", false)
	if !db.probe.at.After(began.Add(time.Second)) {
		t.Error("there was no look")
	}
}

// Whoever has the table, as a dump does, makes nobody unwell.
func TestPingDuringDump(t *testing.T) {
	t.Parallel()
	db := newStore(t, Options{})
	tx, err := db.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	if _, err := tx.Exec(t.Context(), `LOCK TABLE probe IN ACCESS SHARE MODE`); err != nil {
		t.Fatal(err)
	}
	if err := db.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}
