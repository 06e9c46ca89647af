package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// fill stores messages of a mailbox with numbers from first on; every third has its bytes in a blob.
func fill(t *testing.T, db *DB, box mailbox.Num, first, count int) {
	t.Helper()
	for i := first; i < first+count; i++ {
		mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
			m := mailbox.Message{ID: mailbox.ID{byte(box), byte(i), byte(i >> 8)}, Mailbox: box, Subject: "message"}
			c := store.Content{Packed: []byte(strings.Repeat("content ", 300))}
			if i%3 == 0 {
				c = store.Content{Blob: fmt.Sprintf("%d/%d", box, i)}
			}
			return tx.InsertMessage(t.Context(), &m, c)
		}))
	}
}

func newBox(t *testing.T, db *DB, address string) (num mailbox.Num) {
	t.Helper()
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
		num = insert(t, tx, address)
		return nil
	}))
	return num
}

// A copy is one state, whatever is written meanwhile, and can be opened as a store.
func TestSnapshot(t *testing.T) {
	db := newDB(t)
	box := newBox(t, db, "a@x.org")
	fill(t, db, box, 0, 300)
	snap, err := OpenSnapshot(db.path)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	fill(t, db, box, 300, 50) // not in it
	var writing sync.WaitGroup
	stop := make(chan struct{})
	other := newBox(t, db, "b@x.org")
	writing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				fill(t, db, other, i, 1)
			}
		}
	})
	to := filepath.Join(t.TempDir(), "copy.db")
	var copied int64
	err = snap.CopyTo(t.Context(), to, func(n int64) { copied = n })
	close(stop)
	writing.Wait()
	mustWork(t)(err)
	size, err := snap.Size()
	if info, statErr := os.Stat(to); err != nil || statErr != nil || copied != size || info.Size() != size ||
		info.Mode().Perm() != 0o600 {
		t.Errorf("copied %d of %d: %v, %v, %v", copied, size, info, err, statErr)
	}
	wantCopy(t, to, 300, 100)
	if files, _ := filepath.Glob(to + "?*"); len(files) > 0 {
		t.Errorf("beside the copy: %v", files)
	}
	again := open(t, to)
	fill(t, again, box, 400, 3)
	mustWork(t)(again.Close())
}

// wantCopy looks at a copy.
func wantCopy(t *testing.T, path string, messages int64, blobs int) {
	t.Helper()
	c, err := OpenCopy(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	mustWork(t)(c.Check(t.Context()))
	n, err := c.Messages()
	if keys := blobKeys(t, c); err != nil || n != messages || len(keys) != blobs {
		t.Errorf("%d messages with %d blobs, %v; want %d with %d", n, len(keys), err, messages, blobs)
	}
}

func blobKeys(t *testing.T, s *Snapshot) (keys []string) {
	t.Helper()
	mustWork(t)(s.Blobs(func(key string) error {
		keys = append(keys, key)
		return nil
	}))
	slices.Sort(keys)
	return keys
}

// A snapshot goes on to a later state only when it is told to, and leaves out what is being deleted.
func TestSnapshotRenew(t *testing.T) {
	db := newDB(t)
	one, two := newBox(t, db, "a@x.org"), newBox(t, db, "b@x.org")
	fill(t, db, one, 0, 1)
	fill(t, db, two, 0, 1)
	snap, err := OpenSnapshot(db.path)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	fill(t, db, one, 3, 1)
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { return tx.RemoveMailbox(t.Context(), two) }))
	first, second := fmt.Sprintf("%d/0", one), fmt.Sprintf("%d/3", one)
	if got := blobKeys(t, snap); !slices.Equal(got, []string{first, fmt.Sprintf("%d/0", two)}) {
		t.Errorf("at first: %v", got)
	}
	mustWork(t)(snap.Renew())
	if got := blobKeys(t, snap); !slices.Equal(got, []string{first, second}) {
		t.Errorf("then: %v", got)
	}
}

// Without a server, a snapshot also has what only the log has.
func TestSnapshotAfterACrash(t *testing.T) {
	db := newDB(t)
	fill(t, db, newBox(t, db, "a@x.org"), 0, 10)
	dir := t.TempDir()
	for _, suffix := range []string{"", "-wal"} { // as a kill leaves them
		b, err := os.ReadFile(db.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		mustWork(t)(os.WriteFile(filepath.Join(dir, "mailkin.db"+suffix), b, 0o600))
	}
	snap, err := OpenSnapshot(filepath.Join(dir, "mailkin.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if n, err := snap.Messages(); err != nil || n != 10 {
		t.Errorf("%d messages, %v", n, err)
	}
}

func TestSnapshotErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none.db")
	for name, open := range map[string]func(string) (*Snapshot, error){"snapshot": OpenSnapshot, "copy": OpenCopy} {
		if _, err := open(missing); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s of nothing: %v", name, err)
		}
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("reading has made a file")
	}
	db := newDB(t)
	snap, err := OpenSnapshot(db.path)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := snap.CopyTo(ctx, filepath.Join(dir, "given-up.db"), func(int64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("copy that was given up: %v", err)
	}
	if err := snap.CopyTo(t.Context(), filepath.Join(dir, "given-up.db"), func(int64) {}); !errors.Is(err,
		os.ErrExist) {
		t.Errorf("copy over something: %v", err)
	}
	if err := sqlitex.ExecuteTransient(snap.conn, `DELETE FROM docs`, nil); err == nil {
		t.Error("a snapshot can be written")
	}
}

// What is wrong with a copy is found.
func TestCheck(t *testing.T) {
	db := newDB(t)
	fill(t, db, newBox(t, db, "a@x.org"), 0, 200)
	snap, err := OpenSnapshot(db.path)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	whole := filepath.Join(t.TempDir(), "whole.db")
	mustWork(t)(snap.CopyTo(t.Context(), whole, func(int64) {}))
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"cut short":         func(b []byte) []byte { return b[:len(b)/2] },
		"a page of nothing": func(b []byte) []byte { clear(b[8192 : 8192+4096*4]); return b },
		"another file":      func(b []byte) []byte { return []byte(strings.Repeat("no database ", 1000)) },
		"empty":             func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "copy.db")
			mustWork(t)(os.WriteFile(path, spoil(slices.Clone(b)), 0o600))
			c, err := OpenCopy(path)
			if err == nil {
				err = c.Check(t.Context())
				c.Close()
			}
			if err == nil {
				t.Error("nothing is wrong with it")
			}
		})
	}
	t.Run("a newer version's", func(t *testing.T) {
		mustWork(t)(script(whole, `PRAGMA user_version = 99`))
		c, err := OpenCopy(whole)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "99") {
			t.Errorf("Check: %v", err)
		}
	})
}
