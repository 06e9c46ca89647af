package sqlite

import (
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/mailkin/mailkin/internal/store"
)

// Sizes of the write-ahead log, in pages of 4 KiB.
const (
	// checkpointAt is how large it grows before it is copied into the database.
	checkpointAt = 4 << 10
	// restartAt is how large it may grow before the writer is held up for a moment to begin it anew: under constant
	// load, a checkpoint beside the writer never reaches the log's end.
	restartAt = 16 << 10
	// restartLeft is how much may be left to copy at that moment.
	restartLeft = 1 << 10
	// vacuumStep is how many free pages are given back at a time after deletions.
	vacuumStep = 512
)

// checkpoints keeps the write-ahead log short. It runs on a connection of its own, so that mail does not wait for it.
func (db *DB) checkpoints() {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var c *sqlite.Conn
	for {
		select {
		case <-db.dirty:
		case <-db.stopped.Done():
			closeQuietly(c)
			return
		}
		var err error
		if c == nil {
			c, err = db.connect(readerPages)
		}
		if err == nil {
			err = db.checkpoint(&queries{conn: c})
		}
		if err != nil { // a full disk, most likely: the writer's callers are told of it
			closeQuietly(c)
			c = nil
		}
		select {
		case <-tick.C:
		case <-db.stopped.Done():
		}
	}
}

// checkpoint looks at the log's size and does what it calls for.
func (db *DB) checkpoint(q *queries) error {
	size, left, err := q.walCheckpoint("NOOP")
	for tries := 0; err == nil && size > checkpointAt && left > restartLeft && tries < 4; tries++ {
		size, left, err = q.walCheckpoint("PASSIVE")
	}
	if err != nil {
		return err
	}
	if size > restartAt {
		select {
		case w := <-db.idle:
			restartLog(w)
			db.idle <- w
		case db.restart <- struct{}{}:
		case <-db.stopped.Done():
		}
	}
	return db.vacuum(q)
}

// walCheckpoint runs a checkpoint of a kind and says how many pages the log has and how many are still to be copied.
func (q *queries) walCheckpoint(kind string) (size, left int64, err error) {
	err = q.sql(`PRAGMA wal_checkpoint(` + kind + `)`).one(func(r row) { size, left = r.int(1), r.int(1)-r.int(2) })
	return size, left, err
}

// vacuum gives pages back to the file system, some at a time, after much was deleted.
func (db *DB) vacuum(q *queries) error {
	free, err := q.freePages()
	if err != nil || free < 2*vacuumStep {
		db.Vacuums.Progress()
		return err
	}
	if now := time.Now(); now.Before(db.vacuumAt) {
		return nil
	} else if wait := db.Vacuums.Found(free, "free_pages", free); wait > 0 { // what was done gave nothing back
		db.vacuumAt = now.Add(wait)
	}
	return db.Update(db.stopped, func(tx store.Tx) error {
		return tx.(*queries).sql(fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, vacuumStep)).run()
	})
}

// restartLog is run by the writer between two groups: it copies the little that is left and starts the log over. A
// reader in the way makes it try later, when the log has grown on.
func restartLog(q *queries) {
	if q.conn == nil {
		return
	}
	q.conn.SetBusyTimeout(20 * time.Millisecond)
	_, _, _ = q.walCheckpoint("RESTART")
	q.conn.SetBlockOnBusy()
}

func closeQuietly(c *sqlite.Conn) {
	if c != nil {
		_ = c.Close() // nothing was written with it
	}
}
