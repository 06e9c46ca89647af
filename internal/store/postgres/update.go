package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/query"
)

const (
	// attempts is how often an update is run that meets others.
	attempts = 10
	// orderly is how many of them wait only shortly for a lock that is out of order. The rest wait as long as it takes,
	// and leave it to the server to end those that wait for each other.
	orderly = 4
)

// Update runs fn in a transaction, again where it met another one. From its beginning on it no longer depends on its
// caller's ctx, and has updateTime in all.
func (db *DB) Update(ctx context.Context, fn func(store.Tx) error) error {
	if !db.enter() {
		return store.ErrClosed
	}
	defer db.active.Done()
	if err := ctx.Err(); err != nil {
		return err
	}
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), updateTime)
	defer cancel()
	var known []mailbox.Num
	for try := 1; ; try++ {
		q, v := db.attempt(ctx, own, fn, attempt{known: known, patient: try > orderly, alone: try > 1})
		err := v.err
		switch {
		case v.ended == committed && !errors.Is(q.refusal, errAlone):
			db.probe.stored(q.mail && q.refusal == nil)
			return q.refusal
		case v.ended == committed:
			err = q.refusal // it has not begun
		case v.ended == unknown || !v.repeat:
			return explain(err)
		}
		if try == attempts {
			db.log.Warn("an update met others too often", "attempts", try, "error", err)
			return tooBusy(err)
		}
		if errors.Is(err, errEra) {
			if err := db.renewEra(own); err != nil {
				return explain(err)
			}
		}
		known, ctx = q.met(), own
		pause(own, try)
	}
}

// attempt is what one run of an update knows of those before it.
type attempt struct {
	known   []mailbox.Num // mailboxes that they came by: they are locked first, and in order
	patient bool          // locks are waited for in any order
	alone   bool          // its transaction is not shared
}

// attempt runs fn once. It takes a connection when there is something to send: until then it can be that it waits for
// its turn.
func (db *DB) attempt(ctx, own context.Context, fn func(store.Tx) error, a attempt) (q *queries, v verdict) {
	db.active.Add(1) // ended with the queries, which may be later
	q = &queries{ctx: own, caller: ctx, db: db, locks: newLocks(a), loner: a.alone}
	q.Queries = query.New[row](q)
	defer q.end()
	defer func() { q.tell(v) }() // also where fn ends its goroutine, which commits nothing
	q.lockAll(a.known)
	err := q.call(fn)
	if err == nil {
		err = q.chainAudits()
	}
	if err == nil || q.stepBack(err) {
		if v, handed := q.hand(); handed {
			return q, v
		}
		err = q.commit()
	}
	return q, q.judge(err)
}

// judge finds out what became of an attempt. In a transaction that it shared it may be another's statement that failed.
func (q *queries) judge(err error) verdict {
	v := verdict{ended: undone, err: err, repeat: q.mayRepeat() || q.shared != nil}
	switch {
	case err == nil:
		v.ended = committed
	case q.unsure():
		v.ended = q.db.outcome(q.ctx, q.ticket)
	}
	return v
}

// call runs an update's function. A panic is its error.
func (q *queries) call(fn func(store.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in update: %v\n%s", p, debug.Stack())
		}
	}()
	if err = fn(q); q.failed != nil && !errors.Is(err, q.failed) {
		err = q.failed // of a statement, which fn has passed over or has another word for
	}
	return err
}

// commit sends what is left in the queue with the end of the transaction. When the connection is lost from here on, it
// is not known what became of it until the server is asked (outcome.go).
func (q *queries) commit() error {
	if !q.begun && len(q.queue) == 0 {
		return nil
	}
	q.leaveRoom()
	q.committing = true
	end := q.sql(`COMMIT`)
	q.queue = append(q.queue, end)
	if err := q.flush(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	q.begun = false
	if tag := end.tag.String(); tag != "COMMIT" {
		return fmt.Errorf("commit: the server answered %s", tag)
	}
	return nil
}

// end gives the connection back, and ends the transaction first where it is not ended. Nobody waits for that.
func (q *queries) end() {
	q.leave()
	if q.conn == nil || !q.begun || q.conn.Conn().IsClosed() {
		if q.conn != nil {
			q.conn.Release()
		}
		q.db.active.Done()
		return
	}
	go func() {
		defer q.db.active.Done()
		defer q.conn.Release() // which closes it if it is still in a transaction
		ctx, cancel := context.WithTimeout(context.WithoutCancel(q.ctx), endTime)
		defer cancel()
		_, _ = q.conn.Exec(ctx, `ROLLBACK`) // there is nothing to undo, or it is undone with the connection
	}()
}

// met lists the mailboxes that an attempt came by.
func (q *queries) met() []mailbox.Num {
	nums := make([]mailbox.Num, 0, len(q.locks.boxes))
	for num := range q.locks.boxes {
		nums = append(nums, num)
	}
	slices.Sort(nums)
	return nums
}

// pause waits for a moment before the next attempt, so that those who met do not meet again.
func pause(ctx context.Context, try int) {
	longest := min(time.Millisecond<<try, 100*time.Millisecond)
	t := time.NewTimer(rand.N(longest))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
