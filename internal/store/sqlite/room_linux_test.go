package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// smallDisk returns a folder on a disk of its own, or skips the test.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	root := t.TempDir()
	if err := unix.Mount("tmpfs", root, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(root, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return root
}

// fillDisk takes what is left of a disk.
func fillDisk(t *testing.T, root string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(root, "filler"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
	if free, _ := diskOf(f.Name()); free != 0 {
		t.Fatalf("%d bytes are left: %v", free, err)
	}
}

// deleteAll deletes every message of a mailbox, each in an update of its own.
func deleteAll(t *testing.T, db *DB, box mailbox.Num) {
	t.Helper()
	var list []mailbox.Message
	err := db.View(t.Context(), func(r store.Reader) (err error) {
		list, err = r.Messages(t.Context(), box, store.MessageFilter{Limit: 1000})
		return err
	})
	for i, m := range list {
		if err == nil {
			err = db.Update(t.Context(), func(tx store.Tx) error { return tx.DeleteMessage(t.Context(), m, nil) })
		}
		if err != nil {
			t.Fatalf("deletion %d of %d: %v", i, len(list), err)
		}
	}
}

// A store that filled its disk, of which others then took the rest, can be emptied, message by message; also after it
// was closed, when others took what it gave back.
func TestDeleteOnFullDisk(t *testing.T) {
	root := smallDisk(t, "8m")
	path := filepath.Join(root, "mailkin.db")
	db := open(t, path)
	must := mustWork(t)
	for _, address := range []string{"a@x.org", "b@x.org"} {
		var box mailbox.Num
		must(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, address); return nil }))
		if stored := storeUntilFull(t, db, box); stored < 20 {
			t.Fatalf("only %d messages fit", stored)
		}
		err := db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, 4<<20) })
		if !errors.Is(err, store.ErrFull) {
			t.Errorf("a message that does not fit: %v", err)
		}
		fillDisk(t, root)
		must(db.Close())
		fillDisk(t, root)
		db = open(t, path)
		fillDisk(t, root)
		deleteAll(t, db, box)
		must(os.Remove(filepath.Join(root, "filler")))
	}
}

// Others fill the disk while much is in the log that could not be copied into the file: it has its room there.
func TestLogHasItsRoom(t *testing.T) {
	root := smallDisk(t, "32m")
	db := open(t, filepath.Join(root, "mailkin.db"))
	must := mustWork(t)
	var box mailbox.Num
	must(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
	busy := make(chan struct{})
	reading := make(chan error)
	go func() { // nothing of the log can be copied that was written after this
		reading <- db.View(t.Context(), func(r store.Reader) error {
			_, err := r.Mailbox(t.Context(), box)
			reading <- err
			<-busy
			return err
		})
	}()
	must(<-reading)
	for range 8 {
		must(db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, 100<<10) }))
	}
	fillDisk(t, root)
	if db.Owed() != 0 {
		t.Errorf("%d bytes are owed", db.Owed())
	}
	logs := db.Update(store.Background(t.Context()), func(tx store.Tx) error { return storeMail(tx, box, 100<<10) })
	if !errors.Is(logs, store.ErrFull) {
		t.Errorf("background work on a full disk: %v", logs)
	}
	fillDisk(t, root) // nothing was given up for it
	close(busy)
	must(<-reading)
	deleteAll(t, db, box)
}

// Where others took the room that the log keeps, too, something else has to go.
func TestMakeRoom(t *testing.T) {
	root := smallDisk(t, "32m")
	db := open(t, filepath.Join(root, "mailkin.db"))
	must := mustWork(t)
	words := OpenIndex(filepath.Join(root, "index.db"))
	t.Cleanup(func() { must(words.Close()) })
	must(words.Update(t.Context(), func(tx store.IndexTx) error {
		must(tx.PutBlock(1, 1, 0, make([]byte, 4<<20)))
		return tx.SetPlace(0, 7)
	}))
	if place, err := placeOf(t.Context(), words); err != nil || place != 7 { // and a reader has it open
		t.Fatalf("place %d: %v", place, err)
	}
	var gave atomic.Int64
	db.MakeRoom = func() bool {
		if words.GiveUp() {
			gave.Add(1)
			return true
		}
		return false
	}
	var box mailbox.Num
	must(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
	for range 8 {
		must(db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, 100<<10) }))
	}
	log, err := os.OpenFile(db.path+"-wal", os.O_RDWR, 0)
	must(err)
	if !db.restartLog("TRUNCATE") {
		t.Fatal("the log cannot be emptied")
	}
	must(unix.Fallocate(int(log.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, 2*keptLog))
	must(log.Close())
	fillDisk(t, root)
	deleteAll(t, db, box)
	if n := gave.Load(); n != 1 {
		t.Errorf("the index was given up %d times", n)
	}
	must(os.Remove(filepath.Join(root, "filler")))
	if place, err := placeOf(t.Context(), words); err != nil || place != 0 {
		t.Errorf("the index with room again: at %d, %v", place, err)
	}
}
