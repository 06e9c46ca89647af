package sqlite

import (
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
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
	// lowDiskLog is how large it may grow where little of the disk is free.
	lowDiskLog = 1 << 9
	// vacuumStep is how many free pages are given back at a time after deletions.
	vacuumStep = 512
)

// checkpoints keeps the write-ahead log short, and bytes of what was deleted out of the files (scrub.go). It runs on a
// connection of its own, so that mail does not wait for it.
func (db *DB) checkpoints() {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	scrubs := newScrubs(db.times)
	defer scrubs.timer.Stop()
	var c *sqlite.Conn
	for {
		work := db.checkpoint
		select {
		case <-db.dirty:
			scrubs.wrote(db.erased.Load())
		case <-scrubs.timer.C:
			work = func(q *queries) error { return scrubs.run(db, q) }
		case <-db.stopped.Done():
			closeQuietly(c)
			return
		}
		var err error
		if c == nil {
			c, err = db.connect(readerPages)
		}
		if err == nil {
			err = work(&queries{conn: c})
		}
		if err != nil { // a full disk, most likely: the writer's callers are told of it
			closeQuietly(c)
			c = nil
		} else if db.logBounds().restartAt == lowDiskLog {
			continue // the log would take what is left of the disk meanwhile
		}
		select {
		case <-tick.C:
		case <-db.stopped.Done():
		}
	}
}

// checkpoint looks at the log's size and does what it calls for.
func (db *DB) checkpoint(q *queries) error {
	bounds := db.logBounds()
	size, err := q.copyLog(bounds.copyAt)
	if err != nil {
		return err
	}
	if size > bounds.restartAt {
		db.restartLog(bounds.restart)
	}
	return db.vacuum(q)
}

// logBounds are how large the log may grow, in pages, and how it is begun anew.
type logBounds struct {
	copyAt, restartAt int64
	restart           string
}

// logBounds gives the bounds for the disk as it is: where the log could take all that is left of it, and deletions would
// fail, it is kept short, and gives its space back.
func (db *DB) logBounds() logBounds {
	var disk unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(db.path), &disk); err == nil && int64(disk.Bavail)*int64(disk.Bsize) < restartAt*4<<10 {
		return logBounds{lowDiskLog / 2, lowDiskLog, "TRUNCATE"}
	}
	return logBounds{checkpointAt, restartAt, "RESTART"}
}

// copyLog copies a log that is longer than that into the database, beside the writer, and gives its length.
func (q *queries) copyLog(longer int64) (size int64, err error) {
	size, left, err := q.walCheckpoint("NOOP")
	for tries := 0; err == nil && size > longer && left > restartLeft && tries < 4; tries++ {
		size, left, err = q.walCheckpoint("PASSIVE")
	}
	return size, err
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
	return db.vacuumSome()
}

// vacuumSome gives one step's pages back.
func (db *DB) vacuumSome() error {
	return db.Update(db.stopped, func(tx store.Tx) error {
		return tx.(*queries).sql(fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, vacuumStep)).run()
	})
}

// restart asks the writer to begin the log anew.
type restart struct {
	mode string    // RESTART, or TRUNCATE to give its space back, too
	done chan bool // buffered
}

// restartLog has the log begun anew by whoever has the writing connection. False: a reader is in the way.
func (db *DB) restartLog(mode string) bool {
	r := restart{mode: mode, done: make(chan bool, 1)}
	select {
	case w := <-db.idle:
		defer func() { db.idle <- w }()
		return restartLog(w, mode)
	case db.restart <- r:
		return <-r.done
	case <-db.stopped.Done():
		return false
	}
}

// restartLog is run by the writer between two groups: it copies the little that is left and starts the log over. A
// reader in the way makes it try later.
func restartLog(q *queries, mode string) bool {
	if q.conn == nil {
		return false
	}
	q.conn.SetBusyTimeout(20 * time.Millisecond)
	defer q.conn.SetBlockOnBusy()
	busy := true
	err := q.sql(`PRAGMA wal_checkpoint(` + mode + `)`).one(func(r row) { busy = r.bool(0) })
	return err == nil && !busy
}

func closeQuietly(c *sqlite.Conn) {
	if c != nil {
		_ = c.Close() // nothing was written with it
	}
}
