package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

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
	writer  *queries
	pool    chan *sqlite.Conn
	closing sync.Once
}

var _ store.Index = (*Index)(nil)

// indexVersion is that of the tables and of what is in them. A file of another version is thrown away.
const indexVersion = 1

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
`

// OpenIndex opens the index in a file, and makes it where it is not there, or not of this version.
func OpenIndex(path string) (*Index, error) {
	x := &Index{path: path, pool: make(chan *sqlite.Conn, max(4, runtime.GOMAXPROCS(0)))}
	version, err := x.open()
	if err == nil && version != indexVersion {
		if err = errors.Join(x.writer.conn.Close(), x.remove()); err == nil {
			_, err = x.open()
		}
		if err == nil {
			err = sqlitex.ExecuteScript(x.writer.conn, fmt.Sprintf("%s\nPRAGMA user_version = %d;", indexTables, indexVersion), nil)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	for range cap(x.pool) {
		x.pool <- nil // opened when first needed
	}
	return x, nil
}

func (x *Index) remove() error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(x.path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (x *Index) open() (version int, err error) {
	f, err := os.OpenFile(x.path, os.O_CREATE|os.O_RDWR, 0o600) // nobody else's to read
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return 0, err
	}
	c, err := x.connect(`PRAGMA page_size = 8192`, `PRAGMA auto_vacuum = INCREMENTAL`)
	if err != nil {
		return 0, err
	}
	x.writer = &queries{conn: c}
	return sqlitex.ResultInt(c.Prep(`PRAGMA user_version`))
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
		errs := []error{x.writer.conn.Close()}
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
		var err error
		if c, err = x.connect(); err != nil {
			x.pool <- nil
			return err
		}
	}
	defer func() { x.pool <- c }()
	return explain(fn(&queries{conn: c}))
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

func (x *Index) Unmerged(ctx context.Context, limit int) (list []mailbox.Num, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT box FROM unmerged LIMIT ?+0`).int(int64(limit)).each(func(r row) error {
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
	q := x.writer
	if err := q.sql(`BEGIN IMMEDIATE`).run(); err != nil {
		return explain(err)
	}
	err := fn(indexTx{q})
	if err == nil {
		err = q.sql(`COMMIT`).run()
	}
	if err != nil {
		_ = q.sql(`ROLLBACK`).run() // the error is the first one
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
		return t.q.sql(`INSERT OR IGNORE INTO unmerged VALUES (?)`).int(int64(num)).run()
	}
	for _, sql := range []string{`DELETE FROM segments WHERE box = ?`, `DELETE FROM blocks WHERE box = ?`, `DELETE FROM dropped WHERE box = ?`,
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
