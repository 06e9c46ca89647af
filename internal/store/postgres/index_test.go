package postgres

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/storetest"
)

// The suite that every index must pass, also on partitions and without named statements, as behind a transaction
// pooler.
func TestIndex(t *testing.T) {
	for name, opt := range map[string]Options{"plain": {}, "partitions and pooler": {Partitions: 3, Pooler: true}} {
		t.Run(name, func(t *testing.T) { runIndexSuite(t, newStore(t, opt)) })
	}
}

func runIndexSuite(t *testing.T, db *DB) {
	storetest.RunIndex(t, func(t *testing.T) store.Index {
		emptyIndex(t, db.Pool())
		x := db.Index()
		t.Cleanup(func() { x.Close() })
		return x
	})
}

// What the suite does not know of: other nodes, other updates, and the server itself.
func TestIndexOnAServer(t *testing.T) {
	pool, _ := indexPool(t)
	for _, c := range []struct {
		name string
		run  func(t *testing.T, pool *pgxpool.Pool)
	}{
		{"numbers grow over nodes", indexNumbersGrowOverNodes},
		{"numbers are not used again", indexNumbersAreNotUsedAgain},
		{"updates collide", indexUpdatesCollide},
		{"commits do not wait", indexCommitsDoNotWait},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, pool) })
	}
}

// emptyIndex does what an operator may do to have the index made again.
func emptyIndex(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `TRUNCATE index_segments, index_blocks, index_dropped, index_unmerged, index_renewals, index_vectors, index_asked;
		UPDATE index_progress SET place = 0, model = ''`)
	if err != nil {
		t.Fatal(err)
	}
}

func setPlace(x store.Index, place int64) error {
	return x.Update(context.Background(), func(tx store.IndexTx) error { return tx.SetPlace(0, place) })
}

// putBlocks writes a segment of a given number of blocks.
func putBlocks(t testing.TB, x store.Index, num mailbox.Num, blocks int) (id int64) {
	t.Helper()
	err := x.Update(t.Context(), func(tx store.IndexTx) (err error) {
		if id, err = tx.NewSegment(); err != nil {
			return err
		}
		for n := range blocks {
			if err := tx.PutBlock(num, id, n, []byte{byte(n)}); err != nil {
				return err
			}
		}
		return tx.PutSegment(store.Segment{Mailbox: num, ID: id, Docs: 1, Blocks: blocks, MinSeq: id, MaxSeq: id})
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// An update that could not be told from one that comes later would be lost work, or worse: numbers grow over nodes too.
func indexNumbersGrowOverNodes(t *testing.T, pool *pgxpool.Pool) {
	a, b := NewIndex(pool), NewIndex(pool)
	last := int64(0)
	for i := range 20 {
		x := []store.Index{a, b}[i%2]
		if id := putBlocks(t, x, 1, 1); id <= last {
			t.Fatalf("%d behind %d", id, last)
		} else {
			last = id
		}
	}
}

// A crash of the database can take the note of the last number back, and its blocks may be kept.
func indexNumbersAreNotUsedAgain(t *testing.T, pool *pgxpool.Pool) {
	x := NewIndex(pool)
	old := putBlocks(t, x, 1, 1)
	if _, err := pool.Exec(t.Context(), `UPDATE index_number SET number = 0`); err != nil {
		t.Fatal(err)
	}
	if again := putBlocks(t, x, 1, 1); again <= old {
		t.Errorf("%d behind %d", again, old)
	}
}

// An update that is given up because it and another wait for each other is made again.
func indexUpdatesCollide(t *testing.T, pool *pgxpool.Pool) {
	x := NewIndex(pool)
	other, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Rollback(context.Background())
	if _, err := other.Exec(t.Context(), `SET LOCAL deadlock_timeout = '1min'`); err != nil {
		t.Skipf("it cannot be said which of the two is given up: %v", err)
	}
	if _, err := other.Exec(t.Context(), `UPDATE index_progress SET place = 1 WHERE what = 'vectors'`); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- x.Update(context.Background(), func(tx store.IndexTx) error {
			return errors.Join(tx.SetPlace(0, 5), tx.SetVectorPlace(6, "m"))
		})
	}()
	waitFor(t, pool, `SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
	_, err = other.Exec(t.Context(), `UPDATE index_progress SET place = 1 WHERE what = 'words'`)
	if err = errors.Join(err, other.Commit(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if p, err := placeOf(t.Context(), x); p != 5 || err != nil {
		t.Errorf("at %d: %v", p, err)
	}
}

// waitFor asks until the answer is yes.
func waitFor(t testing.TB, pool *pgxpool.Pool, question string, args ...any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for yes := false; !yes; {
		if err := pool.QueryRow(ctx, question, args...).Scan(&yes); err != nil {
			t.Fatalf("waiting for %s: %v", question, err)
		}
	}
}

// Index commits do not wait for the disk: what is told to do so only here.
func indexCommitsDoNotWait(t *testing.T, pool *pgxpool.Pool) {
	u := &indexUpdate{ctx: t.Context(), x: NewIndex(pool)}
	defer u.end()
	if err := u.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	for setting, want := range map[string]string{"synchronous_commit": "off",
		"idle_in_transaction_session_timeout": "15s"} {
		var got string
		if err := u.tx.QueryRow(t.Context(), `SELECT current_setting($1)`, setting).Scan(&got); err != nil ||
			got != want {
			t.Errorf("%s is %s in the update: %v", setting, got, err)
		}
		if err := pool.QueryRow(t.Context(), `SELECT current_setting($1)`, setting).Scan(&got); err != nil ||
			got == want {
			t.Errorf("%s is %s elsewhere: %v", setting, got, err)
		}
	}
}
