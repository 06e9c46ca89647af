package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/blockcache"
)

// Index is the words of messages in tables of the same database. It is derived, and its commits do not wait for the
// disk: a crash of the database may take the last ones, but each as a whole, the segments together with the place up to
// which they go, so that they are made again. What the store commits after them waits for the disk with everything
// before it, so a message that the store was told to be forgotten by the index is.
//
// Blocks never change and their numbers are never used again, so those read last are kept in memory, by every node for
// itself. A node may so give a block that another has deleted; its words are found as long as the caller has the
// segment that it belongs to.
//
// An update does what it is told in one transaction when its function is done; one that grows beyond a few megabytes is
// sent in parts before that. So nothing is locked while words are counted. A deleted row is out of reach at once, and
// its bytes are out of the database's files when they have been vacuumed and written over.
type Index struct {
	pool    *pgxpool.Pool
	standby *standby // nil: there is none
	cache   *blockcache.Cache
	closed  *atomic.Bool
	parts   int                         // partitions
	within  map[int]bool                // nil: mailboxes of all of them are listed
	lease   *lease                      // nil: updates are not fenced
	newEra  func(context.Context) error // begins an era where the server turns out to be another; nil: none does
}

type lease struct {
	what  string
	fence int64
}

var _ store.FencedIndex = (*Index)(nil)

const (
	// indexCacheBytes is how much memory the blocks read last may take.
	indexCacheBytes = 32 << 20
	// indexPatience is the deadline of a question.
	indexPatience = 30 * time.Second
)

// NewIndex returns the index in the tables of a migrated database. Closing it leaves the pool open.
func NewIndex(pool *pgxpool.Pool) *Index {
	return &Index{pool: pool, cache: blockcache.New(indexCacheBytes), closed: new(atomic.Bool), parts: 1}
}

// Index returns the index of the database.
func (db *DB) Index() *Index {
	x := NewIndex(db.pool)
	x.newEra, x.parts, x.standby = db.renewEra, max(db.partitions, 1), db.standby
	return x
}

// Fenced returns the same index, whose updates are store.ErrFenced once another holder has the lease, or another server
// has taken over.
func (x *Index) Fenced(what string, fence int64) store.Index {
	held := *x
	held.lease = &lease{what, fence}
	return &held
}

// Close lets nothing begin any more. What is under way goes on: it ends with the pool.
func (x *Index) Close() error {
	x.closed.Store(true)
	return nil
}

// each asks for rows.
func (x *Index) each(ctx context.Context, row func(pgx.Rows) error, sql string, args ...any) error {
	if x.closed.Load() {
		return store.ErrClosed
	}
	if conn := x.standby.acquire(ctx); conn != nil {
		seen, err := eachOn(ctx, conn, row, sql, args)
		conn.Release()
		if err == nil || seen || ctx.Err() != nil {
			return err
		}
		x.standby.fail()
	}
	_, err := eachOn(ctx, x.pool, row, sql, args)
	return err
}

// eachOn asks one server. seen: there was a row.
func eachOn(ctx context.Context, on asker, row func(pgx.Rows) error, sql string, args []any) (seen bool, err error) {
	within, cancel := context.WithTimeout(ctx, indexPatience)
	defer cancel()
	rows, err := on.Query(within, sql, args...)
	if err != nil {
		return false, indexError(ctx, "ask the index", err)
	}
	defer rows.Close()
	for rows.Next() {
		seen = true
		if err := row(rows); err != nil {
			return true, err
		}
	}
	return seen, indexError(ctx, "ask the index", rows.Err())
}

type asker interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// one asks for one row: store.ErrNotFound if there is none.
func (x *Index) one(ctx context.Context, sql string, args []any, to ...any) error {
	found := false
	err := x.each(ctx, func(r pgx.Rows) error { found = true; return r.Scan(to...) }, sql, args...)
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return err
}

// boxes asks for numbers of mailboxes.
func (x *Index) boxes(ctx context.Context, sql string, args ...any) (list []mailbox.Num, err error) {
	err = x.each(ctx, func(r pgx.Rows) error {
		var num int64
		err := r.Scan(&num)
		list = append(list, mailbox.Num(num))
		return err
	}, sql, args...)
	return list, err
}

// indexBytes is what the tables of the index take up, with their parts and indexes.
const indexBytes = `(SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
	WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname LIKE 'index\_%')`

// Size is how many bytes the index takes up in the database.
func (x *Index) Size(ctx context.Context) (bytes int64, err error) {
	err = x.one(ctx, `SELECT `+indexBytes, nil, &bytes)
	return bytes, err
}

func (x *Index) Segments(ctx context.Context, num mailbox.Num) (list []store.Segment, err error) {
	err = x.each(ctx, func(r pgx.Rows) error {
		s := store.Segment{Mailbox: num}
		err := r.Scan(&s.ID, &s.Docs, &s.Blocks, &s.MinSeq, &s.MaxSeq, &s.Bytes, &s.Dropped)
		list = append(list, s)
		return err
	}, `SELECT id, docs, blocks, min_seq, max_seq, bytes,
		(SELECT count(*) FROM index_dropped d WHERE d.box = s.box AND d.seq BETWEEN s.min_seq AND s.max_seq)
		FROM index_segments s WHERE box = $1 ORDER BY id`, int64(num))
	return list, err
}

func (x *Index) Dropped(ctx context.Context, num mailbox.Num) (map[int64]bool, error) {
	seqs := make(map[int64]bool)
	err := x.each(ctx, func(r pgx.Rows) error {
		var seq int64
		err := r.Scan(&seq)
		seqs[seq] = true
		return err
	}, `SELECT seq FROM index_dropped WHERE box = $1`, int64(num))
	return seqs, err
}

func (x *Index) DroppedIn(ctx context.Context) ([]mailbox.Num, error) {
	return x.listed(ctx, math.MaxInt32, `SELECT DISTINCT box FROM index_dropped WHERE box > $1 ORDER BY box LIMIT $2`)
}

func (x *Index) Unmerged(ctx context.Context, limit int) ([]mailbox.Num, error) {
	return x.listed(ctx, limit, `SELECT box FROM index_unmerged WHERE box > $1 ORDER BY box LIMIT $2`)
}

func (x *Index) Renewals(ctx context.Context, limit int) ([]mailbox.Num, error) {
	return x.listed(ctx, limit, `SELECT box FROM index_renewals WHERE box > $1 ORDER BY box LIMIT $2`)
}

func (x *Index) VectorPlace(ctx context.Context) (place int64, model string, err error) {
	err = x.one(ctx, `SELECT place, model FROM index_progress WHERE what = 'vectors'`, nil, &place, &model)
	return place, model, err
}

// Vectors lends each the bytes of a vector for the call.
func (x *Index) Vectors(ctx context.Context, num mailbox.Num, each func(seq int64, vector []byte) error) error {
	return x.each(ctx, func(r pgx.Rows) error {
		var seq int64
		var data pgtype.DriverBytes
		if err := r.Scan(&seq, &data); err != nil {
			return err
		}
		return each(seq, data)
	}, `SELECT seq, data FROM index_vectors WHERE box = $1`, int64(num))
}

func (x *Index) Asked(ctx context.Context, since time.Time) ([]mailbox.Num, error) {
	return x.boxes(ctx, `SELECT box FROM index_asked WHERE at >= $1`, since.UnixMilli())
}

// indexError says what went wrong, in the words of the contract. A connection that is lost, or took too long, is the
// database's.
func indexError(ctx context.Context, doing string, err error) error {
	if err == nil || errors.Is(err, store.ErrFenced) {
		return err
	}
	var lost net.Error
	ended := ctx.Err() != nil
	if !ended && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &lost)) && code(err) == "" {
		return fmt.Errorf("%s: %w: %w", doing, store.ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w", doing, explain(err))
}
