package sqlite

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func TestNumbering(t *testing.T) {
	n := numbering{base: 900, seq: 12, former: []formerBase{{3, 100}, {7, 500}}}
	for seq, want := range map[int64]int64{1: 101, 3: 103, 4: 504, 7: 507, 8: 908, 12: 912} {
		if got := n.of(seq); got != want {
			t.Errorf("the number of %d is %d, want %d", seq, got, want)
		}
	}
	for number, want := range map[int64]int64{-5: 0, 0: 0, 100: 0, 101: 1, 103: 3, 104: 3, 503: 3, 504: 4, 507: 7,
		508: 7, 907: 7, 908: 8, 912: 12} {
		if got := n.seqAt(number); got != want {
			t.Errorf("up to %d there are %d, want %d", number, got, want)
		}
	}
}

// After a restore numbers go on above all that may have been given out, and those of before stay what they were; so
// does everything for whoever takes the store over.
func TestRestored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mailkin.db")
	at := time.Now()
	var want []int64
	var box mailbox.Num
	grow := func(many int) {
		db, err := Open(path)
		mustWork(t)(err)
		mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
			if box == 0 {
				box = insert(t, tx, "a@x.org")
			}
			for range many {
				e := mailbox.Event{Mailbox: box, Kind: mailbox.MessageBounced, At: at}
				if err := tx.AppendEvent(t.Context(), &e); err != nil {
					return err
				}
				want = append(want, e.Number)
			}
			return nil
		}))
		mustWork(t)(db.Close())
	}
	grow(3)
	for range 2 { // the second without anything new in between
		at = at.Add(60 * 24 * time.Hour) // more milliseconds than 32 bits hold
		mustWork(t)(Restored(t.Context(), path, at))
	}
	grow(2)
	if want[3] != at.UnixMilli() || want[4] != want[3]+1 {
		t.Errorf("restored at %d, and the numbers are %v", at.UnixMilli(), want)
	}
	mustWork(t)(Restored(t.Context(), path, at.Add(-time.Hour))) // by a clock that was set back
	grow(1)
	if want[5] != want[4]+1 {
		t.Errorf("the numbers are %v", want)
	}
	checkNumbers(t, path, box, want)
}

func checkNumbers(t *testing.T, path string, box mailbox.Num, want []int64) {
	t.Helper()
	db, err := Open(path)
	mustWork(t)(err)
	defer db.Close()
	mustWork(t)(db.View(t.Context(), func(r store.Reader) error {
		for i := range len(want) + 1 {
			after := int64(0)
			if i > 0 {
				after = want[i-1]
			}
			list, err := r.Events(t.Context(), box, after, 100)
			if err != nil {
				return err
			}
			var got []int64
			for _, e := range list {
				got = append(got, e.Number)
			}
			if !slices.Equal(got, want[i:]) {
				t.Errorf("after %d: %v, want %v", after, got, want[i:])
			}
		}
		return nil
	}))
	snapshot := snapshotOf(t, db)
	var seqs []int64
	var base, last int64
	err = snapshot.Rows(tableNamed("events"), nil, func(_, row []any) error {
		seqs = append(seqs, row[1].(int64))
		return nil
	})
	err = errors.Join(err, snapshot.Rows(tableNamed("counters"), nil, func(_, row []any) error {
		last, base = row[1].(int64), row[2].(int64)
		return nil
	}))
	mustWork(t)(err)
	for i := range seqs {
		seqs[i] += base
	}
	if !slices.Equal(seqs, want) || base+last != want[len(want)-1] {
		t.Errorf("exported as %v, the last %d; want %v", seqs, base+last, want)
	}
}
