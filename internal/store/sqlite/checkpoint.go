package sqlite

import (
	"fmt"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/store"
)

// checkpointPause is how long the log is left alone after each look. No timer runs while nothing is written.
const checkpointPause = 50 * time.Millisecond

// Sizes of the write-ahead log, in bytes.
const (
	// checkpointAt is how large it grows before it is copied into the database.
	checkpointAt = 16 << 20
	// restartAt is how large it may grow before the writer is held up for a moment to restart it: under constant
	// load, a checkpoint alongside the writer never reaches the log's end.
	restartAt = 64 << 20
	// restartLeft is how much may be left to copy at that moment.
	restartLeft = 4 << 20
	// lowDiskLog is how large it may grow where little of the disk is free, and a quarter of that at most.
	lowDiskLog = 2 << 20
)

// Free pages of the file.
const (
	// vacuumStep is how many of them are given back at a time after deletions.
	vacuumStep = 512
	// lowDiskFree is how many the file keeps where little of the disk is free.
	lowDiskFree = 1 << 4
	// vacuumRoom is how many pages each of them may take in the log until it is given back.
	vacuumRoom = 4
)

// checkpoints keeps the write-ahead log short, and bytes of what was deleted out of the files (scrub.go). It runs on a
// connection of its own, so that mail does not wait for it.
func (db *DB) checkpoints() {
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
			<-db.written // two that close at the same moment would each leave the end of the log to the other
			closeQuietly(c)
			return
		}
		var err error
		if c == nil {
			c, err = db.connect(readerPages)
		}
		if err == nil {
			err = work(newQueries(c))
		}
		if err != nil { // a full disk, most likely: the writer's callers are told of it
			closeQuietly(c)
			c = nil
		} else if db.logBounds().restartAt <= db.logPages(lowDiskLog) {
			continue // the log would take what is left of the disk meanwhile
		}
		select {
		case <-time.After(checkpointPause):
		case <-db.stopped.Done():
		}
	}
}

// checkpoint looks at the log's size and does what it calls for.
func (db *DB) checkpoint(q *queries) error {
	bounds := db.logBounds()
	size, err := db.copyLog(q, bounds.copyAt, bounds.left)
	if err != nil {
		return err
	}
	if size > bounds.restartAt {
		db.restartLog(bounds.restart)
	}
	return db.vacuum(q, bounds)
}

// logBounds are how large the log may grow, in pages, before it is copied, how much of it may be left to copy then, and
// when and how it is restarted; and how many free pages the file may have, and how many of them are given back at a
// time.
type logBounds struct {
	copyAt, left int64
	restartAt    int64
	restart      string
	vacuumAt     int64
	vacuum       int64
}

// logBounds returns the bounds for the disk as it is: where the log could take all that is left of it, and deletions
// would fail, it is kept short, gives its space back, and is copied at once: others may fill the disk in the next
// moment.
func (db *DB) logBounds() logBounds {
	if free, _ := diskOf(db.path); free < restartAt {
		log := db.logPages(max(lowDiskLog/32, min(lowDiskLog, free/4)))
		room := vacuumRoom * db.file.pageSize
		return logBounds{0, 0, log, db.file.shortening(), lowDiskFree, min(vacuumStep, (free+keptLog/2)/room)}
	}
	return logBounds{db.logPages(checkpointAt), db.logPages(restartLeft), db.logPages(restartAt), "RESTART",
		2 * vacuumStep, vacuumStep}
}

// logPages is how many pages a log of so many bytes has.
func (db *DB) logPages(bytes int64) int64 { return bytes / db.file.pageSize }

// copyLog copies a log that is longer than that into the database, all but the last pages, alongside the writer, and
// gives its length.
func (db *DB) copyLog(q *queries, longer, last int64) (size int64, err error) {
	size, left, err := q.walCheckpoint("NOOP")
	for tries := 0; err == nil && size > longer && left > last && tries < 4; tries++ {
		db.file.copying.Lock()
		size, left, err = q.walCheckpoint("PASSIVE")
		db.file.copying.Unlock()
	}
	return size, err
}

// walCheckpoint runs a checkpoint of a kind and says how many pages the log has and how many are still to be copied.
func (q *queries) walCheckpoint(kind string) (size, left int64, err error) {
	err = q.sql(`PRAGMA wal_checkpoint(` + kind + `)`).one(func(r row) { size, left = r.Int(1), r.Int(1)-r.Int(2) })
	return size, left, err
}

// vacuum gives pages back to the file system, some at a time, after much was deleted.
func (db *DB) vacuum(q *queries, bounds logBounds) error {
	free, err := q.freePages()
	if err != nil || free < bounds.vacuumAt || bounds.vacuum == 0 {
		db.Vacuums.Progress()
		return err
	}
	if now := time.Now(); now.Before(db.vacuumAt) {
		return nil
	} else if wait := db.Vacuums.Found(free, "free_pages", free); wait > 0 { // what was done gave nothing back
		db.vacuumAt = now.Add(wait)
	}
	return db.vacuumSome(bounds.vacuum)
}

// vacuumSome gives a given number of free pages back.
func (db *DB) vacuumSome(pages int64) error {
	return db.Update(store.Background(db.stopped), func(tx store.Tx) error {
		q := tx.(*queries)
		q.wrote = true
		return sqlitex.ExecuteTransient(q.conn, fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, pages), nil)
	})
}

// restart asks the writer to restart the log.
type restart struct {
	mode string    // RESTART, or TRUNCATE to give its space back, too
	done chan bool // buffered
}

// restartLog has the goroutine that has the writing connection restart the log. False: a reader is in the way.
func (db *DB) restartLog(mode string) bool {
	r := restart{mode: mode, done: make(chan bool, 1)}
	select {
	case w := <-db.idle:
		defer func() { db.idle <- w }()
		return db.file.restartLog(w, mode, restartWait)
	case db.restart <- r:
		return <-r.done
	case <-db.stopped.Done():
		return false
	}
}

func closeQuietly(c *sqlite.Conn) {
	if c != nil {
		_ = c.Close() // nothing was written with it
	}
}
