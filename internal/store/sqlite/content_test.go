package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// contents counts the rows of contents.
func (db *DB) contents(t *testing.T) (n int64) {
	t.Helper()
	mustWork(t)(db.View(t.Context(), func(r store.Reader) error {
		return r.(*queries).sql(`SELECT count(*) FROM docs`).one(func(r row) { n = r.Int(0) })
	}))
	return n
}

// A content that is small waits for others, unless the disk is nearly full; nobody can read it meanwhile.
func TestContentsTogether(t *testing.T) {
	small, large := make([]byte, laterMost), make([]byte, laterMost+1)
	for _, tt := range []struct {
		name    string
		content store.Content
		full    bool
		waits   bool
	}{
		{"small", store.Content{Packed: small}, false, true},
		{"large", store.Content{Packed: large}, false, false},
		{"with a blob", store.Content{Packed: small, Blob: "b"}, false, false},
		{"small, on a disk that is nearly full", store.Content{Packed: small}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := openScrubbed(t, scrubTimes{quiet: time.Hour, within: time.Hour})
			m := mailbox.Message{ID: mailbox.NewID(time.Now()), Mailbox: newBox(t, db, "a@x.org"),
				Direction: mailbox.Inbound}
			mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
				return tx.InsertMessage(t.Context(), &m, tt.content)
			}))
			var numbers []int64
			mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
				q := tx.(*queries)
				if was := q.mostPages; tt.full {
					q.mostPages = was - 1
					defer func() { q.mostPages = was }()
				}
				if err := tx.DeleteMessage(t.Context(), m, nil); err != nil {
					return err
				}
				if _, err := tx.Content(t.Context(), m); !errors.Is(err, store.ErrNotFound) {
					t.Errorf("its content: %v", err)
				}
				list, err := tx.Forgotten(t.Context(), 0, 10)
				for _, f := range list {
					numbers = append(numbers, f.Number)
				}
				return err
			}))
			if n := db.contents(t); n > 0 != tt.waits {
				t.Errorf("%d contents are left", n)
			}
			for _, table := range Tables() {
				if n, err := snapshotOf(t, db).Count(table); table.Name == "docs" && (n != 0 || err != nil) {
					t.Errorf("%d contents are exported: %v", n, err)
				}
			}
			mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { return tx.Forgot(t.Context(), numbers...) }))
			if n := db.contents(t); n != 0 {
				t.Errorf("%d contents are left when the message is forgotten", n)
			}
		})
	}
}

// What waits when the process ends is deleted by the next one, also where the index forgets nothing.
func TestContentsAfterStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mailkin.db")
	db, err := openTimed(path, scrubTimes{quiet: time.Hour, within: time.Hour}, quiet)
	mustWork(t)(err)
	box := newBox(t, db, "a@x.org")
	for range contentStep + 1 {
		m := mailbox.Message{ID: mailbox.NewID(time.Now()), Mailbox: box, Direction: mailbox.Inbound}
		mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
			return errors.Join(tx.InsertMessage(t.Context(), &m, store.Content{Packed: []byte(secretWord)}),
				tx.DeleteMessage(context.Background(), m, nil))
		}))
	}
	if n := db.contents(t); n != contentStep+1 {
		t.Errorf("%d contents wait", n)
	}
	mustWork(t)(db.Close())
	db, err = openTimed(path, scrubTimes{quiet: time.Millisecond, within: time.Hour}, quiet)
	mustWork(t)(err)
	defer func() { mustWork(t)(db.Close()) }()
	awaitScrub(t, db)
	if n := db.contents(t); n != 0 {
		t.Errorf("%d contents are left", n)
	}
}
