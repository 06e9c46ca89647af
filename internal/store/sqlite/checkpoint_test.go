package sqlite

import (
	"context"
	"crypto/rand"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// storeMail stores a message of a given number of random bytes.
func storeMail(tx store.Tx, box mailbox.Num, size int) error {
	content := make([]byte, size)
	_, _ = rand.Read(content)
	var id mailbox.ID
	_, _ = rand.Read(id[:])
	return tx.InsertMessage(context.Background(), &mailbox.Message{ID: id, Mailbox: box, Direction: mailbox.Inbound,
		Size: int64(size)},
		store.Content{Packed: content})
}

// Under constant load the write-ahead log does not grow with what is written.
func TestLogStaysShort(t *testing.T) {
	db := newDB(t)
	var box mailbox.Num
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
	const total, each, most = 200 << 20, 256 << 10, 100 << 20
	var wg sync.WaitGroup
	jobs := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for range jobs {
				if err := db.Update(t.Context(), func(tx store.Tx) error {
					return storeMail(tx, box,
						each)
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var longest int64
	for range total / each {
		jobs <- struct{}{}
		if info, err := os.Stat(db.path + "-wal"); err == nil {
			longest = max(longest, info.Size())
		}
	}
	close(jobs)
	wg.Wait()
	t.Logf("the log had up to %d MB", longest>>20)
	if longest > most {
		t.Errorf("the log grew to %d MB", longest>>20)
	}
}

// A reader that stays open for long keeps the log from restarting, and it does so as soon as the reader is gone.
func TestLogRestartsAfterReader(t *testing.T) {
	db := newDB(t)
	var box mailbox.Num
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
	write := func(mb int) {
		for range mb {
			mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, 1<<20) }))
		}
	}
	mustWork(t)(db.View(t.Context(), func(r store.Reader) error {
		before := mailboxes(r)
		write(80)
		if after := mailboxes(r); after != before {
			t.Errorf("%d mailboxes, then %d", before, after)
		}
		return nil
	}))
	grown := size(t, db.path+"-wal")
	if grown < restartAt {
		t.Skipf("the log has only %d MB", grown>>20)
	}
	write(70)
	if now := size(t, db.path+"-wal"); now > grown+40<<20 {
		t.Errorf("the log had %d MB while there was a reader, and has %d MB after 70 MB more", grown>>20, now>>20)
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// Space comes back after a mailbox was purged, without anybody asking for it.
func TestVacuumAfterPurge(t *testing.T) {
	db := newDB(t)
	var box mailbox.Num
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) (err error) {
		box = insert(t, tx, "a@x.org")
		for range 40 {
			if err := storeMail(tx, box, 1<<20); err != nil {
				return err
			}
		}
		return nil
	}))
	pages := func() int {
		n, err := strconv.Atoi(db.pragma(t, "page_count"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	full := pages()
	if full < 40<<20/4096 {
		t.Fatalf("only %d pages are in use", full)
	}
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { return tx.RemoveMailbox(t.Context(), box) }))
	for done := false; !done; {
		mustWork(t)(db.Update(t.Context(), func(tx store.Tx) (err error) {
			_, done, err = tx.Purge(t.Context(), box, 10)
			return err
		}))
	}
	// The checkpointer does it in steps, on its own time.
	for deadline := time.Now().Add(30 * time.Second); pages() > 3*vacuumStep; {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d pages are left half a minute after everything was deleted", pages(), full)
		}
		mustWork(t)(db.Ping(t.Context()))
	}
}
