package sqlite

import (
	"sync"
	"testing"

	"zombiezen.com/go/sqlite"

	"github.com/mailkin/mailkin/internal/store"
)

// Memory can be given back at any time, and takes nothing from those who read and write meanwhile.
func TestReleaseMemory(t *testing.T) {
	db := newDB(t)
	open := func() (n int) {
		db.pool.each(func(c **sqlite.Conn) {
			if *c != nil {
				n++
			}
		})
		return n
	}
	mustWork(t)(db.View(t.Context(), func(store.Reader) error { return nil }))
	if open() != 1 {
		t.Errorf("%d connections after a read", open())
	}
	db.ReleaseMemory()
	if open() != 0 {
		t.Errorf("%d connections after memory was given back", open())
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				if err := db.Ping(t.Context()); err != nil {
					t.Error(err)
				}
				if err := db.View(t.Context(), func(r store.Reader) error {
					db.ReleaseMemory() // which leaves the connection of this read alone
					_, err := r.Mailboxes(t.Context(), store.MailboxFilter{Limit: 1})
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	mustWork(t)(db.Close())
	db.ReleaseMemory()
}
