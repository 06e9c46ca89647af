package postgres

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/store"
)

func TestLease(t *testing.T) {
	pool, _ := indexPool(t)
	for _, c := range []struct {
		name string
		run  func(t *testing.T, pool *pgxpool.Pool)
	}{
		{"one after the other", leaseSteps},
		{"of many at once", leaseIsOnes},
		{"a node that comes back late", fenceIsLate},
		{"a node that is writing", fenceHolds},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, pool) })
	}
}

// leaseEnds makes a lease end now.
func leaseEnds(t *testing.T, pool *pgxpool.Pool, what string) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), `UPDATE leases SET until = clock_timestamp() - interval '1 second' WHERE what = $1`, what); err != nil {
		t.Fatal(err)
	}
}

func leaseSteps(t *testing.T, pool *pgxpool.Pool) {
	l := &DB{pool: pool}
	for i, step := range []struct {
		name, what, holder string
		before             func()
		fence              int64
		ok                 bool
	}{
		{"the first", "index", "a", nil, 1, true},
		{"another", "index", "b", nil, 0, false},
		{"the first again", "index", "a", nil, 1, true},
		{"another thing", "vectors", "b", nil, 1, true},
		{"its own, after its end", "index", "a", func() { leaseEnds(t, pool, "index") }, 1, true},
		{"another, after its end", "index", "b", func() { leaseEnds(t, pool, "index") }, 2, true},
		{"who had it", "index", "a", nil, 0, false},
		{"given back by who had it", "index", "a", func() { unlease(t, l, "a") }, 0, false},
		{"given back", "index", "a", func() { unlease(t, l, "b") }, 3, true},
		{"given back and taken again", "index", "a", func() { unlease(t, l, "a") }, 4, true},
	} {
		if step.before != nil {
			step.before()
		}
		fence, ok, err := l.Lease(t.Context(), step.what, step.holder, time.Hour)
		if fence != step.fence || ok != step.ok || err != nil {
			t.Fatalf("%d, %s: fence %d, %v, %v", i, step.name, fence, ok, err)
		}
	}
	var left time.Duration
	err := pool.QueryRow(t.Context(), `SELECT until - clock_timestamp() FROM leases WHERE what = 'index'`).Scan(&left)
	if err != nil || left > time.Hour || left < 50*time.Minute {
		t.Errorf("it ends in %v: %v", left, err)
	}
}

func unlease(t *testing.T, l *DB, holder string) {
	t.Helper()
	if err := l.Unlease(t.Context(), "index", holder); err != nil {
		t.Fatal(err)
	}
}

// Of many that ask at once one has it, at first and when it has ended.
func leaseIsOnes(t *testing.T, pool *pgxpool.Pool) {
	l := &DB{pool: pool}
	for round := range 5 {
		var wg sync.WaitGroup
		var won atomic.Int32
		for i := range 8 {
			wg.Go(func() {
				fence, ok, err := l.Lease(context.Background(), "once", string(rune('a'+i))+string(rune('a'+round)),
					time.Hour)
				if err != nil || ok && fence != int64(round+1) {
					t.Errorf("fence %d: %v", fence, err)
				}
				if ok {
					won.Add(1)
				}
			})
		}
		if wg.Wait(); won.Load() != 1 {
			t.Errorf("round %d: %d have it", round, won.Load())
		}
		leaseEnds(t, pool, "once")
	}
}

// A node that comes back late cannot write, one that only renewed can.
func fenceIsLate(t *testing.T, pool *pgxpool.Pool) {
	l, x := &DB{pool: pool}, NewIndex(pool)
	take := func(holder string) int64 {
		t.Helper()
		fence, ok, err := l.Lease(t.Context(), "late", holder, time.Hour)
		if !ok || err != nil {
			t.Fatalf("%v, %v", ok, err)
		}
		return fence
	}
	a := x.Fenced("late", take("a"))
	if err := errors.Join(setPlace(a, 1), setPlace(a, 2)); err != nil {
		t.Fatal(err)
	}
	take("a")
	leaseEnds(t, pool, "late")
	if err := setPlace(a, 3); err != nil {
		t.Errorf("ended, and nobody took it: %v", err)
	}
	b := x.Fenced("late", take("b"))
	if err := setPlace(a, 4); !errors.Is(err, store.ErrFenced) {
		t.Errorf("late: %v", err)
	}
	if p, err := placeOf(t.Context(), x); p != 3 || err != nil {
		t.Errorf("at %d: %v", p, err)
	}
	if err := setPlace(b, 5); err != nil {
		t.Error(err)
	}
	if err := setPlace(x, 6); err != nil {
		t.Errorf("without a fence: %v", err)
	}
}

// While something is written under a lease it can be renewed and not taken, however long ago it ended.
func fenceHolds(t *testing.T, pool *pgxpool.Pool) {
	l := &DB{pool: pool}
	fence, _, err := l.Lease(t.Context(), "held", "a", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	large := make([]byte, indexSendBytes/4)
	err = NewIndex(pool).Fenced("held", fence).Update(t.Context(), func(tx store.IndexTx) error {
		for n := range 6 { // enough for a part of it to be sent
			if err := tx.PutBlock(1, 1, n, large); err != nil {
				return err
			}
		}
		if again, ok, err := l.Lease(t.Context(), "held", "a", time.Hour); again != fence || !ok || err != nil {
			t.Errorf("renewed while writing: %d, %v, %v", again, ok, err)
		}
		leaseEnds(t, pool, "held")
		if _, ok, err := l.Lease(t.Context(), "held", "b", time.Hour); ok || err != nil {
			t.Errorf("taken while it is written: %v, %v", ok, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if again, ok, err := l.Lease(t.Context(), "held", "b", time.Hour); again != fence+1 || !ok || err != nil {
		t.Errorf("taken then: %d, %v, %v", again, ok, err)
	}
}
