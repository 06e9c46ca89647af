package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/mailkin/mailkin/internal/store"
)

// The server's codes for what the contract has a word for.
var (
	// collisions end a transaction because of another one, or because a statement that was prepared is stale: it can be
	// run again.
	collisions = []string{
		"40001", // serialization_failure
		"40P01", // deadlock_detected
		"55P03", // lock_not_available: it was not given in the time that a lock out of order is waited for
		// unique_violation: the store looks for what is taken under a lock; another statement saw an older state
		"23505",
		"26000", // invalid_sql_statement_name
		"0A000", // feature_not_supported: a cached plan, after a migration by a newer node
	}
	unwritable = []string{
		diskFull,
		"53200", // out_of_memory
		"58030", // io_error
		"25006", // read_only_sql_transaction
		"XX001", // data_corrupted
		"XX002", // index_corrupted
	}
	unreachable = []string{
		"08",    // connection exceptions
		"57",    // operator intervention: it is shut down, or starts up
		"53300", // too_many_connections
		"25P03", // idle_in_transaction_session_timeout
	}
)

const diskFull = "53100"

// code is the server's code of an error, or empty.
func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func oneOf(code string, list []string) bool {
	for _, c := range list {
		if code != "" && (code == c || len(c) == 2 && len(code) > 2 && code[:2] == c) {
			return true
		}
	}
	return false
}

// explain turns errors of the server and of the way there into those of the contract.
func explain(err error) error {
	var connect *pgconn.ConnectError
	switch c := code(err); {
	case err == nil || errors.Is(err, store.ErrStorage) || errors.Is(err, store.ErrUnavailable):
		return err
	case c == diskFull:
		return fmt.Errorf("%w: %w", store.ErrFull, err)
	case oneOf(c, unwritable):
		return fmt.Errorf("%w: %w", store.ErrStorage, err)
	// those of a View, which is not run again
	case oneOf(c, unreachable), errors.As(err, &connect), oneOf(c, collisions) && c != "23505":
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

// fault is the error of a statement, in the words of the contract. A connection that is lost, or took too long, is the
// database's.
func (q *queries) fault(err error) error {
	if q.conn == nil {
		return err // of acquire
	}
	closed := q.conn.Conn().IsClosed()
	if code(err) == "25006" && !closed {
		// Another server may have taken over: the next connection is a new one.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(q.ctx), endTime)
		defer cancel()
		_ = q.conn.Conn().Close(ctx) // it is of no use in any case
	}
	if closed && !oneOf(code(err), unwritable) {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return explain(err)
}

// mayRepeat tells whether a transaction that has failed, and is known not to be committed, can be run again.
func (q *queries) mayRepeat() bool {
	switch {
	case q.failed == nil || q.conn == nil || q.ctx.Err() != nil:
		return false
	case oneOf(code(q.failed), collisions), errors.Is(q.failed, errEra), errors.Is(q.failed, errAlone):
		return true
	}
	return errors.Is(q.failed, store.ErrUnavailable)
}

// tooBusy is the answer to an update that has met others too often.
func tooBusy(err error) error {
	if code(err) == "23505" {
		return err
	}
	return fmt.Errorf("%w: after %d attempts: %w", store.ErrUnavailable, attempts, err)
}

// reconnect sends the first statements of a transaction again, on another connection: that of the pool may have been
// lost long ago, and nobody has seen an answer yet. What a standby could not answer the primary is asked.
func (q *queries) reconnect(list []*stmt, err error) error {
	if q.conn == nil || q.answered || q.committing || !q.conn.Conn().IsClosed() && !q.elsewhere || q.ctx.Err() != nil {
		return err
	}
	if q.elsewhere {
		q.db.standby.fail()
	}
	q.conn.Release()
	q.conn, q.begun, q.elsewhere = nil, false, false
	return q.exchange(list)
}
