package postgres

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// Nodes that start at the same time make the tables once.
func TestOpenAtOnce(t *testing.T) {
	url := pgtest.URL(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			db, err := Open(t.Context(), url, Options{MaxConns: 2})
			if err == nil {
				err = errors.Join(db.Ping(t.Context()), db.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// withNovel is the scripts of a later version.
func withNovel(t *testing.T) fs.FS {
	t.Helper()
	text := `ALTER TABLE mailboxes ADD COLUMN novel text NOT NULL DEFAULT ''; CREATE TABLE novels (n bigint);`
	newer := fstest.MapFS{"migrations/9999_novel.sql": {Data: []byte(text)}}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := fs.ReadFile(migrations, f)
		if err != nil {
			t.Fatal(err)
		}
		newer[f] = &fstest.MapFile{Data: text}
	}
	return newer
}

// A script that has to wait for a long transaction lets others through meanwhile.
func TestMigrationLetsOthersThrough(t *testing.T) {
	db := openStore(t, pgtest.URL(t), Options{})
	num := insertBox(t, db, "a@x.org")
	tx, err := db.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	if _, err := tx.Exec(t.Context(), `SET LOCAL idle_in_transaction_session_timeout = 0; SELECT count(*) FROM mailboxes`); err != nil {
		t.Fatal(err)
	}
	done, newer := make(chan error, 1), withNovel(t)
	go func() { done <- migrate(context.Background(), db.pool, newer, 0, db.log) }()
	waits(t, db, 1)
	err = db.View(t.Context(), func(r store.Reader) error { _, err := r.Mailbox(t.Context(), num); return err })
	if err != nil {
		t.Error(err)
	}
	select {
	case err := <-done:
		t.Errorf("the script did not wait: %v", err)
	default:
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A node goes on working when a newer one has added something, and not when the form has changed.
func TestNewerTables(t *testing.T) {
	url := pgtest.URL(t)
	db := openStore(t, url, Options{})
	newer := withNovel(t)
	num := insertBox(t, db, "before@x.org")
	if err := migrate(t.Context(), db.pool, newer, 0, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	// under way, and restarted
	for name, node := range map[string]*DB{"old": db, "new": openStore(t, url, Options{})} {
		insertBox(t, node, name+"@x.org")
		err := node.View(t.Context(), func(r store.Reader) error { _, err := r.Mailbox(t.Context(), num); return err })
		if err != nil {
			t.Error(err)
		}
	}
	if _, err := db.pool.Exec(t.Context(), `UPDATE deployment SET schema = schema + 1`); err != nil {
		t.Fatal(err)
	}
	if again, err := Open(t.Context(), url, Options{}); err == nil {
		_ = again.Close()
		t.Error("tables of a newer form were opened")
	}
}

// The number of partitions is that of the first start.
func TestPartitions(t *testing.T) {
	url := pgtest.URL(t)
	for _, partitions := range []int{3, 0, 5} {
		db := openStore(t, url, Options{Partitions: partitions})
		var tables, parts, stored int
		err := db.pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM pg_partitioned_table), (SELECT count(*) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relkind = 'r'),
			(SELECT count(*) FROM pg_class WHERE relname LIKE 'docs%' AND 'toast_tuple_target=4080' = ANY(reloptions))`).Scan(&tables, &parts, &stored)
		if err != nil || tables == 0 || parts != 3*tables || stored != 3 {
			t.Errorf("with %d: %d tables in %d parts, %d stored as they should (%v)", partitions, tables, parts, stored,
				err)
		}
	}
}
