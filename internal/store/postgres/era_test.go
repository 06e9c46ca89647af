package postgres

import (
	"errors"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// eraKit is a mailbox whose events are numbered.
type eraKit struct {
	*testing.T
	db  *DB
	box mailbox.Num
}

func openEra(t *testing.T, url string) eraKit {
	t.Helper()
	db, err := Open(t.Context(), url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return eraKit{T: t, db: db, box: 1}
}

// append numbers events.
func (k eraKit) append(many int) (numbers []int64) {
	k.Helper()
	for range many {
		e := mailbox.Event{Mailbox: k.box, Kind: mailbox.MessageBounced}
		if err := k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.AppendEvent(k.Context(),
				&e)
		}); err != nil {
			k.Fatal(err)
		}
		numbers = append(numbers, e.Number)
	}
	return numbers
}

func (k eraKit) after(number int64) (numbers []int64) {
	k.Helper()
	err := k.db.View(k.Context(), func(r store.Reader) error {
		list, err := r.Events(k.Context(), k.box, number, 100)
		numbers = nil
		for _, e := range list {
			numbers = append(numbers, e.Number)
		}
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
	return numbers
}

func (k eraKit) last() (number int64) {
	k.Helper()
	err := k.db.View(k.Context(), func(r store.Reader) (err error) {
		number, _, err = r.LastEvent(k.Context(), k.box)
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
	return number
}

func (k eraKit) insert() {
	k.Helper()
	err := k.db.Update(k.Context(), func(tx store.Tx) (err error) {
		_, err = tx.InsertMailbox(k.Context(), mailbox.Mailbox{Address: "a@x.org"})
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
}

// startPair starts a server with its standby, and returns the URL that finds whichever of them can be written to.
func startPair(t *testing.T) (primary, standby *pgtest.Server, address string) {
	t.Helper()
	primary = pgtest.Start(t)
	u, err := url.Parse(primary.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	standby = primary.Standby(t)
	u.Host += "," + standby.Addr()
	u.RawQuery += "&target_session_attrs=read-write"
	return primary, standby, u.String()
}

// A standby that takes over without the last commits gives none of their numbers again: who has read them sees
// everything new, once.
func TestEraOfStandby(t *testing.T) {
	t.Parallel()
	primary, standby, address := startPair(t)
	k, other := openEra(t, address), openEra(t, address)
	var told, toldOther atomic.Int64
	k.db.OnNewEra(func() { told.Add(1) })
	other.db.OnNewEra(func() { toldOther.Add(1) })
	k.insert()
	kept := k.append(5)
	standby.Detach(t, primary)
	lost := k.append(10)
	primary.Kill(t)
	standby.Promote(t)
	if got := k.after(0); !slices.Equal(got, kept) {
		t.Errorf("the standby has %v, want %v", got, kept)
	}
	if last := k.last(); last < lost[9] {
		t.Errorf("the last number is %d, below %d, which was given out", last, lost[9])
	}
	fresh := append(k.append(6), other.append(6)...)
	if got := k.after(lost[9]); !slices.Equal(got, fresh) {
		t.Errorf("after the last that was read come %v, want %v", got, fresh)
	}
	if fresh[11] >= 1<<53 {
		t.Errorf("%d is no number that every reader can hold", fresh[11])
	}
	if told.Load() != 1 || toldOther.Load() != 1 {
		t.Errorf("the nodes were told %d and %d times", told.Load(), toldOther.Load())
	}
	if again := openEra(t, address); again.append(1)[0] != fresh[11]+1 {
		t.Error("a start on the same server begins another era")
	}
}

// The first update that meets the new timeline on a connection of before, as of a pooler, gives no number on it either.
func TestEraOnOldConnection(t *testing.T) {
	t.Parallel()
	k := openEra(t, pgtest.URL(t))
	k.insert()
	first := k.append(1)
	known := *k.db.era.Load()
	if _, err := k.db.pool.Exec(t.Context(), `UPDATE era SET mark = '00000009'`); err != nil {
		t.Fatal(err)
	}
	known.line, known.mark = "00000009", "00000009"
	k.db.era.Store(&known)
	if next := k.append(1); next[0] <= first[0]+1 || k.db.era.Load().number != known.number+1 {
		t.Errorf("%v behind %v, in era %d", next, first, k.db.era.Load().number)
	}
}

// The same for an update of the index.
func TestEraOfIndexOnOldConnection(t *testing.T) {
	t.Parallel()
	k := openEra(t, pgtest.URL(t))
	fence, _, err := k.db.Lease(t.Context(), "index", "a", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.db.pool.Exec(t.Context(), `UPDATE era SET mark = '00000009'`); err != nil {
		t.Fatal(err)
	}
	era := k.db.era.Load().number
	index := k.db.Index().Fenced("index", fence)
	if err := setPlace(index, 7); !errors.Is(err, store.ErrFenced) || k.db.era.Load().number != era+1 {
		t.Errorf("%v, in era %d after %d", err, k.db.era.Load().number, era)
	}
	if err := setPlace(index, 7); !errors.Is(err, store.ErrFenced) {
		t.Errorf("under the fence of the era before: %v", err)
	}
}

// A node has read on the old server what is to be indexed, and writes it when the standby has taken over: the place
// that it came to says nothing about the mail that the standby has, so nothing of it may be stored.
func TestEraOfIndex(t *testing.T) {
	t.Parallel()
	primary, standby, address := startPair(t)
	k := openEra(t, address)
	k.insert()
	index := k.db.Index()
	fence, _, err := k.db.Lease(t.Context(), "index", "a", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	standby.Detach(t, primary)
	lost := k.deleteMessage()
	err = index.Fenced("index", fence).Update(t.Context(), func(tx store.IndexTx) error {
		primary.Kill(t)
		standby.Promote(t)
		return tx.SetPlace(0, lost)
	})
	// connections to the dead server go one after the other
	for try := 0; try < 20 && err != nil && !errors.Is(err, store.ErrFenced); try++ {
		err = setPlace(index.Fenced("index", fence), lost)
	}
	if !errors.Is(err, store.ErrFenced) {
		t.Errorf("the standby took the place of the lost mail: %v", err)
	}
	if place, err := placeOf(t.Context(), index); place != 0 || err != nil {
		t.Errorf("the index is at %d: %v", place, err)
	}
	if next := k.deleteMessage(); next <= lost {
		t.Errorf("place %d is given, after %d was lost", next, lost)
	}
	again, ok, err := k.db.Lease(t.Context(), "index", "a", time.Hour)
	if err != nil || !ok || again <= fence {
		t.Errorf("the fence is %d after %d: %v, %v", again, fence, ok, err)
	}
	if err := setPlace(index.Fenced("index", again), 1); err != nil {
		t.Error(err)
	}
}

// deleteMessage has the index forget a message, and gives the place of that.
func (k eraKit) deleteMessage() (place int64) {
	k.Helper()
	err := k.db.Update(k.Context(), func(tx store.Tx) error { return tx.(*queries).forget(k.box, 1) })
	if err == nil {
		err = k.db.pool.QueryRow(k.Context(), `SELECT max(n) FROM forgotten`).Scan(&place)
	}
	if err != nil {
		k.Fatal(err)
	}
	return place
}
