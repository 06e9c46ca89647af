package sqlite

import (
	"context"
	"fmt"

	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	// scrubStep is how many free pages are given back in one step: the indexer waits for no more than that.
	scrubStep = 2000
	// scrubRoom is what a step takes of the disk for each of them, in the log: the page that takes its place, and the
	// map.
	scrubRoom = 3 * indexPageSize
)

// Scrub gives back some of the pages that deleted blocks were in, and at last empties the log. Most of what is deleted
// was merged into something else, many times a day; so it is not written over when it goes, which would cost as much as
// writing it, but all at once now and then.
func (x *Index) Scrub(ctx context.Context, room int64) (more bool, err error) {
	select {
	case x.writing <- struct{}{}:
		defer func() { <-x.writing }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	q, _, err := x.ready()
	if err != nil {
		return false, err
	}
	before, err := q.freePages()
	if room < scrubStep*scrubRoom && err == nil { // what is in the log goes to the file first, and its room comes back
		if x.disk.owed() > room {
			return false, nil
		}
		err = q.sql(`PRAGMA wal_checkpoint(TRUNCATE)`).run()
	}
	if step := min(scrubStep, room/scrubRoom); err == nil && before > 0 && step > 0 {
		err = q.sql(fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, step)).run()
	}
	left := int64(0)
	if err == nil {
		left, err = q.freePages()
	}
	if err == nil {
		var pages int64
		pages, err = pageCount(q)
		x.disk.pages.Store(pages)
	}
	more = left > 0 && left < before
	if err == nil && !more { // a reader in the way is asked to leave once more with the next step
		more = !x.disk.restartLog(q, "TRUNCATE", fullWait)
	}
	if isBroken(err) {
		x.reopen(err)
	}
	return more, explain(err)
}

const (
	// freePart is the part of the file that may be free while it is written to, freeLeast how many pages are not worth
	// giving back, and freeStep how many of the others an update gives back.
	freePart, freeLeast, freeStep = 16, 256, 256
)

// keepFew gives back free pages that are too many, a few in each update that is about to be committed: else the file
// would keep the size of its fullest moment until the next scrub, where mail comes and goes.
func (q *queries) keepFew() error {
	free, err := q.freePages()
	if err != nil || free <= freeLeast {
		return err
	}
	pages, err := one(q.sql(`PRAGMA page_count`), rows.Int)
	if err != nil {
		return err
	}
	extra := min(free-max(pages/freePart, freeLeast), freeStep)
	if extra <= 0 {
		return nil
	}
	return sqlitex.ExecuteTransient(q.conn, fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, extra), nil)
}

func (q *queries) freePages() (int64, error) {
	return one(q.sql(`PRAGMA freelist_count`), rows.Int)
}
