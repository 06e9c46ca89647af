package postgres

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// A crash of the database may take the last updates, each as a whole, and no number of a segment is given twice.
func TestIndexAfterCrash(t *testing.T) {
	server := pgtest.Start(t, pgtest.Durable()...)
	pool, _ := indexPoolAt(t, server.URL(t))
	x := NewIndex(pool)
	last := int64(0)
	step := func(place int64) error {
		return x.Update(context.Background(), func(tx store.IndexTx) (err error) {
			if last, err = tx.NewSegment(); err != nil {
				return err
			}
			return errors.Join(tx.PutBlock(1, last, 0, []byte("block")),
				tx.PutSegment(store.Segment{Mailbox: 1, ID: last}), tx.SetPlace(0, place))
		})
	}
	done := int64(0)
	for done < 300 {
		if err := step(done + 1); err != nil {
			t.Fatal(err)
		}
		done++
	}
	before := last
	server.Kill(t)
	if err := step(done + 1); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("while it is away: %v", err)
	}
	server.Restart(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for { // connections of before are found to be lost one by one
		place, err := placeOf(ctx, x)
		if errors.Is(err, store.ErrUnavailable) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		list, err := x.Segments(t.Context(), 1)
		if err != nil || int64(len(list)) != place || place > done {
			t.Fatalf("%d segments at %d of %d: %v", len(list), place, done, err)
		}
		t.Logf("%d of %d updates are left", place, done)
		break
	}
	if err := step(done + 1); err != nil || last <= before {
		t.Errorf("segment %d behind %d: %v", last, before, err)
	}
}
