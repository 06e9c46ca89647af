package postgres

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

func insertMail(t testing.TB, tx store.Tx, num mailbox.Num) (m mailbox.Message, err error) {
	m = mailbox.Message{ID: mailbox.NewID(time.Now()), Mailbox: num, Direction: mailbox.Inbound}
	err = tx.InsertMessage(t.Context(), &m, store.Content{})
	return m, err
}

// beginInsert stores a message in a transaction that goes on with rest when it is told to.
func beginInsert(t *testing.T, db *DB, num mailbox.Num, rest func(store.Tx) error) (goOn, wait func()) {
	return begin(t, db, func(tx store.Tx, stop func()) error {
		if _, err := insertMail(t, tx, num); err != nil {
			return err
		}
		if _, err := tx.Counters(t.Context(), num); err != nil { // it is sent
			return err
		}
		stop()
		return rest(tx)
	})
}

// toDo lists what is to be indexed after a place, and what of a mailbox is not indexed yet.
func toDo(t testing.TB, db *DB, after int64, num mailbox.Num) (work []store.IndexWork, not []mailbox.Message) {
	t.Helper()
	err := db.View(t.Context(), func(r store.Reader) (err error) {
		if work, err = r.ToIndex(t.Context(), store.Places{0: after}, 100); err == nil {
			not, err = r.NotIndexed(t.Context(), num, after, 100)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return work, not
}

// A message whose transaction began before others and ended after them is not passed over; nor is one that has a lower
// place than those before it in its mailbox.
func TestPlacesOutOfOrder(t *testing.T) {
	// alone: any transaction of the server counts
	db := openStore(t, pgtest.Start(t, "autovacuum=off").URL(t), Options{})
	slow, quick := insertBox(t, db, "slow@x.org"), insertBox(t, db, "quick@x.org")
	goOn, wait := beginInsert(t, db, slow, func(tx store.Tx) error { _, err := insertMail(t, tx, quick); return err })
	mustUpdate(t, db, func(tx store.Tx) error { _, err := insertMail(t, tx, quick); return err })
	work, not := toDo(t, db, 0, quick)
	if len(work) != 0 || len(not) != 1 {
		t.Errorf("before the slow one ends: %v to index, %d not indexed", work, len(not))
	}
	goOn()
	wait()
	work, not = toDo(t, db, 0, quick)
	if len(work) != 3 || len(not) != 2 {
		t.Fatalf("afterwards: %v to index, %d not indexed", work, len(not))
	}
	if work[0].Mailbox != slow || work[1].Seq != 2 || work[2].Seq != 1 {
		t.Errorf("order: %v", work)
	}
	if _, not = toDo(t, db, work[1].Place, quick); len(not) != 1 || not[0].Seq != 1 {
		t.Errorf("not indexed with the newest indexed: %v", not)
	}
	if _, not = toDo(t, db, work[2].Place, quick); len(not) != 0 {
		t.Errorf("not indexed with all indexed: %v", not)
	}
}

// What is deleted while an older transaction goes on is not listed for the index yet, and all the same known to who
// reads.
func TestForgettingAtOnce(t *testing.T) {
	db := openStore(t, pgtest.Start(t, "autovacuum=off").URL(t), Options{})
	slow, quick := insertBox(t, db, "slow@x.org"), insertBox(t, db, "quick@x.org")
	var m mailbox.Message
	mustUpdate(t, db, func(tx store.Tx) (err error) { m, err = insertMail(t, tx, quick); return err })
	goOn, wait := beginInsert(t, db, slow, func(store.Tx) error { return nil })
	mustUpdate(t, db, func(tx store.Tx) error { return tx.DeleteMessage(t.Context(), m, nil) })
	for _, ended := range []bool{false, true} {
		if ended {
			goOn()
			wait()
		}
		err := db.View(t.Context(), func(r store.Reader) error {
			seqs, err := r.Forgetting(t.Context(), quick, 10)
			if err != nil || len(seqs) != 1 || seqs[0] != m.Seq {
				t.Errorf("ended %v: %v, %v", ended, seqs, err)
			}
			list, err := r.Forgotten(t.Context(), 0, 10)
			if (len(list) == 1) != ended {
				t.Errorf("ended %v: listed %v", ended, list)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A database that comes from a server with higher numbers goes on above them.
func TestPlacesAfterRestore(t *testing.T) {
	url := pgtest.URL(t)
	db := openStore(t, url, Options{})
	num := insertBox(t, db, "a@x.org")
	for _, set := range []string{
		`UPDATE messages SET place = 1::bigint << 52`,
		`INSERT INTO forgotten VALUES (1::bigint << 53, 1, 1)`,
		`DELETE FROM forgotten; UPDATE places SET seen = 1::bigint << 54`,
	} {
		mustUpdate(t, db, func(tx store.Tx) error { _, err := insertMail(t, tx, num); return err })
		if _, err := db.pool.Exec(t.Context(), set); err != nil {
			t.Fatal(err)
		}
		again := openStore(t, url, Options{})
		mustUpdate(t, again, func(tx store.Tx) error { _, err := insertMail(t, tx, num); return err })
		var higher bool
		err := db.pool.QueryRow(t.Context(), `SELECT max(place) > greatest((SELECT seen FROM places), (SELECT max(n) FROM forgotten))
			AND (SELECT base FROM places) > 0 FROM messages`).Scan(&higher)
		if err != nil || !higher {
			t.Errorf("%s: new places are not above it (%v)", set, err)
		}
	}
}
