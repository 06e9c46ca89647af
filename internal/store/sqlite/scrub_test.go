package sqlite

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const secretWord = "a secret word, "

// openScrubbed opens a store that scrubs at these times.
func openScrubbed(t *testing.T, times scrubTimes) *DB {
	t.Helper()
	db, err := openTimed(filepath.Join(t.TempDir(), "mailkin.db"), times, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustWork(t)(db.Close()) })
	return db
}

// secretMail stores messages of several sizes with a word in them, among others, and returns them.
func secretMail(t *testing.T, db *DB, box mailbox.Num) (list []mailbox.Message) {
	t.Helper()
	for _, size := range []int{100, 3000, 20_000, 200_000} {
		m := mailbox.Message{ID: mailbox.NewID(time.Now()), Mailbox: box, Direction: mailbox.Inbound, Size: int64(size),
			Subject: secretWord}
		content := store.Content{Packed: bytes.Repeat([]byte(secretWord), size/len(secretWord))}
		mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
			return tx.InsertMessage(t.Context(), &m,
				content)
		}))
		mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { return storeMail(tx, box, size) }))
		list = append(list, m)
	}
	return list
}

// secretFiles lists the files of the store that have the word.
func secretFiles(t *testing.T, db *DB) (list []string) {
	t.Helper()
	files, err := filepath.Glob(db.path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(secretWord)) {
			list = append(list, filepath.Base(name))
		}
	}
	return list
}

// awaitScrub waits until no file has the word.
func awaitScrub(t *testing.T, db *DB) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); len(secretFiles(t, db)) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%v have it still", secretFiles(t, db))
		}
	}
}

// What was deleted is in no file soon after: when the store is quiet, and also where it never is; a message and a
// mailbox.
func TestScrub(t *testing.T) {
	quiet := scrubTimes{quiet: 20 * time.Millisecond, within: time.Hour}
	never := scrubTimes{quiet: time.Hour, within: 50 * time.Millisecond}
	for _, tt := range []struct {
		name  string
		times scrubTimes
		erase func(tx store.Tx, box mailbox.Num, list []mailbox.Message) error
	}{
		{"messages, when it is quiet", quiet, eraseMessages},
		{"messages, where it is never quiet", never, eraseMessages},
		{"a mailbox, when it is quiet", quiet, eraseMailbox},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := openScrubbed(t, tt.times)
			var box mailbox.Num
			mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
			list := secretMail(t, db, box)
			if len(secretFiles(t, db)) == 0 {
				t.Fatal("the word is in no file, so nothing is shown")
			}
			mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { return tt.erase(tx, box, list) }))
			busy, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for tt.times == never && busy.Err() == nil {
					mustWork(t)(db.Ping(t.Context()))
				}
			}()
			awaitScrub(t, db)
			stop()
			<-ended
			if free := db.pragma(t, "freelist_count"); tt.times == quiet && free != "0" {
				t.Errorf("%s pages are free", free)
			}
		})
	}
}

func eraseMessages(tx store.Tx, _ mailbox.Num, list []mailbox.Message) error {
	for _, m := range list {
		if err := tx.DeleteMessage(context.Background(), m, nil); err != nil {
			return err
		}
	}
	return nil
}

func eraseMailbox(tx store.Tx, box mailbox.Num, _ []mailbox.Message) error {
	if err := tx.RemoveMailbox(context.Background(), box); err != nil {
		return err
	}
	for {
		if _, done, err := tx.Purge(context.Background(), box, 10); done || err != nil {
			return err
		}
	}
}

// A reader that stays open puts the scrub off; it is done when the reader is gone.
func TestScrubAfterReader(t *testing.T) {
	db := openScrubbed(t, scrubTimes{quiet: 10 * time.Millisecond, within: time.Hour})
	var box mailbox.Num
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
	list := secretMail(t, db, box)
	mustWork(t)(db.View(t.Context(), func(r store.Reader) error {
		mailboxes(r)
		mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { return eraseMessages(tx, box, list) }))
		for db.erased.Load() { // a scrub has begun
			time.Sleep(time.Millisecond)
		}
		for !db.erased.Load() { // and was not possible
			time.Sleep(time.Millisecond)
		}
		if len(secretFiles(t, db)) == 0 {
			t.Error("the log is gone that a reader reads")
		}
		return nil
	}))
	awaitScrub(t, db)
}

// A store that nobody writes to is left alone once it is scrubbed.
func TestScrubOnce(t *testing.T) {
	db := openScrubbed(t, scrubTimes{quiet: time.Millisecond, within: time.Hour})
	var box mailbox.Num
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { box = insert(t, tx, "a@x.org"); return nil }))
	list := secretMail(t, db, box)
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error { return eraseMessages(tx, box, list) }))
	awaitScrub(t, db)
	for db.erased.Load() || size(t, db.path+"-wal") > 0 { // the scrub ends
		time.Sleep(time.Millisecond)
	}
	changes := func() int64 { // commits by other connections, and the writer's own
		var n int64
		mustWork(t)(db.View(t.Context(), func(r store.Reader) error {
			return r.(*queries).sql(`PRAGMA data_version`).one(func(r row) { n = r.Int(0) })
		}))
		return n
	}
	before, log := changes(), size(t, db.path+"-wal")
	time.Sleep(200 * time.Millisecond) // many times as long as it is quiet
	if after := changes(); after != before || log != 0 || size(t, db.path+"-wal") != 0 || db.erased.Load() {
		t.Errorf("version %d, then %d; the log has %d bytes", before, after, log)
	}
}
