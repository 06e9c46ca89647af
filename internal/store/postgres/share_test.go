package postgres

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func TestShares(t *testing.T) {
	pool, _ := indexPool(t)
	for _, c := range []struct {
		name string
		run  func(k shareKit)
	}{
		{"nodes come and go", nodesComeAndGo},
		{"a share that moved is not written under", movedShareIsFenced},
		{"what is written under does not move", writtenShareStays},
		{"a node that knows no partitions is waited for", olderNodeIsWaitedFor},
		{"nodes that died are forgotten", deadNodesAreForgotten},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := pool.Exec(t.Context(), `TRUNCATE leases`); err != nil {
				t.Fatal(err)
			}
			c.run(shareKit{t, pool, NewLeases(pool)})
		})
	}
}

type shareKit struct {
	*testing.T
	pool *pgxpool.Pool
	*Leases
}

const sharedBy = 5 // partitions

func (k shareKit) share(holder string) store.Share {
	k.Helper()
	s, err := k.Share(k.Context(), "index", holder, sharedBy, time.Hour)
	if err != nil {
		k.Fatal(err)
	}
	return s
}

func (k shareKit) unshare(holder string) {
	k.Helper()
	if err := k.Unshare(k.Context(), "index", holder); err != nil {
		k.Fatal(err)
	}
}

// have checks how many partitions nodes have, and that each is one's.
func (k shareKit) have(want map[string]int) {
	k.Helper()
	var all []int
	for holder, n := range want {
		s := k.share(holder)
		if len(s.Partitions) != n {
			k.Errorf("%s has %v, want %d", holder, s.Partitions, n)
		}
		all = append(all, s.Partitions...)
	}
	if slices.Sort(all); !slices.Equal(all, []int{0, 1, 2, 3, 4}) {
		k.Errorf("together %v", all)
	}
}

func nodesComeAndGo(k shareKit) {
	k.have(map[string]int{"a": 5})
	k.share("b") // what it has is taken from a, who finds out when it asks
	k.have(map[string]int{"a": 3, "b": 2})
	k.share("c")
	k.have(map[string]int{"a": 2, "b": 2, "c": 1})
	leaseEnds(k.T, k.pool, "index@a")
	k.share("b")
	k.have(map[string]int{"b": 3, "c": 2})
	k.unshare("b")
	k.have(map[string]int{"c": 5})
	k.share("a")
	k.have(map[string]int{"a": 2, "c": 3})
}

func movedShareIsFenced(k shareKit) {
	x := NewIndex(k.pool)
	a := k.share("a")
	old := x.Fenced(a.Lease, a.Fence)
	if err := setPlace(old, 1); err != nil {
		k.Error(err)
	}
	if again := k.share("a"); again.Fence != a.Fence {
		k.Errorf("asked for again: fence %d, was %d", again.Fence, a.Fence)
	}
	b := k.share("b")
	if err := setPlace(old, 2); !errors.Is(err, store.ErrFenced) {
		k.Errorf("under the share of before: %v", err)
	}
	now := k.share("a")
	for _, s := range []store.Share{b, now} {
		if err := setPlace(x.Fenced(s.Lease, s.Fence), 3); err != nil {
			k.Errorf("under its own: %v", err)
		}
	}
	leaseEnds(k.T, k.pool, "index@a")
	if k.share("b"); !errors.Is(setPlace(x.Fenced(now.Lease, now.Fence), 4), store.ErrFenced) {
		k.Error("one whose time was over and whose partitions went to another could write")
	}
}

func writtenShareStays(k shareKit) {
	a := k.share("a")
	large := make([]byte, indexSendBytes/4)
	err := NewIndex(k.pool).Fenced(a.Lease, a.Fence).Update(k.Context(), func(tx store.IndexTx) error {
		for n := range 6 { // enough for a part of it to be sent
			if err := tx.PutBlock(1, 1, n, large); err != nil {
				return err
			}
		}
		leaseEnds(k.T, k.pool, "index@a")
		if b := k.share("b"); len(b.Partitions) > 0 {
			k.Errorf("taken while it is written: %v", b.Partitions)
		}
		return nil
	})
	if err != nil {
		k.Fatal(err)
	}
	k.have(map[string]int{"b": 5})
}

func olderNodeIsWaitedFor(k shareKit) {
	if _, ok, err := k.Lease(k.Context(), "index", "old", time.Hour); !ok || err != nil {
		k.Fatal(ok, err)
	}
	if a := k.share("a"); len(a.Partitions) > 0 {
		k.Errorf("beside it: %v", a.Partitions)
	}
	leaseEnds(k.T, k.pool, "index")
	k.have(map[string]int{"a": 5})
	if _, ok, err := k.Lease(k.Context(), "index", "old", time.Hour); ok || err != nil {
		k.Errorf("it has come back: %v, %v", ok, err)
	}
}

func deadNodesAreForgotten(k shareKit) {
	k.share("a")
	k.unshare("a")
	k.share("b")
	var left int
	err := k.pool.QueryRow(k.Context(), `SELECT count(*) FROM leases WHERE what = 'index@a'`).Scan(&left)
	if err != nil || left != 0 {
		k.Errorf("%d: %v", left, err)
	}
	k.have(map[string]int{"b": 5})
}

// The server cuts its tables as partitionOf says.
func TestPartitionOf(t *testing.T) {
	for _, partitions := range []int{2, 3, 64} {
		db := newStore(t, Options{Partitions: partitions})
		for _, num := range []int64{0, 1, 2, 3, 63, 64, 65, 1 << 31, 1<<32 + 5, 1<<53 - 1, 1<<63 - 1, -1, -7} {
			var there bool
			err := db.pool.QueryRow(t.Context(), fmt.Sprintf(
				`SELECT satisfies_hash_partition('messages'::regclass, %d, %d, $1::bigint)`, partitions,
				partitionOf(mailbox.Num(num), partitions)), num).Scan(&there)
			if err != nil || !there {
				t.Errorf("%d of %d: not in %d (%v)", num, partitions, partitionOf(mailbox.Num(num), partitions), err)
			}
		}
	}
}

// Messages to index are taken from each partition's own index of places, no more of any than are asked for.
func TestToIndexOfPartitions(t *testing.T) {
	db := newStore(t, Options{Partitions: 3})
	steps := plan(t, db, toIndex("messages_0", "messages_2"))
	for _, want := range []string{"messages_0_place_idx", "messages_2_place_idx"} {
		if !strings.Contains(steps, want) {
			t.Errorf("no %s:\n%s", want, steps)
		}
	}
	if strings.Count(steps, "Limit") != 2 || strings.Contains(steps, "messages_1") {
		t.Errorf("it reads more than that, or asks another partition:\n%s", steps)
	}
}
