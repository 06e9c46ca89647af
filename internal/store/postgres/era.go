package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Readers remember the last number of an event that they saw. A server that was restored from a backup, or a standby
// that took over without the last commits, would give those numbers to other events, which the readers would then never
// ask for. So the database notes which server it is on. Where that has changed a new era begins, and each mailbox goes
// on above the moment at which it began, with its first event of the era: all numbers that were given before are lower.
//
// Nodes find out when they make a connection, and in every update by the timeline that comes with its first lock: no
// number is given on a timeline that is not the noted one.

// era is the history that the database goes on with.
type era struct {
	number int64
	at     int64 // when it began, in milliseconds; numbers of this era are not below
	line   string
	mark   string
}

// errEra ends an attempt that found the server on another timeline.
var errEra = errors.New("the database is another than before: it was restored, or a standby took over")

// hooksLost is more hooks of a mailbox than can be lost with a server. Their numbers are not used again either:
// somebody may be posting one.
const hooksLost = 1 << 20

const (
	timeline = `CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END`
	// markTables is another after a dump was restored, which recreates the tables.
	markTables = `'counters'::regclass::oid::bigint`
	// markServer is another after a dump was restored on another server.
	markServer = `(SELECT system_identifier FROM pg_control_system())`
)

// markColumns ask for the timeline, which is empty on a standby, and for the mark of the server.
func (db *DB) markColumns() string {
	if db.unknownServer {
		return timeline + `, ` + timeline + ` || ' ' || ` + markTables
	}
	return timeline + `, ` + timeline + ` || ' ' || ` + markTables + ` || ' ' || ` + markServer
}

// beginEra is for the start, when the tables are there.
func (db *DB) beginEra(ctx context.Context) error {
	var known bool
	if err := db.pool.QueryRow(ctx, `SELECT has_function_privilege('pg_control_system()', 'EXECUTE')`).Scan(&known); err != nil {
		return err
	}
	db.unknownServer = !known
	return db.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error { return db.enterEra(ctx, c.Conn()) })
}

// checkEra looks on a connection that was just made whether the server is the one that was known.
func (db *DB) checkEra(ctx context.Context, conn *pgx.Conn) error {
	known := db.era.Load()
	if known == nil {
		return nil // the start looks when it has made the tables
	}
	var line, mark string
	if err := conn.QueryRow(ctx, `SELECT `+db.markColumns()).Scan(&line, &mark); err != nil {
		return err
	}
	if line == "" || mark == known.mark {
		return nil
	}
	return db.enterEra(ctx, conn)
}

// renewEra is for an update that found another timeline.
func (db *DB) renewEra(ctx context.Context) error {
	return db.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error { return db.enterEra(ctx, c.Conn()) })
}

// enterEra reads the era of the database, or begins one where the server is not the noted one.
func (db *DB) enterEra(ctx context.Context, conn *pgx.Conn) error {
	var now era
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		var noted string
		err := tx.QueryRow(ctx, `SELECT number, at, mark FROM era FOR UPDATE`).Scan(&now.number, &now.at, &noted)
		if err == nil {
			err = tx.QueryRow(ctx, `SELECT `+db.markColumns()).Scan(&now.line, &now.mark)
		}
		if err != nil || noted == now.mark {
			return err
		}
		// The index works by places, which are numbers of transactions, and those that were lost are given again. So
		// the places of this era are above all that were lost, and what a node prepared before it is refused by its
		// fence.
		if _, err := tx.Exec(ctx, `UPDATE places SET base = base + $1`, placeDistance); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE leases SET fence = fence + 1`); err != nil {
			return err
		}
		// The later of two clocks: the server's may be another one than before.
		return tx.QueryRow(ctx, `UPDATE era SET number = number + 1, mark = $1,
			at = greatest(at + 1, $2, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) RETURNING number, at`,
			now.mark, time.Now().UnixMilli()).Scan(&now.number, &now.at)
	})
	if err != nil {
		return err
	}
	db.eraMu.Lock()
	was := db.era.Load()
	if was == nil || was.number <= now.number {
		db.era.Store(&now)
	}
	db.eraMu.Unlock()
	if was != nil && was.number < now.number {
		db.log.Warn("the database is another than before: event numbers go on from now", "era", now.number, "timeline",
			now.line)
		if tell := db.newEra.Load(); tell != nil {
			(*tell)()
		}
	}
	return nil
}

// OnNewEra has a function called when the database turns out to have been restored, or another server to have taken
// over. It must not block.
func (db *DB) OnNewEra(tell func()) { db.newEra.Store(&tell) }

// inEra notes that an attempt met another timeline than the known one.
func (q *queries) inEra(line string) {
	if known := q.db.era.Load(); known != nil && known.line != line {
		q.otherEra = true
	}
}

// next returns a mailbox's next Seq. The first of an era is above everything that may have been given out before and
// was lost.
func (q *queries) next(b *box) int64 {
	b.seq++
	if now := q.db.era.Load(); now != nil && b.era < now.number {
		b.era, b.seq, b.hooks = now.number, max(b.seq, now.at-b.base), b.hooks+hooksLost
		// an error is that of the next
		_ = q.sql(`UPDATE counters SET era = $1, hooks = $2 WHERE box = $3`).int(b.era).int(b.hooks).num(b.num).run()
	}
	return b.seq
}

// lastNumber is the number of a mailbox's newest event, or what those of this era are above.
func (db *DB) lastNumber(b box) int64 {
	last := b.base + b.seq
	if now := db.era.Load(); now != nil && b.era < now.number {
		last = max(last, now.at-1)
	}
	return last
}
