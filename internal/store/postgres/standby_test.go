package postgres

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// standbyKit is a node that reads from a standby, and another that writes.
type standbyKit struct {
	*testing.T
	primary, standby *pgtest.Server
	db, other        *DB
	num              mailbox.Num
	sent             int
}

func newStandbyKit(t *testing.T) *standbyKit {
	t.Parallel()
	k := &standbyKit{T: t, primary: pgtest.Start(t)}
	at := k.primary.URL(t)
	k.standby = k.primary.Standby(t)
	k.other = openStore(t, at, Options{})
	k.db = openStore(t, at, Options{StandbyURL: k.standby.At(at)})
	k.num = insertBox(t, k.other, "a@x.org")
	return k
}

// write stores messages by the other node, and after each reads the mailbox: it has to be there.
func (k *standbyKit) write(n int) {
	k.Helper()
	ctx := store.Reading(k.Context())
	for range n {
		m, c := benchMail(int64(k.sent), k.num)
		mustUpdate(k, k.other, func(tx store.Tx) error { return tx.InsertMessage(k.Context(), &m, c) })
		k.sent++
		k.found(k.db.View, ctx)
		k.found(k.db.Ask, ctx)
	}
}

func (k *standbyKit) found(read func(context.Context, func(store.Reader) error) error, ctx context.Context) {
	k.Helper()
	err := read(ctx, func(r store.Reader) error {
		list, err := r.Messages(ctx, k.num, store.MessageFilter{Limit: 1000})
		if err == nil && len(list) != k.sent {
			err = fmt.Errorf("%d messages of %d are found", len(list), k.sent)
		}
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
}

// hurry has the standby tried again at once.
func (k *standbyKit) hurry() { k.db.standby.away.Store(0) }

// reads wants the standby to answer some reads, soon, or none.
func (k *standbyKit) reads(byStandby bool) {
	k.Helper()
	before := k.db.standby.answered.Load()
	answered := func() bool { return k.db.standby.answered.Load() > before }
	for end := time.Now().Add(20 * time.Second); byStandby && !answered() && time.Now().Before(end); {
		k.write(1)
		k.hurry()
		k.found(k.db.View, store.Reading(k.Context()))
	}
	for range 5 {
		k.hurry()
		k.write(1)
	}
	if answered() != byStandby {
		k.Errorf("answered by the standby: %v", answered())
	}
}

// What is read from a standby has everything that any node was told to be stored.
func TestStandby(t *testing.T) {
	k := newStandbyKit(t)
	k.reads(true)
	if _, err := k.db.Index().Segments(store.Reading(t.Context()), k.num); err != nil {
		t.Error(err)
	}
	answered := k.db.standby.answered.Load()
	k.found(k.db.View, t.Context()) // not marked
	if now := k.db.standby.answered.Load(); now != answered {
		t.Error("it has answered what may write")
	}
	var all sync.WaitGroup // many at once share questions
	for range 20 {
		all.Go(func() { k.found(k.db.View, store.Reading(t.Context())) })
	}
	all.Wait()
	t.Run("stopped", func(t *testing.T) {
		k.standby.Stop(t)
		k.write(1)
		k.reads(false)
		k.standby.Restart(t)
		k.reads(true)
	})
}

// A standby that no longer follows is passed over, also when it was promoted, or is of another deployment.
func TestStandbyBehind(t *testing.T) {
	k := newStandbyKit(t)
	k.reads(true)
	k.standby.Detach(t, k.primary)
	k.reads(false)
	if late := k.db.standby.late.Load(); late == 0 {
		t.Error("it was never late")
	}
	k.standby.Promote(t)
	k.reads(false)
	other := pgtest.Start(t)
	foreign := openStore(t, other.URL(t), Options{})
	for range 500 { // so that its log is longer
		insertBox(t, foreign, fmt.Sprint(time.Now().UnixNano(), "@x.org"))
	}
	k.db.standby.pool.Close()
	k.db.standby.pool = foreign.pool
	k.reads(false)
}

// A standby of the old primary is at a higher place of the log than the new one.
func TestStandbyOfOldPrimary(t *testing.T) {
	t.Parallel()
	primary, next, address := startPair(t)
	old := primary.Standby(t)
	at := primary.At(address)
	k := &standbyKit{T: t, primary: primary, standby: old, other: openStore(t, address, Options{}),
		db: openStore(t, address, Options{StandbyURL: old.At(at)})}
	k.num = insertBox(t, k.other, "a@x.org")
	k.reads(true)
	kept := k.sent
	next.Detach(t, primary)
	k.reads(true) // which next does not have
	primary.Kill(t)
	next.Promote(t)
	k.sent = kept
	k.reads(false)
}
