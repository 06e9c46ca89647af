package sqlite

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/store"
)

// Snapshot is one state of a store, which another process may have open and go on writing. It is SQLite's own way of
// reading alongside a writer, so it needs no lock of ours: a commit that the writer has published is in the file
// (decision 9). While there is a Snapshot the writer's log cannot restart, so it grows by what is written.
type Snapshot struct{ conn *sqlite.Conn }

// OpenSnapshot takes the state of the store in a file as it is now.
func OpenSnapshot(path string) (*Snapshot, error) {
	c, err := openToRead(path, "mode=ro")
	if err != nil {
		return nil, err
	}
	s := &Snapshot{c}
	if err := s.begin(); err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", path, err), c.Close())
	}
	return s, nil
}

// OpenCopy opens a file that nobody writes to, and leaves nothing next to it.
func OpenCopy(path string) (*Snapshot, error) {
	c, err := openToRead(path, "immutable=1")
	if err != nil {
		return nil, err
	}
	return &Snapshot{c}, nil
}

func openToRead(path, how string) (*sqlite.Conn, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	uri := (&url.URL{Scheme: "file", Path: whole, RawQuery: how}).String()
	c, err := sqlite.OpenConn(uri, sqlite.OpenReadOnly, sqlite.OpenURI)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	c.SetBlockOnBusy()
	return c, nil
}

// begin fixes the state: a transaction has one from its first read on.
func (s *Snapshot) begin() error {
	if err := sqlitex.ExecuteTransient(s.conn, `BEGIN`, nil); err != nil {
		return err
	}
	_, err := s.Version()
	return err
}

// Renew goes on to the state as it is now.
func (s *Snapshot) Renew() error {
	if err := sqlitex.ExecuteTransient(s.conn, `ROLLBACK`, nil); err != nil {
		return err
	}
	return s.begin()
}

// Close ends it.
func (s *Snapshot) Close() error { return s.conn.Close() }

// Version is the number of the last migration that the tables have seen.
func (s *Snapshot) Version() (int, error) {
	return sqlitex.ResultInt(s.conn.Prep(`PRAGMA user_version`))
}

// Known is the number of the last migration that this program knows.
func Known() int {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0 // they are part of the program
	}
	return len(files)
}

// Reader reads the copy. The tables must be as this program knows them.
func (s *Snapshot) Reader() store.Reader { return newQueries(s.conn) }

// Blobs calls fn with the key of every blob that a message, a draft or mail in quarantine needs. The mail of mailboxes
// that are being deleted is left out: its blobs go before its rows do. Also a file of before there were all of these
// can be asked.
func (s *Snapshot) Blobs(fn func(key string) error) error {
	tables := []string{"docs"}
	err := sqlitex.ExecuteTransient(s.conn, `SELECT name FROM sqlite_schema WHERE type = 'table'
		AND name IN ('draft_files', 'quarantine')`,
		&sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error {
			tables = append(tables, r.ColumnText(0))
			return nil
		}})
	for _, table := range tables {
		if err != nil {
			return err
		}
		err = sqlitex.ExecuteTransient(s.conn, `SELECT blob FROM `+table+` WHERE blob IS NOT NULL
			AND CAST(substr(blob, 1, instr(blob, '/') - 1) AS INTEGER) NOT IN (SELECT box FROM purges)`,
			&sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error { return fn(r.ColumnText(0)) }})
	}
	return err
}

// Messages counts the messages.
func (s *Snapshot) Messages() (n int64, err error) {
	return n, sqlitex.ExecuteTransient(s.conn, `SELECT count(*) FROM messages`,
		&sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error { n = r.ColumnInt64(0); return nil }})
}

// Kept counts the messages of mailboxes that are not being deleted.
func (s *Snapshot) Kept() (int64, error) {
	return sqlitex.ResultInt64(s.conn.Prep(`SELECT count(*) FROM messages WHERE pk >> 32 NOT IN (SELECT box FROM purges)`))
}

// Size is the length of a copy.
func (s *Snapshot) Size() (int64, error) {
	pages, err := sqlitex.ResultInt64(s.conn.Prep(`PRAGMA page_count`))
	if err != nil {
		return 0, err
	}
	size, err := sqlitex.ResultInt64(s.conn.Prep(`PRAGMA page_size`))
	return pages * size, err
}

// copyStep is how many pages are copied between two looks at the context.
const copyStep = 1024

// CopyTo writes the state to a new file, and says how many bytes it has copied so far. The file is not synced.
func (s *Snapshot) CopyTo(ctx context.Context, path string, report func(copied int64)) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return err
	}
	to, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	for _, p := range []string{`PRAGMA journal_mode = OFF`, `PRAGMA synchronous = OFF`} { // a half copy is thrown away
		if err := sqlitex.ExecuteTransient(to, p, nil); err != nil {
			return errors.Join(err, to.Close())
		}
	}
	if err := s.copy(ctx, to, report); err != nil {
		return errors.Join(fmt.Errorf("copy the database: %w", err), to.Close())
	}
	return to.Close()
}

func (s *Snapshot) copy(ctx context.Context, to *sqlite.Conn, report func(int64)) error {
	size, err := sqlitex.ResultInt64(s.conn.Prep(`PRAGMA page_size`))
	if err != nil {
		return err
	}
	b, err := sqlite.NewBackup(to, "main", s.conn, "main")
	if err != nil {
		return err
	}
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, b.Close())
		}
		if more, err = b.Step(copyStep); err != nil {
			return errors.Join(err, b.Close())
		}
		report(int64(b.PageCount()-b.Remaining()) * size)
	}
	return b.Close()
}

// Pages calls fn with the state's pages in their order: together they are the file that CopyTo writes, without the room
// for it. The bytes are valid until fn returns.
func (s *Snapshot) Pages(ctx context.Context, fn func(page []byte) error) error {
	var page []byte
	err := sqlitex.ExecuteTransient(s.conn, `SELECT data FROM sqlite_dbpage`,
		&sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			page = slices.Grow(page[:0], r.ColumnLen(0))[:r.ColumnLen(0)]
			r.ColumnBytes(0, page)
			return fn(page)
		}})
	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	return nil
}

// Check looks at every page and index of a copy, and returns the first thing that is wrong.
func (s *Snapshot) Check(ctx context.Context) error {
	version, err := s.Version()
	if err != nil {
		return fmt.Errorf("check the database: %w", err)
	}
	if version == 0 || version > Known() {
		return fmt.Errorf("check the database: its tables are at %d, and this program knows 1 to %d", version, Known())
	}
	s.conn.SetInterrupt(ctx.Done())
	defer s.conn.SetInterrupt(nil)
	var found string
	err = sqlitex.ExecuteTransient(s.conn, `PRAGMA integrity_check(1)`,
		&sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error { found = r.ColumnText(0); return nil }})
	if err != nil {
		return fmt.Errorf("check the database: %w", err)
	}
	if found != "ok" {
		return fmt.Errorf("check the database: %s", found)
	}
	return nil
}

// IsFull tells whether an error of this package is that the disk is full.
func IsFull(err error) bool { return errors.Is(err, store.ErrFull) || isFull(err) }

// Lock keeps other processes away from the store in a file, as Open does, without opening it. Closing it gives the
// store free.
func Lock(path string) (*os.File, error) { return lockFile(path + ".lock") }
