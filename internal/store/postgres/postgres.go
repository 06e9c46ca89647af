// Package postgres is the store of deployments with more than one node: a PostgreSQL database, version 15 or later.
//
// Transactions are READ COMMITTED, and everything of a mailbox is serial all the same: whatever an update asks or does
// about a mailbox locks it first (lock.go has the table of all locks). So functions that were written for a single
// writer, which read, decide and write, are right here too, and the numbers of a mailbox's events become visible in
// order and without gaps.
//
// A round trip to the server is what things cost, so statements wait in a queue until an answer is needed (stmt.go):
// the beginning of a transaction goes out with its first question, a mailbox's lock with the question that needs it,
// and what an update writes with its commit. What goes wrong is sorted in fault.go.
//
// The other files are the contract of package store, noun by noun, as SQL.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/query"
)

// Options are what can be set about a store.
type Options struct {
	// MaxConns is how many connections there may be; 0: four for each core, and four.
	MaxConns int
	// Partitions is into how many parts the large tables are cut, by mailbox; 0: none. It counts when the tables are
	// made.
	Partitions int
	// Pooler says that there is a pooler before the database that gives out its connections by the transaction: then no
	// statement is prepared, and the settings that the others have (see sessionSettings) are those of the database's
	// role.
	Pooler bool
	// StandbyURL is where a standby answers reads; empty: none does.
	StandbyURL string
	Log        *slog.Logger // nil: nothing is logged

	tracer pgx.QueryTracer // of a test: sees every statement
}

// DB is an open store. It implements store.Store.
type DB struct {
	pool  *pgxpool.Pool
	log   *slog.Logger
	gates gates

	outcomeTime time.Duration
	groupTime   time.Duration
	distributed bool // over several servers: a transaction has one mailbox
	partitions  int  // that the large tables are cut into; 0: they are not
	probe       probe
	standby     *standby      // nil: there is none
	hostsTime   time.Duration // that connecting to any of the hosts may take
	stopWatch   func()        // ends looking after the hosts, and waits for it

	era           atomic.Pointer[era]    // nil: not known yet
	eraMu         sync.Mutex             // for whoever sets it
	newEra        atomic.Pointer[func()] // nil: nobody wants to know
	unknownServer bool                   // its role may not ask the server for its name

	mu     sync.RWMutex
	closed bool
	active sync.WaitGroup // Views, Updates, and what they leave to be ended in the background
}

var _ store.Store = (*DB)(nil)

// roomPart is the part of the connections that updates can be at work on at once: the others commit, or read.
const roomPart = 3

const (
	acquireTime = 5 * time.Second  // how long a caller waits for a connection, at least
	connectTime = 5 * time.Second  // how long it may take to make one
	updateTime  = 30 * time.Second // how long an update may take with all its attempts, and a View
	endTime     = 5 * time.Second  // how long a rollback may take
)

// sessionSettings are those of every connection. A server that lost sight of a node frees its locks soon: until then
// nothing goes on with the mailboxes that it had at that moment. A node that was only slow runs its update again. Every
// statement here is to go by an index, also where the tables were empty when it was planned.
var sessionSettings = map[string]string{
	"application_name":                    "mailkin",
	"idle_in_transaction_session_timeout": "5s",
	"lock_timeout":                        lockWhole,
	"tcp_keepalives_idle":                 "10",
	"tcp_keepalives_interval":             "5",
	"tcp_keepalives_count":                "2",
	"jit":                                 "off",
	"enable_seqscan":                      "off",
	"enable_bitmapscan":                   "off",
	"enable_hashjoin":                     "off",
	"enable_mergejoin":                    "off",
}

// Open opens the store in a database and brings its tables up to date. Several nodes may do so at once. An error never
// holds the password.
func Open(ctx context.Context, url string, opt Options) (*DB, error) {
	cfg, hosts, err := config(url, opt)
	if err != nil {
		return nil, err
	}
	db := &DB{log: opt.Log, outcomeTime: outcomeTime, groupTime: groupTime,
		hostsTime: connectWithin(cfg.ConnConfig)}
	if db.log == nil {
		db.log = slog.New(slog.DiscardHandler)
	}
	cfg.AfterConnect = db.checkEra
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db.pool, db.stopWatch = pool, hosts.watching()
	if err := db.prepare(ctx, opt); err != nil {
		pool.Close()
		db.stopWatch()
		return nil, fmt.Errorf("open the database: %w", explain(err))
	}
	if opt.StandbyURL == "" {
		return db, nil
	}
	if db.distributed {
		db.log.Warn("a database over several servers has no single standby: database_standby_url is not used")
		return db, nil
	}
	if db.standby, err = openStandby(opt.StandbyURL, opt, pool); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func (db *DB) prepare(ctx context.Context, opt Options) error {
	db.gates.free = max(1, int(db.pool.Config().MaxConns)/roomPart)
	if err := db.check(ctx); err != nil {
		return err
	}
	if err := migrate(ctx, db.pool, migrations, opt.Partitions, db.log); err != nil {
		return err
	}
	if err := db.pool.QueryRow(ctx, `SELECT partitions FROM deployment`).Scan(&db.partitions); err != nil {
		return err
	}
	if err := db.refuseMoving(ctx); err != nil {
		return err
	}
	if opt.Pooler {
		if err := db.adviseSettings(ctx); err != nil {
			return err
		}
	}
	if err := db.liftPlaces(ctx); err != nil {
		return err
	}
	return db.beginEra(ctx)
}

// ErrURL is a URL of a database that cannot be read, whether or not anybody answers there.
var ErrURL = errors.New("the URL of the database cannot be read: it has the form " +
	"postgres://user:password@host:5432/name")

// config makes the settings of the pool from the URL of the database.
func config(url string, opt Options) (*pgxpool.Config, *hosts, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil { // which may hold the password
		return nil, nil, ErrURL
	}
	cfg.MaxConns = int32(opt.MaxConns)
	if opt.MaxConns == 0 {
		cfg.MaxConns = int32(4*runtime.GOMAXPROCS(0) + 4)
	}
	cfg.MaxConns = max(cfg.MaxConns, 2) // a View may be asked for inside of an Update
	cfg.MaxConnIdleTime, cfg.HealthCheckPeriod = 5*time.Minute, 30*time.Second
	cfg.MaxConnLifetimeJitter = cfg.MaxConnLifetime / 10
	c := cfg.ConnConfig
	c.Tracer = opt.tracer
	hosts := hostsOf(c)
	cfg.PingTimeout = c.ConnectTimeout
	if opt.Pooler {
		c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		return cfg, hosts, nil
	}
	c.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	for name, value := range sessionSettings {
		if _, ok := c.RuntimeParams[name]; !ok {
			c.RuntimeParams[name] = value
		}
	}
	return cfg, hosts, nil
}

// oldest is the version of PostgreSQL that is needed at least, as the server numbers it.
const oldest = 150000

// check tells whether this is a server that can be worked with.
func (db *DB) check(ctx context.Context) error {
	var number, encoding string
	err := db.pool.QueryRow(ctx, `SELECT current_setting('server_version_num'), current_setting('server_encoding'),
		to_regclass('pg_dist_partition') IS NOT NULL OR version() ~ 'YB|Cockroach'`).Scan(&number, &encoding, &db.distributed)
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(number); err != nil || n < oldest {
		return fmt.Errorf("PostgreSQL %d or later is needed, and this is %s", oldest/10000, number)
	}
	return nil
}

// Pool is the pool of connections, for what has tables of its own in the same database.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// View runs fn in a transaction that sees one state and changes nothing. A caller who gives up does not interrupt it:
// that would cost the connection, and no read of ours takes long.
func (db *DB) View(ctx context.Context, fn func(store.Reader) error) error {
	return db.read(ctx, false, fn)
}

// Ask does without a transaction: what is sent together is one to the server.
func (db *DB) Ask(ctx context.Context, fn func(store.Reader) error) error {
	return db.read(ctx, true, fn)
}

func (db *DB) read(ctx context.Context, loose bool, fn func(store.Reader) error) error {
	if !db.enter() {
		return store.ErrClosed
	}
	conn := db.standby.acquire(ctx)
	elsewhere := conn != nil
	if !elsewhere {
		var err error
		if conn, err = db.acquire(ctx); err != nil {
			db.active.Done()
			return err
		}
	}
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), updateTime)
	q := &queries{ctx: own, caller: own, db: db, conn: conn, loose: loose, elsewhere: elsewhere}
	q.Queries = query.New[row](q)
	defer func() { // also after a panic, which goes on
		cancel()
		q.end()
	}()
	return explain(fn(q))
}

// enter notes that something is under way, unless the store is closed. After it must come db.active.Done.
func (db *DB) enter() bool {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return false
	}
	db.active.Add(1)
	return true
}

// acquire takes a connection.
func (db *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, max(acquireTime, db.hostsTime))
	defer cancel()
	conn, err := db.pool.Acquire(bounded)
	if err != nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: connect: %w", store.ErrUnavailable, err)
	}
	if err := ctx.Err(); err != nil {
		conn.Release()
		return nil, err
	}
	return conn, nil
}

// Close ends the store when what is under way is done. Closing it again does nothing.
func (db *DB) Close() error {
	db.mu.Lock()
	was := db.closed
	db.closed = true
	db.mu.Unlock()
	if !was {
		db.active.Wait()
		db.pool.Close()
		if db.standby != nil {
			db.standby.pool.Close()
		}
		if db.stopWatch != nil {
			db.stopWatch()
		}
	}
	return nil
}
