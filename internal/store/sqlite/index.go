package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/blockcache"
)

// Index is the file with the words of messages. It is derived from the store and not as durable: a power cut may take
// its last updates, together with the note how far it had come, so that they are made again.
type Index struct {
	path    string
	disk    file
	writing chan struct{} // held by whoever writes
	pool    *pool[reader]
	closing sync.Once

	cache atomic.Pointer[blockcache.Cache] // of the file that there is

	gate   sync.Mutex // of what follows
	writer *queries   // nil: it is not open
	file   int        // how often it was rebuilt: connections to an earlier one are of no use
	closed bool
}

// reader is a connection that reads; nil until it is needed.
type reader struct {
	conn *sqlite.Conn
	file int
}

var (
	_ store.ScrubIndex = (*Index)(nil)
	_ store.IndexTx    = indexTx{}
)

// indexVersion is that of the tables and of what is in them. A file of another version is thrown away.
const indexVersion = 3

const indexTables = `
CREATE TABLE progress (place INTEGER NOT NULL, segment INTEGER NOT NULL);
INSERT INTO progress VALUES (0, 0);
CREATE TABLE segments (
  box INTEGER NOT NULL, id INTEGER NOT NULL, docs INTEGER NOT NULL, blocks INTEGER NOT NULL, min_seq INTEGER NOT NULL,
  max_seq INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (box, id)
) WITHOUT ROWID;
CREATE TABLE blocks (box INTEGER NOT NULL, segment INTEGER NOT NULL, n INTEGER NOT NULL, data BLOB NOT NULL);
CREATE UNIQUE INDEX blocks_key ON blocks (box, segment, n);
CREATE TABLE dropped (box INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (box, seq)) WITHOUT ROWID;
CREATE TABLE unmerged (box INTEGER PRIMARY KEY);
CREATE TABLE vector_progress (place INTEGER NOT NULL, model TEXT NOT NULL);
INSERT INTO vector_progress VALUES (0, '');
CREATE TABLE vectors (box INTEGER NOT NULL, seq INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (box, seq)) WITHOUT ROWID;
CREATE TABLE asked (box INTEGER PRIMARY KEY, at INTEGER NOT NULL);
CREATE TABLE renewals (box INTEGER PRIMARY KEY);
`

// OpenIndex returns the index in a file. It is opened when it is first needed, and made where it is not there, or not
// of this version: a disk that is full keeps nobody from starting, because mail does not need it.
func OpenIndex(path string) *Index {
	x := &Index{path: path, disk: file{path: path, pageSize: indexPageSize}, writing: make(chan struct{}, 1),
		pool: newPool[reader](max(4, runtime.GOMAXPROCS(0)))}
	x.cache.Store(blockcache.New(blockCache))
	return x
}

// ready opens the index if that is not done, and returns the connection that writes and which file it is.
func (x *Index) ready() (*queries, int, error) {
	x.gate.Lock()
	defer x.gate.Unlock()
	if x.closed {
		return nil, 0, store.ErrClosed
	}
	if x.writer != nil {
		return x.writer, x.file, nil
	}
	if sizeOf(x.path) == 0 && x.noRoom() {
		return nil, 0, errNoRoom
	}
	q, version, err := x.open()
	if unreadable(err) || err == nil && version != indexVersion {
		if q != nil {
			closeQuietly(q.conn)
		}
		q, err = x.makeAnew()
	}
	if err != nil {
		return nil, 0, fmt.Errorf("open %s: %w", x.path, explain(err))
	}
	x.writer = q
	return q, x.file, nil
}

var (
	errBroken = errors.New("the file of the index is broken")
	errNoRoom = fmt.Errorf("%w: too little free disk to begin an index", store.ErrFull)
)

// unreadable tells whether the file is no index at all, or a broken one.
func unreadable(err error) bool {
	if errors.Is(err, errBroken) {
		return true
	}
	code := sqlite.ErrCode(err).ToPrimary()
	return err != nil && (code == sqlite.ResultCorrupt || code == sqlite.ResultNotADB)
}

// makeAnew throws the file away and makes an empty index.
func (x *Index) makeAnew() (*queries, error) {
	x.forget()
	if err := RemoveIndex(x.path); err != nil {
		return nil, err
	}
	q, _, err := x.open()
	if err != nil {
		return nil, err
	}
	if err := sqlitex.ExecuteScript(q.conn, fmt.Sprintf("%s\nPRAGMA user_version = %d;", indexTables, indexVersion),
		nil); err != nil {
		closeQuietly(q.conn)
		return nil, err
	}
	return q, nil
}

// forget lets nobody use what is known of the file that there was.
func (x *Index) forget() {
	x.file++
	x.disk.pages.Store(0)
	x.cache.Store(blockcache.New(blockCache)) // the segments of the next are counted from 1 again
}

// reopen closes the connection that writes after an error that it does not get over. A file that is broken is thrown
// away: it is made again from the messages.
func (x *Index) reopen(err error) {
	x.gate.Lock()
	defer x.gate.Unlock()
	if x.writer != nil {
		closeQuietly(x.writer.conn)
		x.writer = nil
	}
	if unreadable(err) && !x.closed {
		if q, err := x.makeAnew(); err == nil {
			x.writer = q
		}
	}
}

// RemoveIndex removes the files of an index that is not open.
func RemoveIndex(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (x *Index) open() (q *queries, version int, err error) {
	f, err := os.OpenFile(x.path, os.O_CREATE|os.O_RDWR, 0o600) // nobody else's to read
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, 0, err
	}
	c, err := x.connect(writerCache, layoutOf(x.path, indexPageSize)...)
	if err != nil {
		return nil, 0, err
	}
	if version, err = sqlitex.ResultInt(c.Prep(`PRAGMA user_version`)); err != nil {
		closeQuietly(c)
		return nil, 0, err
	}
	return newQueries(c), version, nil
}

const indexPageSize = 8192

// blockCache is how many bytes of blocks that were read last are kept: who searches asks the same again, or the next
// page of it.
const blockCache = 8 << 20

// Caches in KiB. Every reader has one, and what it reads are mostly blocks, which fill several pages and are kept by
// themselves.
const (
	writerCache = 2000
	readerCache = 1000
)

func (x *Index) connect(cache int, first ...string) (*sqlite.Conn, error) {
	c, err := sqlite.OpenConn(x.path, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		return nil, err
	}
	c.SetBlockOnBusy()
	for _, p := range append(first, `PRAGMA journal_mode = WAL`, `PRAGMA synchronous = NORMAL`,
		`PRAGMA wal_autocheckpoint = 4000`,
		`PRAGMA secure_delete = FAST`, `PRAGMA temp_store = MEMORY`, fmt.Sprintf(`PRAGMA cache_size = -%d`, cache)) {
		if err := sqlitex.ExecuteTransient(c, p, nil); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", p, err), c.Close())
		}
	}
	return c, nil
}

// Close ends the index when the update under way is done.
func (x *Index) Close() (err error) {
	x.closing.Do(func() {
		x.writing <- struct{}{}
		defer func() { <-x.writing }()
		x.gate.Lock()
		defer x.gate.Unlock()
		x.closed = true
		if x.logFills() {
			return // the last to close would copy the log; the system closes them when the process ends
		}
		var errs []error
		if x.writer != nil {
			errs = append(errs, x.writer.conn.Close())
		}
		x.writer = nil
		x.pool.drain(func(r reader) {
			if r.conn != nil {
				errs = append(errs, r.conn.Close())
			}
		})
		err = errors.Join(errs...)
	})
	return err
}

// read runs fn on a connection of the pool.
func (x *Index) read(ctx context.Context, fn func(q *queries) error) error {
	select {
	case <-x.pool.slots:
	case <-ctx.Done():
		return ctx.Err()
	}
	r := x.pool.take()
	defer func() { x.giveBack(r) }()
	_, file, err := x.ready()
	if r.conn != nil && (err != nil || r.file != file) {
		closeQuietly(r.conn)
		r.conn = nil
	}
	if err != nil {
		return err
	}
	if r.conn == nil {
		if r.conn, err = x.connect(readerCache); err != nil {
			return explain(err)
		}
		r.file = file
	}
	err = fn(newQueries(r.conn))
	if isBroken(err) {
		closeQuietly(r.conn)
		r.conn = nil
	}
	if unreadable(err) {
		x.condemn(ctx, file)
	}
	return explain(err)
}

// giveBack gives a reader back to the pool; without its connection, where the file was given up meanwhile.
func (x *Index) giveBack(r reader) {
	x.gate.Lock()
	if r.conn != nil && r.file != x.file {
		closeQuietly(r.conn)
		r.conn = nil
	}
	x.pool.put(r) // before the gate opens: the goroutine that gives the file up finds it
	x.gate.Unlock()
	x.pool.slots <- struct{}{}
}

// condemn throws a file away that a reader found to be broken, when no update is under way. The goroutine that finds
// that first does it.
func (x *Index) condemn(ctx context.Context, file int) {
	select {
	case x.writing <- struct{}{}:
		defer func() { <-x.writing }()
	case <-ctx.Done():
		return
	}
	if _, now, err := x.ready(); err == nil && now == file {
		x.reopen(errBroken)
	}
}
