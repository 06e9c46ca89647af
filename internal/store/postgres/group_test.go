package postgres

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// crowd runs updates of one mailbox. Before the first goes on, the others wait at the gate, in their order. All have
// the mailbox's lock when they are called.
func crowd(t *testing.T, db *DB, num mailbox.Num, list ...func(store.Tx) error) []error {
	t.Helper()
	var all sync.WaitGroup
	errs := make([]error, len(list))
	locked, goOn := make(chan bool), make(chan bool)
	for i, fn := range list {
		once := sync.OnceFunc(func() {
			if i == 0 {
				close(locked)
				<-goOn
			}
		})
		all.Go(func() {
			errs[i] = db.Update(t.Context(), func(tx store.Tx) error {
				if _, err := tx.Mailbox(t.Context(), num); err != nil {
					return err
				}
				once()
				return fn(tx)
			})
		})
		if i == 0 {
			<-locked
		}
		waitAtGate(db, num, i)
	}
	close(goOn)
	all.Wait()
	return errs
}

// waitAtGate returns when so many wait there.
func waitAtGate(db *DB, num mailbox.Num, n int) {
	for {
		db.gates.mu.Lock()
		now := len(db.gates.of[num].waiting)
		db.gates.mu.Unlock()
		if now >= n {
			return
		}
		runtime.Gosched()
	}
}

// keep is an update that stores a message.
func keep(t *testing.T, num mailbox.Num, i int64) func(store.Tx) error {
	m, c := benchMail(i, num)
	return func(tx store.Tx) error {
		m := m
		return tx.InsertMessage(t.Context(), &m, c)
	}
}

// Updates that wait for one mailbox share a transaction, and each is stored or not as if it were alone.
func TestGroup(t *testing.T) {
	database := pgtest.URL(t)
	other := openStore(t, database, Options{})
	w, through := newWire(t, database)
	shared := openStore(t, through, Options{})
	shared.groupTime = time.Minute
	refusal := errors.New("refused")
	for i, c := range []struct {
		name   string
		fn     func(num, second mailbox.Num) func(store.Tx) error
		want   error // of that one
		stored int   // of it and four others
		after  int   // how many others are before it, besides the first
		in     int   // how many transactions the messages are: each its own where the shared one was undone
	}{
		{"it stores", func(num, _ mailbox.Num) func(store.Tx) error { return keep(t, num, 9) }, nil, 5, 2, 1},
		{"it refuses", func(mailbox.Num, mailbox.Num) func(store.Tx) error {
			return func(store.Tx) error { return refusal }
		}, refusal, 4, 2, 1},
		{"it refuses after it has left a change in the queue", func(num, _ mailbox.Num) func(store.Tx) error {
			return func(tx store.Tx) error { return errors.Join(keep(t, num, 9)(tx), refusal) }
		}, refusal, 4, 2, 1},
		{"it refuses after it has sent a change", func(num, _ mailbox.Num) func(store.Tx) error {
			return func(tx store.Tx) error {
				err := keep(t, num, 9)(tx)
				_, ask := tx.Labels(t.Context(), num)
				return errors.Join(err, ask, refusal)
			}
		}, refusal, 4, 2, 4},
		{"it panics", func(mailbox.Num, mailbox.Num) func(store.Tx) error {
			return func(store.Tx) error { panic("on purpose") }
		}, errAny, 4, 2, 1},
		{"its statement fails", func(num, _ mailbox.Num) func(store.Tx) error {
			return func(tx store.Tx) error {
				return errors.Join(keep(t, num, 9)(tx), tx.(*queries).sql(`SELECT 1/0`).each(nil))
			}
		}, errAny, 4, 2, 4},
		{"its statement fails with the commit", func(num, _ mailbox.Num) func(store.Tx) error {
			return func(tx store.Tx) error {
				return errors.Join(keep(t, num, 9)(tx), tx.(*queries).sql(`SELECT 1/0`).run())
			}
		}, errAny, 4, 2, 4},
		{"it needs another mailbox", func(num, second mailbox.Num) func(store.Tx) error {
			return func(tx store.Tx) error { return errors.Join(keep(t, num, 9)(tx), keep(t, second, 10)(tx)) }
		}, nil, 5, 2, 2},
		{"its connection is lost", func(num, _ mailbox.Num) func(store.Tx) error {
			lost := sync.OnceFunc(func() { w.end(false) })
			return func(tx store.Tx) error {
				lost()
				return keep(t, num, 9)(tx)
			}
		}, nil, 5, 2, 5},
		{"the answer to the commit is lost", func(num, _ mailbox.Num) func(store.Tx) error {
			lose := sync.OnceFunc(func() {
				w.lose()
				go func() {
					for inbound(t, other, num) == 0 {
						runtime.Gosched()
					}
					w.end(false)
				}()
			})
			return func(tx store.Tx) error {
				lose()
				return keep(t, num, 9)(tx)
			}
		}, nil, 5, 3, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			num := insertBox(t, other, fmt.Sprintf("a%d@x.org", i))
			second := insertBox(t, other, fmt.Sprintf("b%d@x.org", i))
			others := make([]func(store.Tx) error, 4)
			for i := range others {
				others[i] = keep(t, num, int64(i))
			}
			fn := c.fn(num, second)
			list := slices.Insert(slices.Clone(others[1:]), c.after, fn)
			errs := crowd(t, shared, num, slices.Insert(list, 0, others[0])...)
			bad := 0
			for _, err := range errs {
				switch {
				case err == nil:
				case c.want == errAny, errors.Is(err, c.want):
					bad++
				default:
					t.Error(err)
				}
			}
			if wantBad := 5 - c.stored; bad != wantBad {
				t.Errorf("%d have failed, want %d", bad, wantBad)
			}
			if n := inbound(t, other, num); n != int64(c.stored) {
				t.Errorf("%d messages are stored, want %d", n, c.stored)
			}
			in := 0
			err := other.pool.QueryRow(t.Context(), `SELECT count(DISTINCT xmin::text) FROM messages WHERE box = $1`, int64(num)).
				Scan(&in)
			if err != nil || in != c.in {
				t.Errorf("they are %d transactions, want %d; %v", in, c.in, err)
			}
			seqsWithoutGaps(t, other, num, c.stored)
		})
	}
}

// errAny stands for any error.
var errAny = errors.New("any")

func inbound(t *testing.T, db *DB, num mailbox.Num) (n int64) {
	err := db.View(context.Background(), func(r store.Reader) error {
		c, err := r.Counters(context.Background(), num)
		n = c.Inbound
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return n
}

func seqsWithoutGaps(t *testing.T, db *DB, num mailbox.Num, n int) {
	t.Helper()
	err := db.View(t.Context(), func(r store.Reader) error {
		list, err := r.Events(t.Context(), num, 0, 100)
		if err != nil || len(list) != n {
			t.Errorf("%d events, want %d", len(list), n)
		}
		for i, e := range list {
			if e.Number != list[0].Number+int64(i) {
				t.Errorf("event %d has number %d, the first %d", i, e.Number, list[0].Number)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Updates of other mailboxes share a transaction where they would wait for a place, and nobody waits in it for a mailbox
// that another node has.
func TestGroupOfMailboxes(t *testing.T) {
	database := pgtest.URL(t)
	other, db := openStore(t, database, Options{}), openStore(t, database, Options{})
	db.groupTime = time.Minute
	db.gates.free = 1
	for _, c := range []struct {
		name        string
		distributed bool // over several servers
		in          int  // how many transactions the messages of the free mailboxes are
	}{{"one server", false, 1}, {"several servers", true, 3}} {
		t.Run(c.name, func(t *testing.T) {
			db.distributed = c.distributed
			var nums []mailbox.Num
			for i := range 4 {
				nums = append(nums, insertBox(t, other, fmt.Sprintf("%c%d@x.org", c.name[0], i)))
			}
			taken := nums[1]
			var theirs, ours sync.WaitGroup
			has, free := make(chan bool), make(chan bool)
			theirs.Go(func() {
				mustUpdate(t, other, func(tx store.Tx) error {
					_, err := tx.Labels(t.Context(), taken)
					close(has)
					<-free
					return err
				})
			})
			<-has
			locked, goOn := make(chan bool), make(chan bool)
			ours.Go(func() {
				mustUpdate(t, db, func(tx store.Tx) error {
					err := keep(t, nums[0], 0)(tx)
					close(locked)
					<-goOn
					return err
				})
			})
			<-locked
			var late sync.WaitGroup
			for i, num := range nums[1:] {
				group := &ours
				if num == taken {
					group = &late
				}
				group.Go(func() { mustUpdate(t, db, keep(t, num, int64(i)+1)) })
				waitInRoom(db, i+1)
			}
			close(goOn)
			ours.Wait()
			if n := inbound(t, other, taken); n != 0 {
				t.Errorf("%d messages in the mailbox that another has", n)
			}
			close(free)
			theirs.Wait()
			late.Wait()
			in, all := 0, int64(0)
			for _, num := range nums {
				all += inbound(t, other, num)
			}
			err := other.pool.QueryRow(t.Context(), `SELECT count(DISTINCT xmin::text) FROM messages
				WHERE box = ANY($1) AND box <> $2`, numbers(nums), int64(taken)).Scan(&in)
			if err != nil || all != 4 || in != c.in {
				t.Errorf("%d messages are stored, three of them in %d transactions, want %d; %v", all, in, c.in, err)
			}
		})
	}
}

// waitInRoom returns when so many wait for a place.
func waitInRoom(db *DB, n int) {
	for {
		db.gates.mu.Lock()
		now := len(db.gates.room.waiting)
		db.gates.mu.Unlock()
		if now >= n {
			return
		}
		runtime.Gosched()
	}
}
