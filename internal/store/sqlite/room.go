package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/store/rows"
)

// A log can only be emptied while its pages have room in the file: on a full disk a log of new pages is there to stay,
// and then nothing can be deleted either. So a file grows no further, in its log, than the disk has room to copy it,
// and where little is free it has that room before the commit.
//
// The index never takes the rest of a disk. All that is in it can be made again from the messages, so it is given up
// where the store would have no room to delete mail.

const (
	// plentyDisk is so much free disk that no transaction can take it all, and littleDisk so little that each begins
	// with an empty log, if it can.
	plentyDisk = 256 << 20
	littleDisk = 16 << 20
	// reservePart is the part of a disk that the index leaves free for deletions, up to reserveMost.
	reservePart = 64
	reserveMost = 64 << 20
	// noBound is the largest number of pages that SQLite knows.
	noBound = 1<<32 - 2
	// keptLog is how much of the disk the log of the store keeps when it is empty: enough for deletions, however full
	// the disk is.
	keptLog = 512 << 10
	// sharedMap is what a store takes of the disk besides the log when it is opened: SQLite's map of the log.
	sharedMap = 64 << 10
	// emptyIndex is how much of the disk an index without messages takes, with its log.
	emptyIndex = 512 << 10
	// lookEvery is how long a look at the disk is good for where more than roomyDisk is free, which is more than can be
	// taken within that time.
	lookEvery = 200 * time.Millisecond
	roomyDisk = 1 << 30
)

// file is a database file and what it still needs of the disk.
type file struct {
	path     string
	pageSize int64
	log      int64        // how many bytes the log keeps of the disk, also when it is empty
	opened   *os.File     // or nil; closed after every connection, because closing it ends their locks
	pages    atomic.Int64 // that it has, with those in the log; 0: that is not known yet

	copying sync.Mutex // held while the log is copied: who comes second is refused by SQLite, and does not wait

	// of the last look at the disk, for its writer alone
	looked      time.Time
	free, total int64
	news        bool // it was made for the transaction that runs
}

// look looks at the disk for a transaction, or leaves it at the look of a moment ago.
func (f *file) look() {
	now := time.Now()
	if f.news = f.free < roomyDisk || now.Sub(f.looked) >= lookEvery || now.Before(f.looked); f.news {
		f.looked = now
		f.free, f.total = diskOf(f.path)
	}
}

// owed is how much more of the disk the file takes when the log is copied into it.
func (f *file) owed() int64 { return max(0, f.pages.Load()*f.pageSize-allocated(f.path)) }

// claim has the file system keep room for the pages that the transaction adds to the file, before it is committed.
func (f *file) claim(pages int64) error {
	if !f.news || f.opened == nil {
		return nil
	}
	size := sizeOf(f.path)
	if pages*f.pageSize <= size {
		return nil
	}
	if err := keepRoom(f.opened, size, pages*f.pageSize-size); errors.Is(err, unix.ENOSPC) {
		return sqlite.ResultFull.ToError()
	}
	return nil // a file system that cannot do it is left at the bound
}

// bound keeps the transaction that has just begun from growing the file by more than the disk has room for: in the log,
// then in the file, with so much left. It fails as on a full disk.
func (f *file) bound(q *queries, leave func(total int64) int64) error {
	f.look()
	most := int64(noBound)
	if f.free < plentyDisk {
		// A quarter is for pages that change and do not grow the file. SQLite takes no less for it than the file has.
		most = (sizeOf(f.path) + max(0, f.free-leave(f.total))*3/8) / f.pageSize
	}
	if most == q.mostPages {
		return nil
	}
	q.mostPages = most
	return sqlitex.ExecuteTransient(q.conn, fmt.Sprintf(`PRAGMA max_page_count = %d`, most), nil)
}

// count returns how many pages the file will have, before the commit: as many as at the last look where much is free.
func (f *file) count(q *queries) (int64, error) {
	if !f.news {
		return f.pages.Load(), nil
	}
	return pageCount(q)
}

func pageCount(q *queries) (int64, error) {
	return one(q.sql(`PRAGMA page_count`), rows.Int)
}

// prepare copies the log into the file, and empties it, where later there may be no room for that.
func (f *file) prepare(q *queries) {
	if f.free >= roomyDisk {
		return // as it was at the last look
	}
	if free, _ := diskOf(f.path); free < littleDisk && f.pages.Load()*f.pageSize > sizeOf(f.path) {
		f.restartLog(q, f.shortening(), restartWait) // where a reader is in the way, as much as possible is copied
	}
}

const (
	// restartWait is how long the writer waits for a reader before it tries later, and fullWait where it cannot go on.
	restartWait = 20 * time.Millisecond
	fullWait    = time.Second
)

// restartLog is run by the writer between two groups: it copies the little that is left and starts the log over. A
// reader in the way makes it try later.
func (f *file) restartLog(q *queries, mode string, wait time.Duration) bool {
	if q.conn == nil {
		return false
	}
	f.copying.Lock()
	defer f.copying.Unlock()
	q.conn.SetBusyTimeout(wait)
	defer q.conn.SetBlockOnBusy()
	busy := true
	err := q.sql(`PRAGMA wal_checkpoint(` + mode + `)`).one(func(r row) { busy = r.Bool(0) })
	if err == nil && !busy && mode == "TRUNCATE" {
		f.reserve()
	}
	return err == nil && !busy
}

// shortening is the way to restart the log that gives back what it takes of the disk above what it keeps. Nothing is
// given back where that is all: in the moment until it is reserved again, others may take it.
func (f *file) shortening() string {
	if sizeOf(f.path+"-wal") <= f.log {
		return "RESTART"
	}
	return "TRUNCATE"
}

// reserve has the file system keep room for the log, where it can do that. It is not needed then, so its error is none.
func (f *file) reserve() {
	if f.log == 0 {
		return
	}
	if log, err := os.OpenFile(f.path+"-wal", os.O_RDWR, 0); err == nil {
		f.keepMost(log, f.log)
	}
}

// leaveRoom puts a file in the place of the log's room while the store is closed, where little of the disk is free: the
// next start needs some. takeRoom removes it.
func (f *file) leaveRoom() {
	if free, _ := diskOf(f.path); free > littleDisk {
		return
	}
	if room, err := os.OpenFile(f.path+"-room", os.O_CREATE|os.O_RDWR, 0o600); err == nil {
		f.keepMost(room, f.log+sharedMap)
	}
}

// keepMost has the file system keep a given number of bytes for a file, or as many as there are, and closes it.
func (f *file) keepMost(to *os.File, n int64) {
	for n >= f.pageSize && keepRoom(to, 0, n) != nil {
		n -= n / 4
	}
	_ = to.Close()
}

func (f *file) takeRoom() { _ = os.Remove(f.path + "-room") } // there is seldom one

// Owed is how many bytes of the disk the store still takes for what it has committed.
func (db *DB) Owed() int64 { return db.file.owed() }

// Owed is the same for the index.
func (x *Index) Owed() int64 { return x.disk.owed() }

// size is how many bytes the file and its log take up.
func (f *file) size() (bytes int64, err error) {
	for _, path := range []string{f.path, f.path + "-wal"} {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return 0, err
		default:
			bytes += info.Size()
		}
	}
	return bytes, nil
}

// Size is how many bytes the store takes up on the disk.
func (db *DB) Size(context.Context) (int64, error) { return db.file.size() }

// Size is the same for the index; 0: it was not needed yet.
func (x *Index) Size(context.Context) (int64, error) { return x.disk.size() }

// logIsLong tells whether the log takes much of what is left of the disk, and should give that back.
func (x *Index) logIsLong() bool {
	log, free := logAndFree(x.path)
	return log > free/8
}

// logFills tells whether the disk would be all but full when the log is copied into the file.
func (x *Index) logFills() bool {
	log, free := logAndFree(x.path)
	return log > free/2
}

// noRoom tells whether the disk is too full to begin an index.
func (x *Index) noRoom() bool {
	free, total := diskOf(x.path)
	return free < reserve(total)+emptyIndex
}

// GiveUp throws the index away, so that the store has the room. It is made again when there is room for it. False:
// there was nothing to give, or it is in use right now.
func (x *Index) GiveUp() bool {
	select {
	case x.writing <- struct{}{}:
		defer func() { <-x.writing }()
	default:
		return false
	}
	x.gate.Lock()
	defer x.gate.Unlock()
	if x.closed || sizeOf(x.path)+sizeOf(x.path+"-wal") == 0 {
		return false
	}
	if x.writer != nil {
		closeQuietly(x.writer.conn)
		x.writer = nil
	}
	x.forget()
	x.pool.each(func(r *reader) { // a file that is open takes room
		closeQuietly(r.conn)
		r.conn = nil
	})
	return RemoveIndex(x.path) == nil
}

// MakeRoom removes an index that is not open where it would leave less than that of the disk free, or next to nothing:
// what is left is for the store, without which there is nothing.
func MakeRoom(index string, leave uint64) error {
	log, free := logAndFree(index)
	_, total := diskOf(index)
	if free >= log+max(int64(min(leave, 1<<62)), reserve(total)) {
		return nil
	}
	return RemoveIndex(index)
}

// nothing is what the store leaves free of a disk.
func nothing(int64) int64 { return 0 }

// reserve is how much of a disk of a size the index leaves free.
func reserve(total int64) int64 { return min(total/reservePart, reserveMost) }

// logAndFree returns the length of an index's log, and how much of the disk is free.
func logAndFree(index string) (log, free int64) {
	free, _ = diskOf(index)
	return sizeOf(index + "-wal"), free
}

// diskOf returns how much of the disk of a file is free, and its size.
func diskOf(path string) (free, total int64) {
	var disk unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(path), &disk); err != nil {
		return 1 << 62, 1 << 62 // nothing is known against it
	}
	return int64(disk.Bavail) * int64(disk.Bsize), int64(disk.Blocks) * int64(disk.Bsize)
}

// allocated is how much of the disk a file takes.
func allocated(path string) int64 {
	var f unix.Stat_t
	if err := unix.Stat(path, &f); err != nil {
		return 0
	}
	return max(f.Size, f.Blocks*512)
}

func sizeOf(path string) int64 {
	f, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return f.Size()
}
