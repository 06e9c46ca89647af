package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"zombiezen.com/go/sqlite"

	"github.com/mailkin/mailkin/internal/store"
)

// groupSize is how many updates share a commit at most: it bounds how long the first of them waits.
const groupSize = 256

// job is an update on its way through the writer.
type job struct {
	ctx  context.Context
	fn   func(store.Tx) error
	err  error
	done chan error // buffered, so that the writer never waits for a caller

	background bool // it waits for room where the disk is full: nothing is given up for it
}

// Update queues fn and waits for the commit that carries it. There is one writing connection; the goroutine that has it
// commits what is queued. A caller that finds it idle takes it and does the work itself, which saves two changes of
// goroutine; where more has queued up by then, the writer goroutine goes on with it.
func (db *DB) Update(ctx context.Context, fn func(store.Tx) error) error {
	j := &job{ctx: ctx, fn: fn, done: make(chan error, 1), background: store.IsBackground(ctx)}
	select {
	case db.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-db.stopped.Done():
		return store.ErrClosed
	}
	for {
		select {
		case err := <-j.done:
			return err
		case q := <-db.idle:
			db.lead(q)
			continue
		case <-db.stopped.Done():
		}
		// The writer carries out what is in the queue before it ends; what came too late for that it never sees.
		<-db.written
		select {
		case err := <-j.done:
			return err
		default:
			return store.ErrClosed
		}
	}
}

// lead commits one group and passes the connection on.
func (db *DB) lead(q *queries) {
	db.commitQueued(q)
	if len(db.jobs) > 0 {
		db.busy <- q
	} else {
		db.idle <- q // who queues from here on finds it there
	}
}

// write is the writer goroutine: it works the queue off when there is more than callers can do by themselves, and
// closes the connection at the end.
func (db *DB) write() {
	defer close(db.written)
	for {
		select {
		case q := <-db.busy:
			db.drain(q)
			db.idle <- q
		case <-db.stopped.Done():
			var q *queries
			select {
			case q = <-db.busy:
			case q = <-db.idle:
			}
			db.drain(q)
			closeQuietly(q.conn)
			return
		}
	}
}

// drain commits group after group until nothing is queued.
func (db *DB) drain(q *queries) {
	for db.commitQueued(q) {
		select {
		case r := <-db.restart:
			r.done <- db.file.restartLog(q, r.mode, restartWait)
		default:
		}
	}
}

// commitQueued commits a group of what is queued, if anything is.
func (db *DB) commitQueued(q *queries) bool {
	select {
	case j := <-db.jobs:
		q.group = append(q.group[:0], j)
		db.commit(q)
		return true
	default:
		return false
	}
}

// commit runs a group of updates in one transaction and answers them. After an error that may have left the connection
// unsound, the next group opens a new one.
func (db *DB) commit(q *queries) {
	var err error
	if q.conn == nil {
		q.conn, err = db.connect(writerPages)
	}
	if err == nil {
		db.file.prepare(q)
		err = db.transact(q)
	}
	urgent := slices.ContainsFunc(q.group, func(j *job) bool { return !j.background })
	if isFull(err) && urgent && db.emptyLog(q) {
		err = db.transact(q)
	}
	if isFull(err) && urgent && db.MakeRoom != nil && db.MakeRoom() && db.emptyLog(q) {
		err = db.transact(q)
	}
	for _, j := range q.group {
		if err != nil {
			j.done <- explain(err)
		} else {
			j.done <- explain(j.err)
		}
		j.fn = nil
	}
	if q.erased {
		q.erased = false
		db.erased.Store(true)
	}
	select {
	case db.dirty <- struct{}{}:
	default:
	}
	if err != nil {
		closeQuietly(q.conn) // and with it goes the transaction
		q.conn, q.mostPages = nil, 0
	}
}

// Damaged tells whether an error is that a file is no database, or has lost pages.
func Damaged(err error) bool {
	code := sqlite.ErrCode(err).ToPrimary()
	return code == sqlite.ResultCorrupt || code == sqlite.ResultNotADB
}

func isFull(err error) bool { return sqlite.ErrCode(err).ToPrimary() == sqlite.ResultFull }

// emptyLog makes room on a full disk: what the log takes comes back when it was copied into the database. Deletions in
// quick succession are faster than the checkpoints that run at the same time.
func (db *DB) emptyLog(q *queries) bool {
	closeQuietly(q.conn) // and with it goes the transaction
	var err error
	q.conn, err = db.connect(writerPages)
	q.mostPages = 0
	return err == nil && db.file.restartLog(q, "TRUNCATE", fullWait)
}

// transact runs the jobs, and those that arrive meanwhile, and commits. An error is the whole group's; a job's own is
// in the job.
//
// Most updates succeed, so the first attempt does without savepoints. Where a job fails that has already written
// something, everything is undone and done again with a savepoint around each.
func (db *DB) transact(q *queries) error {
	err := db.runGroup(q, false)
	if errors.Is(err, errCareful) {
		if err := q.sql(`ROLLBACK`).run(); err != nil {
			return fmt.Errorf("roll back: %w", err)
		}
		err = db.runGroup(q, true)
	}
	return err
}

var errCareful = errors.New("a job failed after it wrote")

func (db *DB) runGroup(q *queries, careful bool) error {
	if err := q.sql(`BEGIN IMMEDIATE`).run(); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := db.file.bound(q, nothing); err != nil {
		return fmt.Errorf("bound: %w", err)
	}
	for i := 0; i < len(q.group); i++ {
		if err := q.attempt(q.group[i], careful); err != nil {
			return err
		}
		if len(q.group) < groupSize {
			select {
			case j := <-db.jobs:
				q.group = append(q.group, j)
			default:
			}
		}
	}
	pages, err := db.file.count(q)
	if err == nil {
		err = db.file.claim(pages)
	}
	if err == nil {
		err = q.sql(`COMMIT`).run()
	}
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	db.file.pages.Store(pages)
	return nil
}

// attempt runs one job, so that its failure undoes its own work alone. Its error is for the whole group only when the
// connection can no longer be trusted, or when the group must be run again carefully.
func (q *queries) attempt(j *job, careful bool) error {
	if j.err = j.ctx.Err(); j.err != nil {
		return nil
	}
	if careful {
		if err := q.sql(`SAVEPOINT job`).run(); err != nil {
			return fmt.Errorf("savepoint: %w", err)
		}
	}
	q.wrote, q.used = false, used{}
	j.err = q.call(j.fn)
	switch {
	case j.err != nil && isBroken(j.err):
		return j.err
	case !careful && j.err != nil && q.wrote:
		return errCareful
	case !careful:
		return nil
	}
	if j.err != nil {
		if err := q.sql(`ROLLBACK TO job`).run(); err != nil {
			return fmt.Errorf("roll back: %w", errors.Join(err, j.err))
		}
	}
	if err := q.sql(`RELEASE job`).run(); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// call runs a job's function. A panic is that caller's error, not the end of everybody's writer.
func (q *queries) call(fn func(store.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in update: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(q)
}
