package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Index is the file with the words of messages. It is derived from the store and not as durable: a power cut may take its last
// updates, together with the note how far it had come, so that they are made again.
type Index struct {
	path    string
	mu      sync.Mutex // held by who writes
	pool    chan *sqlite.Conn
	closing sync.Once

	gate   sync.Mutex // of what follows
	writer *queries   // nil: it is not open
	closed bool
}

var _ store.Index = (*Index)(nil)

// indexVersion is that of the tables and of what is in them. A file of another version is thrown away.
const indexVersion = 2

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
`

// OpenIndex gives the index in a file. It is opened when it is first needed, and made where it is not there, or not of this version:
// a disk that is full keeps nobody from starting, because mail does not need it.
func OpenIndex(path string) *Index {
	x := &Index{path: path, pool: make(chan *sqlite.Conn, max(4, runtime.GOMAXPROCS(0)))}
	for range cap(x.pool) {
		x.pool <- nil // opened when first needed
	}
	return x
}

// ready opens the index if that is not done, and gives the connection that writes.
func (x *Index) ready() (*queries, error) {
	x.gate.Lock()
	defer x.gate.Unlock()
	if x.closed {
		return nil, store.ErrClosed
	}
	if x.writer != nil {
		return x.writer, nil
	}
	q, version, err := x.open()
	if unreadable(err) || err == nil && version != indexVersion {
		if q != nil {
			closeQuietly(q.conn)
		}
		q, err = x.makeAnew()
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", x.path, explain(err))
	}
	x.writer = q
	return q, nil
}

// unreadable tells whether the file is no index at all, or a broken one.
func unreadable(err error) bool {
	code := sqlite.ErrCode(err).ToPrimary()
	return err != nil && (code == sqlite.ResultCorrupt || code == sqlite.ResultNotADB)
}

// makeAnew throws the file away and makes an empty index.
func (x *Index) makeAnew() (*queries, error) {
	if err := x.remove(); err != nil {
		return nil, err
	}
	q, _, err := x.open()
	if err != nil {
		return nil, err
	}
	if err := sqlitex.ExecuteScript(q.conn, fmt.Sprintf("%s\nPRAGMA user_version = %d;", indexTables, indexVersion), nil); err != nil {
		closeQuietly(q.conn)
		return nil, err
	}
	return q, nil
}

// reopen closes the connection that writes after an error that it does not get over.
func (x *Index) reopen() {
	x.gate.Lock()
	defer x.gate.Unlock()
	if x.writer != nil {
		closeQuietly(x.writer.conn)
		x.writer = nil
	}
}

func (x *Index) remove() error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(x.path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
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
	c, err := x.connect(`PRAGMA page_size = 8192`, `PRAGMA auto_vacuum = INCREMENTAL`)
	if err != nil {
		return nil, 0, err
	}
	if version, err = sqlitex.ResultInt(c.Prep(`PRAGMA user_version`)); err != nil {
		closeQuietly(c)
		return nil, 0, err
	}
	return &queries{conn: c}, version, nil
}

func (x *Index) connect(first ...string) (*sqlite.Conn, error) {
	c, err := sqlite.OpenConn(x.path, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		return nil, err
	}
	c.SetBlockOnBusy()
	for _, p := range append(first, `PRAGMA journal_mode = WAL`, `PRAGMA synchronous = NORMAL`, `PRAGMA wal_autocheckpoint = 4000`,
		`PRAGMA secure_delete = ON`, `PRAGMA temp_store = MEMORY`, `PRAGMA cache_size = -4000`) {
		if err := sqlitex.ExecuteTransient(c, p, nil); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", p, err), c.Close())
		}
	}
	return c, nil
}

// Close ends the index when the update under way is done.
func (x *Index) Close() (err error) {
	x.closing.Do(func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.gate.Lock()
		defer x.gate.Unlock()
		x.closed = true
		var errs []error
		if x.writer != nil {
			errs = append(errs, x.writer.conn.Close())
		}
		x.writer = nil
		for range cap(x.pool) {
			if c := <-x.pool; c != nil {
				errs = append(errs, c.Close())
			}
		}
		err = errors.Join(errs...)
	})
	return err
}

// read runs fn on a connection of the pool.
func (x *Index) read(ctx context.Context, fn func(q *queries) error) error {
	var c *sqlite.Conn
	select {
	case c = <-x.pool:
	case <-ctx.Done():
		return ctx.Err()
	}
	if c == nil {
		_, err := x.ready()
		if err == nil {
			c, err = x.connect()
		}
		if err != nil {
			x.pool <- nil
			return explain(err)
		}
	}
	err := fn(&queries{conn: c})
	if isBroken(err) {
		closeQuietly(c)
		c = nil
	}
	x.pool <- c
	return explain(err)
}

func (x *Index) Place(ctx context.Context) (place int64, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT place FROM progress`).one(func(r row) { place = r.int(0) })
	})
	return place, err
}

func (x *Index) Segments(ctx context.Context, num mailbox.Num) (list []store.Segment, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT id, docs, blocks, min_seq, max_seq, bytes,
			(SELECT count(*) FROM dropped d WHERE d.box = ?1 AND d.seq BETWEEN min_seq AND max_seq) FROM segments WHERE box = ?1 ORDER BY id`).
			int(int64(num)).each(func(r row) error {
			list = append(list, store.Segment{Mailbox: num, ID: r.int(0), Docs: int(r.int(1)), Blocks: int(r.int(2)), MinSeq: r.int(3),
				MaxSeq: r.int(4), Bytes: r.int(5), Dropped: int(r.int(6))})
			return nil
		})
	})
	return list, err
}

func (x *Index) Block(ctx context.Context, num mailbox.Num, segment int64, n int) (data []byte, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT data FROM blocks WHERE box = ? AND segment = ? AND n = ?`).int(int64(num)).int(segment).int(int64(n)).
			one(func(r row) { data = r.blob(0) })
	})
	return data, err
}

func (x *Index) Dropped(ctx context.Context, num mailbox.Num) (seqs map[int64]bool, err error) {
	seqs = make(map[int64]bool)
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT seq FROM dropped WHERE box = ?`).int(int64(num)).each(func(r row) error { seqs[r.int(0)] = true; return nil })
	})
	return seqs, err
}

func (x *Index) DroppedIn(ctx context.Context) (list []mailbox.Num, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT DISTINCT box FROM dropped`).each(func(r row) error {
			list = append(list, mailbox.Num(r.int(0)))
			return nil
		})
	})
	return list, err
}

func (x *Index) Unmerged(ctx context.Context, limit int) (list []mailbox.Num, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT box FROM unmerged LIMIT ?+0`).int(int64(limit)).each(func(r row) error {
			list = append(list, mailbox.Num(r.int(0)))
			return nil
		})
	})
	return list, err
}

func (x *Index) VectorPlace(ctx context.Context) (place int64, model string, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT place, model FROM vector_progress`).one(func(r row) { place, model = r.int(0), r.text(1) })
	})
	return place, model, err
}

func (x *Index) Vectors(ctx context.Context, num mailbox.Num, each func(seq int64, vector []byte) error) error {
	return x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT seq, data FROM vectors WHERE box = ?`).int(int64(num)).each(func(r row) error { return each(r.int(0), r.blob(1)) })
	})
}

func (x *Index) Asked(ctx context.Context, since time.Time) (list []mailbox.Num, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT box FROM asked WHERE at >= ?`).time(since).each(func(r row) error {
			list = append(list, mailbox.Num(r.int(0)))
			return nil
		})
	})
	return list, err
}

// Update runs fn in a transaction. One after the other: there is one indexer.
func (x *Index) Update(ctx context.Context, fn func(store.IndexTx) error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	q, err := x.ready()
	if err != nil {
		return err
	}
	if err := q.sql(`BEGIN IMMEDIATE`).run(); err != nil {
		return explain(err)
	}
	if err = fn(indexTx{q}); err == nil {
		err = q.sql(`COMMIT`).run()
	}
	if err != nil {
		_ = q.sql(`ROLLBACK`).run() // the error is the first one
	}
	if isBroken(err) {
		x.reopen()
	}
	return explain(err)
}

type indexTx struct{ q *queries }

func (t indexTx) SetPlace(place int64) error {
	return t.q.sql(`UPDATE progress SET place = ?`).int(place).run()
}

func (t indexTx) NewSegment() (id int64, err error) {
	if err := t.q.sql(`UPDATE progress SET segment = segment + 1`).run(); err != nil {
		return 0, err
	}
	err = t.q.sql(`SELECT segment FROM progress`).one(func(r row) { id = r.int(0) })
	return id, err
}

func (t indexTx) PutBlock(num mailbox.Num, segment int64, n int, data []byte) error {
	return t.q.sql(`INSERT INTO blocks (box, segment, n, data) VALUES (?,?,?,?)`).int(int64(num)).int(segment).int(int64(n)).blob(data).run()
}

func (t indexTx) PutSegment(s store.Segment) error {
	err := t.q.sql(`INSERT INTO segments (box, id, docs, blocks, min_seq, max_seq, bytes) VALUES (?,?,?,?,?,?,?)`).
		int(int64(s.Mailbox)).int(s.ID).int(int64(s.Docs)).int(int64(s.Blocks)).int(s.MinSeq).int(s.MaxSeq).int(s.Bytes).run()
	if err != nil {
		return err
	}
	return t.q.sql(`INSERT OR IGNORE INTO unmerged VALUES (?)`).int(int64(s.Mailbox)).run()
}

func (t indexTx) DeleteSegment(num mailbox.Num, segment int64) error {
	if err := t.q.sql(`DELETE FROM segments WHERE box = ? AND id = ?`).int(int64(num)).int(segment).run(); err != nil {
		return err
	}
	return t.q.sql(`DELETE FROM blocks WHERE box = ? AND segment = ?`).int(int64(num)).int(segment).run()
}

func (t indexTx) Drop(num mailbox.Num, seq int64) error {
	if seq != 0 {
		if err := t.q.sql(`INSERT OR IGNORE INTO dropped VALUES (?, ?)`).int(int64(num)).int(seq).run(); err != nil {
			return err
		}
		if err := t.q.sql(`DELETE FROM vectors WHERE box = ? AND seq = ?`).int(int64(num)).int(seq).run(); err != nil {
			return err
		}
		return t.q.sql(`INSERT OR IGNORE INTO unmerged VALUES (?)`).int(int64(num)).run()
	}
	for _, sql := range []string{`DELETE FROM vectors WHERE box = ?`, `DELETE FROM asked WHERE box = ?`, `DELETE FROM segments WHERE box = ?`, `DELETE FROM blocks WHERE box = ?`, `DELETE FROM dropped WHERE box = ?`,
		`DELETE FROM unmerged WHERE box = ?`} {
		if err := t.q.sql(sql).int(int64(num)).run(); err != nil {
			return err
		}
	}
	return nil
}

func (t indexTx) Undrop(num mailbox.Num, seqs []int64) error {
	for _, seq := range seqs {
		if err := t.q.sql(`DELETE FROM dropped WHERE box = ? AND seq = ?`).int(int64(num)).int(seq).run(); err != nil {
			return err
		}
	}
	return nil
}

func (t indexTx) Merged(num mailbox.Num) error {
	return t.q.sql(`DELETE FROM unmerged WHERE box = ?`).int(int64(num)).run()
}

func (t indexTx) SetVectorPlace(place int64, model string) error {
	var old string
	if err := t.q.sql(`SELECT model FROM vector_progress`).one(func(r row) { old = r.text(0) }); err != nil {
		return err
	}
	if old != model {
		if err := t.q.sql(`DELETE FROM vectors`).run(); err != nil {
			return err
		}
	}
	return t.q.sql(`UPDATE vector_progress SET place = ?, model = ?`).int(place).text(model).run()
}

func (t indexTx) PutVector(num mailbox.Num, seq int64, vector []byte) error {
	return t.q.sql(`INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)`).int(int64(num)).int(seq).blob(vector).run()
}

func (t indexTx) Ask(num mailbox.Num, at time.Time) error {
	return t.q.sql(`INSERT OR REPLACE INTO asked VALUES (?, ?)`).int(int64(num)).time(at).run()
}
