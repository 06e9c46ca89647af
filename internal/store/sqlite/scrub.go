package sqlite

import "time"

// What was deleted is not gone from the files at once: the write-ahead log has the pages as they were, and pages that
// are free keep what was in them (secure_delete=FAST). A scrub gives the free pages back and empties the log.

// scrubTimes say when that is done after something was deleted.
type scrubTimes struct {
	quiet  time.Duration // when nothing was written for so long
	within time.Duration // and at the latest
}

// usualTimes keep the promise that data is gone within the hour (API 3).
var usualTimes = scrubTimes{quiet: 5 * time.Second, within: 15 * time.Minute}

// tidyLog is how many bytes the log of a quiet store may keep where nothing was deleted.
const tidyLog = 1 << 20

// scrubs is when the next scrub is due. There is always at most one: a store that nobody writes to is left alone.
type scrubs struct {
	times   scrubTimes
	timer   *time.Timer
	latest  time.Time     // it is done by then; zero: nothing was deleted
	backoff time.Duration // after one that was not possible
}

func newScrubs(t scrubTimes) *scrubs {
	return &scrubs{times: t, timer: time.NewTimer(t.quiet)}
}

// wrote notes that something was committed, and whether something was deleted since the last scrub.
func (s *scrubs) wrote(erased bool) {
	now := time.Now()
	if erased && s.latest.IsZero() {
		s.latest = now.Add(s.times.within)
	}
	wait := max(s.times.quiet, s.backoff)
	if !s.latest.IsZero() {
		wait = min(wait, max(s.latest.Sub(now), s.backoff))
	}
	s.timer.Reset(wait)
}

// run scrubs, and tries again later where that was not possible.
func (s *scrubs) run(db *DB, q *queries) error {
	done, err := db.scrub(q)
	if done {
		db.Scrubs.Progress()
		s.latest, s.backoff = time.Time{}, 0
		return nil
	}
	s.backoff = max(db.Scrubs.NoProgress("because", "a reader that stays open, such as a backup, needs the log"),
		s.times.quiet)
	s.timer.Reset(s.backoff)
	return err
}

// scrub takes what was deleted out of the files. False: it could not be done now.
func (db *DB) scrub(q *queries) (done bool, err error) {
	erased := db.erased.Swap(false) // what is deleted from here on is for the next one
	defer func() {
		if erased && !done {
			db.erased.Store(true)
		}
	}()
	if erased {
		if err = db.deleteContents(q); err == nil {
			err = db.giveBack(q)
		}
		if err != nil {
			return false, err
		}
	}
	size, err := db.copyLog(q, 0, db.logPages(restartLeft))
	if err != nil || !erased && size <= db.logPages(tidyLog) {
		return err == nil, err
	}
	return db.restartLog("TRUNCATE"), nil
}

// giveBack gives the pages that are free back to the file system, and leaves the store to others for as long as each
// step took.
func (db *DB) giveBack(q *queries) error {
	free, err := q.freePages()
	step := db.logBounds().vacuum
	for most := free + vacuumStep; err == nil && free > 0 && most > 0 && step > 0; most -= step {
		began := time.Now()
		if err = db.vacuumSome(step); err != nil {
			break
		}
		pause := time.NewTimer(time.Since(began))
		select {
		case <-pause.C:
		case <-db.stopped.Done():
		}
		pause.Stop()
		free, err = q.freePages()
		step = db.logBounds().vacuum
	}
	return err
}
