package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Import fills an empty database from another store, table by table and in pieces. How far it has come is kept in the
// database, in the table moves, with each piece: what was interrupted goes on there. As long as that table is there,
// Open refuses the database.
type Import struct {
	pool   *pgxpool.Pool
	shapes map[string]*shape
}

// errMoving is why a node does not start.
var errMoving = errors.New(`a move into this database was begun and is not done: run "mailkin move" again, or empty the database`)

// importName tells an import's connections from those of nodes.
const importName = "mailkin move"

// OpenImport opens a database to be filled, and brings its tables up to date.
func OpenImport(ctx context.Context, url string, opt Options) (*Import, error) {
	cfg, _, err := config(url, opt)
	if err != nil {
		return nil, err
	}
	cfg.MaxConns = 4
	params := cfg.ConnConfig.RuntimeParams
	for name := range params {
		if strings.HasPrefix(name, "enable_") { // whole tables are read here
			delete(params, name)
		}
	}
	if !opt.Pooler {
		params["application_name"] = importName
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db := &DB{pool: pool}
	if err = db.check(ctx); err == nil {
		err = reserve(ctx, pool)
	}
	if err == nil {
		err = migrate(ctx, pool, migrations, opt.Partitions, slog.New(slog.DiscardHandler))
	}
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open the database: %w", explain(err))
	}
	return &Import{pool: pool, shapes: make(map[string]*shape)}, nil
}

const createMoves = `CREATE TABLE moves (name text PRIMARY KEY, source text NOT NULL, key bytea, done boolean NOT NULL)`

// reserve keeps nodes off a database that has no tables yet, before any is made: one that started on it after the move
// was killed would make mailboxes of its own, and the next move would find a database that is not empty.
func reserve(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := lockTables(ctx, tx); err != nil {
			return err
		}
		used := false
		err := tx.QueryRow(ctx, `SELECT to_regclass('migrations') IS NOT NULL OR to_regclass('moves') IS NOT NULL`).
			Scan(&used)
		if err == nil && !used {
			_, err = tx.Exec(ctx, createMoves)
		}
		return err
	})
}

// Close ends it.
func (m *Import) Close() error {
	m.pool.Close()
	return nil
}

// Pool is the pool of connections, for what has tables of its own in the same database.
func (m *Import) Pool() *pgxpool.Pool { return m.pool }

// Begin marks the database as one that is being filled from a source, or finds that it is and says so. Any other than
// an empty one is refused, and one that nodes work on.
func (m *Import) Begin(ctx context.Context, source string, tables []string) (again bool, err error) {
	err = pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		if err := lockTables(ctx, tx); err != nil {
			return err
		}
		reserved, err := moving(ctx, tx)
		if err == nil && !reserved {
			_, err = tx.Exec(ctx, createMoves)
		}
		if err == nil {
			err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM moves)`).Scan(&again)
		}
		switch {
		case err != nil:
			return err
		case again:
			return goOn(ctx, tx, source)
		}
		return mark(ctx, tx, source, tables)
	})
	if err == nil {
		err = m.alone(ctx, again)
	}
	return again, explain(err)
}

// querier is a pool or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// moving tells whether the database is being filled.
func moving(ctx context.Context, q querier) (yes bool, err error) {
	err = q.QueryRow(ctx, `SELECT to_regclass('moves') IS NOT NULL`).Scan(&yes)
	return yes, err
}

// refuseMoving is for a node that starts.
func (db *DB) refuseMoving(ctx context.Context) error {
	yes, err := moving(ctx, db.pool)
	if err == nil && yes {
		err = errMoving
	}
	return err
}

func goOn(ctx context.Context, tx pgx.Tx, source string) error {
	same := false
	err := tx.QueryRow(ctx, `SELECT bool_and(source = $1) FROM moves`, source).Scan(&same)
	if err == nil && !same {
		err = errors.New("a move into this database was begun from another folder, or the folder was served since: " +
			"empty the database and start over")
	}
	return err
}

func mark(ctx context.Context, tx pgx.Tx, source string, tables []string) error {
	for _, name := range tables {
		full := false
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM `+quoted(name)+`)`).Scan(&full); err != nil {
			return err
		}
		if full {
			return fmt.Errorf("the database is not empty, its table %s has rows: a move needs an empty one", name)
		}
	}
	_, err := tx.Exec(ctx, `INSERT INTO moves SELECT name, $1, NULL, false FROM unnest($2::text[]) AS name`, source,
		tables)
	return err
}

// endingConnections is how long a connection that was closed may still be listed.
const endingConnections = 2 * time.Second

// alone looks for nodes that work on the database. One that starts now finds that it is being filled: it connects first
// and looks then, and here it is the other way round. The connections of a node that has just ended are given a moment
// to go.
func (m *Import) alone(ctx context.Context, again bool) error {
	for others, began := true, time.Now(); time.Since(began) < endingConnections; {
		err := m.pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
			AND application_name = $1 AND pid <> pg_backend_pid())`, sessionSettings["application_name"]).Scan(&others)
		if err != nil || !others {
			return err
		}
		if _, err := m.pool.Exec(ctx, `SELECT pg_sleep(0.05)`); err != nil {
			return err
		}
	}
	var err error
	if !again {
		_, err = m.pool.Exec(ctx, `DROP TABLE moves`)
	}
	return errors.Join(errors.New("a node works on this database: stop it first"), err)
}

// Progress is the key that a table has come to, nil for none, and whether it is whole.
func (m *Import) Progress(ctx context.Context, table string) (key []byte, done bool, err error) {
	err = m.pool.QueryRow(ctx, `SELECT key, done FROM moves WHERE name = $1`, table).Scan(&key, &done)
	return key, done, explain(err)
}

// Piece is some rows of a table, and the key of the last of them.
type Piece struct {
	Table   string
	Columns []string
	Rows    [][]any
	Before  []byte // the key that the piece before it ended with; nil: it is the first
	Key     []byte
	Done    bool // it is the last
}

// Append adds a piece and notes it, or does neither.
func (m *Import) Append(ctx context.Context, p Piece) error {
	s, err := m.shape(ctx, p.Table, p.Columns)
	if err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		// Pieces that a crash of the server takes back are taken back with their notes; the end of the import waits for
		// the disk.
		if _, err := tx.Exec(ctx, `SET LOCAL synchronous_commit = off`); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `UPDATE moves SET key = $1, done = $2 WHERE name = $3 AND NOT done AND key IS NOT DISTINCT FROM $4`,
			p.Key, p.Done, p.Table, p.Before)
		if err == nil && tag.RowsAffected() != 1 {
			err = errors.New("another move into this database is under way")
		}
		if err != nil || len(p.Rows) == 0 {
			return err
		}
		_, err = tx.CopyFrom(ctx, pgx.Identifier{p.Table}, s.written, s.source(p.Rows))
		return err
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", p.Table, explain(err))
	}
	return nil
}

// Finish sets everything that counts above what was copied, and makes the database one that nodes start on. The index
// of words is rebuilt by them: it begins with the first place.
func (m *Import) Finish(ctx context.Context, gone int64, given map[string]int64) error {
	if _, err := m.pool.Exec(ctx, `ANALYZE`); err != nil {
		return explain(err)
	}
	err := pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		if err := lockTables(ctx, tx); err != nil {
			return err
		}
		if err := raise(ctx, tx, given); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE gone SET number = greatest(number, $1)`, gone); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE index_progress SET place = 0; UPDATE era SET mark = 'moved'; DROP TABLE moves`)
		return err
	})
	if err == nil {
		err = (&DB{pool: m.pool}).liftPlaces(ctx)
	}
	return explain(err)
}

// raise sets the numbers that tables give their rows.
func raise(ctx context.Context, tx pgx.Tx, given map[string]int64) error {
	for _, n := range []struct{ table, column string }{
		{"mailboxes", "num"}, {"rejects", "n"}, {"audits", "n"}, {"suppressions", "n"}, {"reviews", "n"},
		{"lists", "n"}, {"quarantine", "n"}, {"drafts", "n"}, {"hook_targets", "id"},
	} {
		_, err := tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence($1, $2), high, true)
			FROM (SELECT greatest($3, (SELECT max(`+n.column+`) FROM `+n.table+`)) AS high) g WHERE high > 0`, n.table, n.column, given[n.table])
		if err != nil {
			return fmt.Errorf("set the numbers of %s: %w", n.table, err)
		}
	}
	return nil
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

func quotedAll(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = quoted(n)
	}
	return strings.Join(list, ", ")
}
