package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/blockcache"
)

const (
	// indexSendBytes is how much of an update is kept in memory.
	indexSendBytes = 4 << 20
	// indexSendPatience is the deadline for each part of it.
	indexSendPatience = time.Minute
	// indexTries is how often an update is made that met another, and indexApart how long it waits before the second
	// try, and longer before the next.
	indexTries, indexApart = 4, 50 * time.Millisecond
	// indexNumbers is how many numbers of segments an update takes at first; the next time more.
	indexNumbers, indexNumbersMost = 4, 1024
)

// beginIndex begins an update. One whose node has fallen silent in the middle is rolled back, so that its lease can be
// taken over.
const beginIndex = `BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL idle_in_transaction_session_timeout = '15s'`

// Update runs fn and then does what it asked for, all of it or nothing.
func (x *Index) Update(ctx context.Context, fn func(store.IndexTx) error) error {
	if x.closed.Load() {
		return store.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	own := *x
	own.standby = nil // what it asks is for what it writes
	u := &indexUpdate{ctx: ctx, x: &own, numbers: indexNumbers}
	defer u.end()
	err := fn(u)
	if err == nil {
		err = u.finish()
	}
	if err != nil {
		return indexError(ctx, "update the index", err)
	}
	x.forget(u.gone, u.goneBoxes)
	return nil
}

// forget lets go of blocks that were deleted.
func (x *Index) forget(segments map[int64]bool, boxes map[mailbox.Num]bool) {
	if len(segments)+len(boxes) > 0 {
		x.cache.Forget(func(k blockcache.Key) bool { return segments[k.Segment] || boxes[k.Mailbox] })
	}
}

// boxGone notes that blocks of a mailbox are not to be kept.
func (u *indexUpdate) boxGone(num mailbox.Num) {
	if u.goneBoxes == nil {
		u.goneBoxes = make(map[mailbox.Num]bool)
	}
	u.goneBoxes[num] = true
}

// indexUpdate is an update under way. It lives as long as the call that has its ctx.
type indexUpdate struct {
	ctx context.Context
	x   *Index
	tx  pgx.Tx // nil: nothing was sent yet

	orders orders
	err    error // of what was sent

	next, last int64 // numbers that are this update's to give
	numbers    int64

	gone      map[int64]bool
	goneBoxes map[mailbox.Num]bool
}

// finish sends what is left and commits. What was all in memory is sent again if it met another update.
func (u *indexUpdate) finish() error {
	if u.err != nil {
		return u.err
	}
	list := u.orders.take()
	if u.tx != nil {
		return u.commit(list)
	}
	if len(list) == 0 {
		return nil
	}
	for try := 1; ; try++ {
		err := u.commit(list)
		if err == nil || !oneOf(code(err), collisions) || try == indexTries {
			return err
		}
		u.end()
		if !background.Sleep(u.ctx, time.Duration(try)*indexApart) { // so that the other gets what both wanted
			return err
		}
	}
}

func (u *indexUpdate) commit(list []order) error {
	if err := u.send(list); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(u.ctx, indexSendPatience)
	defer cancel()
	return u.tx.Commit(ctx)
}

// end undoes what was not committed.
func (u *indexUpdate) end() {
	if u.tx == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(u.ctx), 5*time.Second)
	defer cancel()
	_ = u.tx.Rollback(ctx) // committed, or the connection is gone and the server does it
	u.tx = nil
}

// send does what was asked for, in the transaction.
func (u *indexUpdate) send(list []order) error {
	ctx, cancel := context.WithTimeout(u.ctx, indexSendPatience)
	defer cancel()
	if u.tx == nil {
		if err := u.begin(ctx); err != nil {
			return err
		}
	}
	var batch pgx.Batch
	for _, o := range list {
		batch.Queue(o.sql, o.args...)
	}
	return u.tx.SendBatch(ctx, &batch).Close()
}

// begin begins the transaction. The lease cannot go to another holder before it ends.
func (u *indexUpdate) begin(ctx context.Context) (err error) {
	if u.tx, err = u.x.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: beginIndex}); err != nil {
		u.tx = nil
		return err
	}
	if u.x.lease == nil {
		return nil
	}
	var sameServer bool
	err = u.tx.QueryRow(ctx, `SELECT (SELECT left(mark, 8) FROM era) = `+timeline+
		` FROM leases WHERE what = $1 AND fence = $2 FOR KEY SHARE`,
		u.x.lease.what, u.x.lease.fence).Scan(&sameServer)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.ErrFenced
	}
	if err != nil || sameServer || u.x.newEra == nil {
		return err
	}
	u.end() // the era raises the fence
	if err := u.x.newEra(ctx); err != nil {
		return err
	}
	return store.ErrFenced
}

// Durable needs nothing: what the store commits later waits for the disk with everything before it.
func (u *indexUpdate) Durable() {}

// asked is called after every order: what has become large is sent.
func (u *indexUpdate) asked() error {
	if u.err == nil && u.orders.bytes > indexSendBytes {
		u.err = u.send(u.orders.take())
	}
	return u.err
}

// NewSegment takes numbers ahead, and outside of the transaction: they need not be without gaps. They are taken from
// the clock where it is ahead, because a crash can take the note of the last one back, when its blocks may already be
// kept in some node's memory.
func (u *indexUpdate) NewSegment() (int64, error) {
	if u.next == u.last {
		err := u.x.one(u.ctx, `UPDATE index_number SET number = greatest(number, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) + $1
			FROM (SELECT set_config('synchronous_commit', 'off', true) AS sync) s WHERE s.sync = 'off' RETURNING number`, []any{u.numbers}, &u.last)
		if err != nil {
			return 0, fmt.Errorf("number a segment: %w", err)
		}
		u.next = u.last - u.numbers
		u.numbers = min(u.numbers*8, indexNumbersMost)
	}
	u.next++
	return u.next, nil
}
