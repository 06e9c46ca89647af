package sqlite

import (
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/store/blockcache"
)

// ReleaseMemory gives back what a burst of work has left in memory: connections that nobody uses, each with a megabyte
// of pages or more, and the pages of the one that writes. What is needed again is read again.
func (db *DB) ReleaseMemory() {
	db.pool.each(func(c **sqlite.Conn) {
		closeQuietly(*c)
		*c = nil
	})
	select {
	case w := <-db.idle:
		shrink(w)
		db.idle <- w
	default: // somebody writes
	}
}

// ReleaseMemory is the same for the index.
func (x *Index) ReleaseMemory() {
	select {
	case x.writing <- struct{}{}:
		defer func() { <-x.writing }()
	default: // somebody writes
		return
	}
	x.gate.Lock()
	defer x.gate.Unlock()
	if x.closed {
		return
	}
	x.pool.each(func(r *reader) {
		closeQuietly(r.conn)
		r.conn = nil
	})
	x.cache.Store(blockcache.New(blockCache))
	if x.writer != nil {
		shrink(x.writer)
	}
}

// shrink has a connection that nobody uses give up its pages.
func shrink(q *queries) {
	if q.conn != nil {
		_ = sqlitex.ExecuteTransient(q.conn, `PRAGMA shrink_memory`, nil) // then they stay
	}
}
