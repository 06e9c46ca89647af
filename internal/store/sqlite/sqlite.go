// Package sqlite is the embedded store: one SQLite file in the data folder.
//
// Concurrent updates share one commit (writer.go): the goroutine that has the writing connection runs the functions
// that are waiting and commits once with synchronous=FULL; so a sync costs the same for one mail as for fifty. Reads
// use a pool of connections and never wait for the writer. Checkpoints run on a connection of their own
// (checkpoint.go). On Linux, SQLite writes its log through methods of ours (vfs_linux.go).
//
// The other files are the contract of package store, noun by noun, as SQL.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// pageSize is that of a new file. A file that was made with another one keeps it.
const pageSize = 2048

// readers is how many Views run at the same time; more wait for their turn.
const readers = 8

// DB is an open store. It implements store.Store.
type DB struct {
	path string
	file file
	uri  string // the path with the way to the disk
	lock *os.File
	pool *pool[*sqlite.Conn]
	jobs chan *job

	stop    context.CancelFunc
	stopped context.Context
	loops   sync.WaitGroup
	idle    chan *queries // the writing connection, when nobody uses it
	busy    chan *queries // the same on its way to the writer goroutine
	written chan struct{} // closed when the writer has ended
	dirty   chan struct{} // something was committed
	restart chan restart  // the log must restart
	erased  atomic.Bool   // bytes of what was deleted may be in the files
	times   scrubTimes
	closing sync.Once
	payload payload

	// Vacuums watches that giving free pages back gets somewhere.
	Vacuums  background.Worker
	Scrubs   background.Worker // the same for taking what was deleted out of the files
	vacuumAt time.Time         // not before that

	// MakeRoom is asked to give up something else on the disk where it is so full that nothing can be deleted. It says
	// whether it did. It is set before the first Update.
	MakeRoom func() bool
}

var _ store.Store = (*DB)(nil)

// Open opens the store in a file, making it if it is not there, and brings its tables up to date. Only one process can
// have it open.
func Open(path string) (*DB, error) {
	return openTimed(path, usualTimes, slog.New(slog.DiscardHandler))
}

// OpenLogged is Open, and tells what it does to the tables of an older version.
func OpenLogged(path string, log *slog.Logger) (*DB, error) { return openTimed(path, usualTimes, log) }

func openTimed(path string, times scrubTimes, log *slog.Logger) (*DB, error) {
	lock, err := lockFile(path + ".lock")
	if err != nil {
		return nil, err
	}
	db := &DB{path: path, file: file{path: path, log: keptLog}, lock: lock,
		pool: newPool[*sqlite.Conn](readers), jobs: make(chan *job, 1024),
		idle: make(chan *queries, 1), busy: make(chan *queries, 1), written: make(chan struct{}),
		dirty: make(chan struct{}, 1), restart: make(chan restart), times: times}
	if err := db.open(log); err != nil {
		db.file.opened.Close()
		lock.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

func (db *DB) open(log *slog.Logger) error {
	whole, err := filepath.Abs(db.path)
	if err == nil {
		err = registerVFS()
	}
	if err != nil {
		return err
	}
	db.uri = (&url.URL{Scheme: "file", Path: whole, RawQuery: vfsQuery}).String()
	if err := makeEmpty(db.path); err != nil {
		return err
	}
	// Made here, so that it and the files next to it are nobody else's to read.
	if db.file.opened, err = os.OpenFile(db.path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return err
	}
	db.file.takeRoom()
	w, err := db.connect(writerPages, layoutOf(db.path, pageSize)...)
	if err != nil {
		return err
	}
	q := newQueries(w)
	q.payload = &db.payload
	if db.file.pageSize, err = one(q.sql(`PRAGMA page_size`), rows.Int); err != nil {
		return errors.Join(err, w.Close())
	}
	db.file.reserve()
	if err = migrate(w, db.path, migrations, log); err == nil {
		err = q.sql(`SELECT coalesce(max(doc), 0) FROM docs`).one(func(r row) { q.doc = r.Int(0) })
	}
	if err != nil {
		return errors.Join(err, w.Close())
	}
	db.stopped, db.stop = context.WithCancel(context.Background())
	db.erased.Store(true) // by the process that had it before, which may have been killed
	db.idle <- q
	db.loops.Go(db.write)
	db.loops.Go(db.checkpoints)
	return nil
}

// layoutOf is what takes effect only before the first table is made. Setting it writes a page each time, so it is for
// an empty file alone: one on a full disk must open.
func layoutOf(path string, page int) []string {
	if f, err := os.Stat(path); err == nil && f.Size() > 0 {
		return nil
	}
	return []string{fmt.Sprintf(`PRAGMA page_size = %d`, page), `PRAGMA auto_vacuum = INCREMENTAL`}
}

// pragmas set up every connection.
var pragmas = []string{
	`PRAGMA journal_mode = WAL`,
	`PRAGMA synchronous = FULL`,
	`PRAGMA wal_autocheckpoint = 0`, // checkpoint.go does it
	`PRAGMA secure_delete = FAST`,
	`PRAGMA temp_store = MEMORY`,
}

// Caches of pages in KiB, which take up to twice as much. The system keeps the whole file.
const (
	writerPages = 4000
	readerPages = 1000
)

func (db *DB) connect(cache int, first ...string) (*sqlite.Conn, error) {
	if err := stablePlans(); err != nil {
		return nil, err
	}
	c, err := sqlite.OpenConn(db.uri, sqlite.OpenReadWrite, sqlite.OpenCreate, sqlite.OpenURI)
	if err != nil {
		return nil, err
	}
	c.SetBlockOnBusy()
	for _, p := range append(append(first, pragmas...), fmt.Sprintf(`PRAGMA cache_size = -%d`, cache)) {
		if err := sqlitex.ExecuteTransient(c, p, nil); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", p, err), c.Close())
		}
	}
	for name, f := range map[string]*sqlite.FunctionImpl{
		"from_has": {NArgs: 3, Deterministic: true, Scalar: fromHas},
		"payload":  {Scalar: db.payload.value},
	} {
		if err := c.CreateFunction(name, f); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// View runs fn on a connection of the pool, inside one read transaction.
func (db *DB) View(ctx context.Context, fn func(store.Reader) error) error {
	return db.read(ctx, fn, inRead)
}

// Ask runs fn on a connection of the pool. Each statement is a transaction of its own.
func (db *DB) Ask(ctx context.Context, fn func(store.Reader) error) error {
	return db.read(ctx, fn, func(c *sqlite.Conn, fn func(store.Reader) error) error { return fn(newQueries(c)) })
}

func (db *DB) read(ctx context.Context, fn func(store.Reader) error,
	within func(*sqlite.Conn, func(store.Reader) error) error) error {
	select {
	case <-db.pool.slots:
	case <-ctx.Done():
		return ctx.Err()
	case <-db.stopped.Done():
		return store.ErrClosed
	}
	c := db.pool.take()
	if err := ctx.Err(); err != nil {
		db.pool.give(c)
		return err
	}
	if c == nil {
		var err error
		if c, err = db.connect(readerPages); err != nil {
			db.pool.give(nil)
			return explain(err)
		}
	}
	err := store.ErrClosed // of a panic, which goes on
	defer func() {
		if isBroken(err) {
			closeQuietly(c)
			c = nil
		}
		db.pool.give(c)
	}()
	err = within(c, fn)
	return explain(err)
}

// inRead runs fn between the beginning and the end of a read. It is not interrupted when its caller gives up: no read
// of ours takes long, and watching every caller would cost more than most reads.
func inRead(c *sqlite.Conn, fn func(store.Reader) error) error {
	q := newQueries(c)
	if err := q.sql(`BEGIN`).run(); err != nil {
		return err
	}
	defer func() { _ = q.sql(`ROLLBACK`).run() }() // there is nothing to undo
	return fn(q)
}

// Ping writes and syncs a row of its own, so that a disk that can no longer be written shows.
func (db *DB) Ping(ctx context.Context) error {
	return db.Update(ctx, func(tx store.Tx) error {
		return tx.(*queries).sql(`UPDATE ping SET n = n + 1`).run()
	})
}

// Close ends the store when the updates that wait are done. Closing it again does nothing.
func (db *DB) Close() (err error) {
	db.closing.Do(func() { err = db.close() })
	return err
}

func (db *DB) close() error {
	db.stop()
	db.loops.Wait()
	var errs []error
	db.pool.drain(func(c *sqlite.Conn) {
		if c != nil {
			errs = append(errs, c.Close())
		}
	})
	db.file.leaveRoom()
	return errors.Join(append(errs, db.file.opened.Close(), db.lock.Close())...)
}

// lockFile keeps a second process away from the store.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("another process is using %s: stop it, or choose another data folder",
				filepath.Dir(path))
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}

// explain turns SQLite's errors into those of the contract.
func explain(err error) error {
	if isFull(err) {
		return fmt.Errorf("%w: %w", store.ErrFull, err)
	}
	if err != nil && isBroken(err) {
		return fmt.Errorf("%w: %w", store.ErrStorage, err)
	}
	return err
}

// isBroken tells whether a connection should be reopened after this error.
func isBroken(err error) bool {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultFull, sqlite.ResultIOErr, sqlite.ResultCorrupt, sqlite.ResultNoMem, sqlite.ResultCantOpen,
		sqlite.ResultReadOnly:
		return true
	}
	return false
}
