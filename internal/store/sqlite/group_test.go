package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// held is a store whose writer stands still inside an update, so that others queue up behind it in a known order.
type held struct {
	*testing.T
	db     *DB
	let    chan struct{} // closed: the writer goes on
	first  chan error
	queued int
	wait   sync.WaitGroup
}

// hold stops the writer of a store.
func hold(t *testing.T, db *DB) *held {
	h := &held{T: t, db: db, let: make(chan struct{}), first: make(chan error, 1)}
	inside := make(chan struct{})
	entered := sync.OnceFunc(func() { close(inside) }) // a group with a failure in it is run again
	h.wait.Go(func() {
		h.first <- db.Update(context.Background(), func(tx store.Tx) error {
			insert(t, tx, "first@x.org")
			entered()
			<-h.let
			return nil
		})
	})
	<-inside
	return h
}

// queue puts an update behind those that wait; its answer goes to answer.
func (h *held) queue(ctx context.Context, fn func(store.Tx) error, answer func(error)) {
	h.wait.Go(func() { answer(h.db.Update(ctx, fn)) })
	h.queued++
	for len(h.db.jobs) < h.queued {
		runtime.Gosched()
	}
}

// release lets the writer go on and waits for all answers.
func (h *held) release() { h.releaseFirst(mustWork(h)) }

// releaseFirst is release with what is expected of the update that held the writer.
func (h *held) releaseFirst(answer func(error)) {
	close(h.let)
	h.wait.Wait()
	answer(<-h.first)
}

func insert(t testing.TB, tx store.Tx, address string) mailbox.Num {
	num, err := tx.InsertMailbox(context.Background(), mailbox.Mailbox{Address: address, Status: mailbox.Active,
		Scope: mailbox.Permanent})
	if err != nil {
		t.Errorf("insert %s: %v", address, err)
	}
	return num
}

// mailboxes counts the mailboxes that a reader sees.
func mailboxes(r store.Reader) int {
	list, err := r.Mailboxes(context.Background(), store.MailboxFilter{Limit: 10_000})
	if err != nil {
		return -1
	}
	return len(list)
}

// committed counts the mailboxes that were committed.
func committed(t testing.TB, db *DB) (n int) {
	if err := db.View(context.Background(), func(r store.Reader) error { n = mailboxes(r); return nil }); err != nil {
		t.Error(err)
	}
	return n
}

func mustWork(t testing.TB) func(error) {
	return func(err error) {
		if err != nil {
			t.Errorf("update: %v", err)
		}
	}
}

func newDB(t testing.TB) *DB { return open(t, filepath.Join(t.TempDir(), "mailkin.db")) }

// Updates that wait are committed together: the last of them sees all others, of which no reader sees any.
func TestGroupSharesCommit(t *testing.T) {
	db := newDB(t)
	h := hold(t, db)
	const n = 50
	for i := range n {
		h.queue(t.Context(), func(tx store.Tx) error {
			insert(t, tx, fmt.Sprintf("a%d@x.org", i))
			if got := mailboxes(tx); got != i+2 {
				t.Errorf("update %d sees %d mailboxes, want %d", i, got, i+2)
			}
			if got := committed(t, db); got != 0 {
				t.Errorf("%d mailboxes are committed before update %d", got, i)
			}
			return nil
		}, mustWork(t))
	}
	h.release()
	if got := committed(t, db); got != n+1 {
		t.Errorf("%d mailboxes, want %d", got, n+1)
	}
}

// A group has an end, so that its first caller does not wait forever.
func TestGroupIsBounded(t *testing.T) {
	db := newDB(t)
	h := hold(t, db)
	for i := range groupSize + 10 {
		h.queue(t.Context(), func(tx store.Tx) error {
			want := 0
			if i+1 >= groupSize { // the first is in the group too
				want = groupSize
			}
			if got := committed(t, db); got != want {
				t.Errorf("%d mailboxes are committed before update %d, want %d", got, i, want)
			}
			insert(t, tx, fmt.Sprintf("a%d@x.org", i))
			return nil
		}, mustWork(t))
	}
	h.release()
}

// One that fails inside a group takes nobody with it.
func TestGroupFailure(t *testing.T) {
	own := errors.New("own")
	for _, c := range []struct {
		name string
		fail func(store.Tx) error
	}{
		{"error", func(store.Tx) error { return own }},
		{"panic", func(store.Tx) error { panic(own) }},
		{"taken", func(tx store.Tx) error {
			_, err := tx.InsertMailbox(context.Background(), mailbox.Mailbox{Address: "first@x.org"})
			return err
		}},
		{"wrong statement", func(tx store.Tx) error { return tx.(*queries).sql(`SELECT nonsense`).run() }},
		{"broken constraint", func(tx store.Tx) error {
			return tx.(*queries).sql(
				`INSERT INTO purges VALUES (1), (1)`).run()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := newDB(t)
			h := hold(t, db)
			for i := range 9 {
				if i%3 != 1 {
					h.queue(t.Context(), func(tx store.Tx) error {
						insert(t, tx,
							fmt.Sprintf("a%d@x.org", i))
						return nil
					}, mustWork(t))
					continue
				}
				h.queue(t.Context(), func(tx store.Tx) error {
					insert(t, tx, fmt.Sprintf("a%d@x.org", i))
					return c.fail(tx)
				}, func(err error) {
					if err == nil || errors.Is(err, store.ErrStorage) {
						t.Errorf("update %d: %v", i, err)
					}
				})
			}
			h.release()
			if got := committed(t, db); got != 7 {
				t.Errorf("%d mailboxes, want 7", got)
			}
		})
	}
}

// One whose caller gave up while it waited is skipped.
func TestGroupSkipsWhoGaveUp(t *testing.T) {
	db := newDB(t)
	h := hold(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	for i := range 4 {
		h.queue(t.Context(), func(tx store.Tx) error { insert(t, tx, fmt.Sprintf("a%d@x.org", i)); return nil },
			mustWork(t))
		h.queue(ctx, func(store.Tx) error { t.Error("begun"); return nil }, func(err error) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("gave up: %v", err)
			}
		})
	}
	cancel()
	h.release()
	if got := committed(t, db); got != 5 {
		t.Errorf("%d mailboxes, want 5", got)
	}
}

// Close carries out what waits, and nothing that comes later.
func TestCloseFinishesQueue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mailkin.db")
	db := open(t, path)
	h := hold(t, db)
	for i := range 20 {
		h.queue(t.Context(), func(tx store.Tx) error { insert(t, tx, fmt.Sprintf("a%d@x.org", i)); return nil },
			mustWork(t))
	}
	closed := make(chan error)
	go func() { closed <- db.Close() }()
	<-db.stopped.Done() // Close has begun and waits for the writer
	h.release()
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := db.Ping(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Ping after Close: %v", err)
	}
	if got := committed(t, open(t, path)); got != 21 {
		t.Errorf("%d mailboxes after opening again, want 21", got)
	}
}

// Close waits for Views, which are not cut off.
func TestCloseWaitsForView(t *testing.T) {
	db := newDB(t)
	if err := db.Update(t.Context(), func(tx store.Tx) error { insert(t, tx, "a@x.org"); return nil }); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error)
	err := db.View(t.Context(), func(r store.Reader) error {
		go func() { closed <- db.Close() }()
		<-db.written
		if got := mailboxes(r); got != 1 {
			t.Errorf("%d mailboxes", got)
		}
		return nil
	})
	if err := errors.Join(err, <-closed); err != nil {
		t.Error(err)
	}
}

// A reader's connection that is opened while an update is under way does not wait for it.
func TestNewReaderDoesNotWait(t *testing.T) {
	db := newDB(t)
	h := hold(t, db)
	if got := committed(t, db); got != 0 {
		t.Errorf("%d mailboxes", got)
	}
	h.release()
}
