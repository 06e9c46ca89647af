package postgres

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/internal/store"
)

// When a connection is lost after the commit was sent and before it was answered, the server still knows what became of
// the transaction, by its number. So an update asks for that number with the first lock that it takes, and asks the
// server on another connection when it has to.
//
// A server that has failed since may have given the number to another transaction: numbers are written to its log with
// what a transaction writes, and what was not yet in the log at the failure is given out again. Then that the number
// was committed says nothing. That it was not says as much as ever: what was committed before a failure keeps its
// number.

// ticket names a transaction to the server.
type ticket struct {
	number int64 // 0: it is not known
	// on which the number is that of this transaction: a server that took over may have given it to another
	timeline string
	at       int64 // when the number was given out, in microseconds by the server's clock
	base     int64 // what places of the transaction are lifted by
}

// ticketColumns ask for the ticket of a transaction. They cost no round trip where something is asked anyway, and a row
// that is locked needs a number in any case.
const ticketColumns = `pg_current_xact_id(), left(pg_walfile_name(pg_current_wal_lsn()), 8),
	(extract(epoch FROM clock_timestamp())*1000000)::bigint, (SELECT base FROM places)`

// ticketOutcome asks what became of a transaction, on which timeline that is, and whether the server was started, or
// has lost its statistics, after a ticket was given out. It loses them when it fails, be it without being started by
// anybody.
const ticketOutcome = `SELECT coalesce(pg_xact_status($1::text::xid8), ''), left(pg_walfile_name(pg_current_wal_lsn()), 8),
	(extract(epoch FROM greatest(pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_bgwriter)))*1000000)::bigint >= $2::bigint`

// ticketed notes the ticket that begins in a column of a row.
func (q *queries) ticketed(r row, at int) {
	q.ticket = ticket{r.Int(at), r.Text(at + 1), r.Int(at + 2), r.Int(at + 3)}
	q.inEra(q.ticket.timeline)
}

// askTicket asks for the ticket of an update that locks nothing and reads nothing, and that must not be done twice.
func (q *queries) askTicket() {
	if q.ticket.number == 0 {
		// an error is that of the next to be sent
		_ = q.sql(`SELECT ` + ticketColumns).one(func(r row) { q.ticketed(r, 0) })
	}
}

type outcome int

const (
	unknown outcome = iota
	undone
	committed
)

const (
	// how long it is asked: a server that starts again is back by then, and has seen that a connection is lost
	outcomeTime  = 15 * time.Second
	outcomePause = 8 // as for the eighth attempt of an update
)

// unsure tells whether an update has failed such that nobody knows whether it is stored.
func (q *queries) unsure() bool {
	return q.committing && q.failed != nil && q.conn != nil && errors.Is(q.failed, store.ErrUnavailable) &&
		!oneOf(code(q.failed), collisions)
}

// outcome asks what became of a transaction, until it has ended.
func (db *DB) outcome(ctx context.Context, t ticket) outcome {
	if t.number == 0 {
		return unknown
	}
	ctx, cancel := context.WithTimeout(ctx, db.outcomeTime)
	defer cancel()
	for ctx.Err() == nil {
		var status, timeline string
		var failed bool
		err := db.pool.QueryRow(ctx, ticketOutcome, strconv.FormatUint(uint64(t.number), 10), t.at).Scan(&status,
			&timeline, &failed)
		switch {
		// another server, which cannot know
		case err == nil && timeline != t.timeline, err == nil && status == "", code(err) == "22023":
			return unknown
		case err == nil && status == "committed" && failed:
			return unknown
		case err == nil && status == "committed":
			return committed
		case err == nil && status == "aborted":
			return undone
		}
		pause(ctx, outcomePause)
	}
	return unknown
}
