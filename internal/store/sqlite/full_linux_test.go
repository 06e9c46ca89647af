package sqlite

import (
	"errors"
	"fmt"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// A real full disk, where the test may mount one: what does not fit is refused whole, and when there is room again the
// store goes on by itself.
func TestFullDisk(t *testing.T) {
	root := smallDisk(t, "4m")
	db := open(t, filepath.Join(root, "mailkin.db"))
	var box mailbox.Num
	must := mustWork(t)
	must(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
	stored := storeUntilFull(t, db, box)
	wantMail(t, db, box, stored)

	// A group whose last is too large for the disk fails as a whole.
	h := hold(t, db)
	refused := func(err error) {
		if !errors.Is(err, store.ErrStorage) {
			t.Errorf("update in a group on a full disk: %v", err)
		}
	}
	for i := range 6 {
		h.queue(t.Context(), func(tx store.Tx) error {
			if i == 5 {
				return storeMail(tx, box, 8<<20)
			}
			insert(t, tx, fmt.Sprintf("group%d@x.org", i))
			return nil
		}, refused)
	}
	h.releaseFirst(refused)
	if got := committed(t, db); got != 1 {
		t.Errorf("%d mailboxes, want the first alone", got)
	}
	wantMail(t, db, box, stored)
	for range 3 {
		if err := db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, 8<<20) }); !errors.Is(err,
			store.ErrStorage) {
			t.Errorf("update on a full disk: %v", err)
		}
	}

	if err := unix.Mount("", root, "", unix.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	must(db.Ping(t.Context()))
	must(db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, 8<<20) }))
	wantMail(t, db, box, stored+1)
	must(db.Close())
	again := open(t, filepath.Join(root, "mailkin.db"))
	wantMail(t, again, box, stored+1)
	if got := again.pragma(t, "integrity_check"); got != "ok" {
		t.Errorf("integrity: %s", got)
	}
}

// storeUntilFull stores mail until it is refused, and says how many messages were not.
func storeUntilFull(t *testing.T, db *DB, box mailbox.Num) (n int64) {
	for ; n < 1000; n++ {
		err := db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, 100<<10) })
		if errors.Is(err, store.ErrStorage) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the disk never gets full")
	return 0
}

// wantMail checks that a mailbox holds a given number of messages, whole.
func wantMail(t *testing.T, db *DB, box mailbox.Num, want int64) {
	t.Helper()
	err := db.View(t.Context(), func(r store.Reader) error {
		list, err := r.Messages(t.Context(), box, store.MessageFilter{Limit: 1000})
		if err != nil || int64(len(list)) != want {
			t.Errorf("%d messages, want %d", len(list), want)
		}
		for _, m := range list {
			if c, err := r.Content(t.Context(), m); err != nil || int64(len(c.Packed)) != m.Size {
				t.Errorf("content of message %d: %d bytes of %d, %v", m.Seq, len(c.Packed), m.Size, err)
			}
		}
		c, err := r.Counters(t.Context(), box)
		if c.Inbound != want {
			t.Errorf("%d messages are counted, want %d", c.Inbound, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// The same without a disk of its own: files may not grow above a limit, until they may again.
func TestFileLimit(t *testing.T) {
	db := newDB(t)
	var box mailbox.Num
	must := mustWork(t)
	must(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
	lift := limitFiles(t, 4<<20)
	stored := storeUntilFull(t, db, box)
	wantMail(t, db, box, stored)
	lift()
	must(db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, 8<<20) }))
	wantMail(t, db, box, stored+1)
	if got := db.pragma(t, "integrity_check"); got != "ok" {
		t.Errorf("integrity: %s", got)
	}
}

// A file that cannot be written, for whatever reason, is the storage's fault and not the caller's, and Ping finds it.
func TestUnwritable(t *testing.T) {
	db := newDB(t)
	mustWork(t)(db.Ping(t.Context()))
	lift := limitFiles(t, 0)
	err := db.Ping(t.Context())
	lift()
	if !errors.Is(err, store.ErrStorage) {
		t.Errorf("Ping where nothing can be written: %v", err)
	}
	mustWork(t)(db.Ping(t.Context()))
}

// limitFiles keeps this process from writing past a given number of bytes of any file, until lift is called.
func limitFiles(t *testing.T, size uint64) (lift func()) {
	must := mustWork(t)
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	must(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	must(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: was.Max}))
	lift = sync.OnceFunc(func() {
		must(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
		signal.Reset(syscall.SIGXFSZ)
	})
	t.Cleanup(lift)
	return lift
}
