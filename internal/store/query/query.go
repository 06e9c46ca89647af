// Package query has the verbs of the contract whose statements are the same in every store that speaks SQL. A store
// embeds Queries, and has the rest itself: what its database does in a way of its own, and what is asked for every mail
// that comes in, which costs less when its parameters are bound one by one.
package query

import (
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// Conn is a connection of a store, or its transaction. The parameters of a statement are numbered: ?1, ?2, …. Each is
// an int64, a bool, a string, a Word, a []byte, a mailbox.ID or nil.
type Conn[R rows.Row] interface {
	// Lock keeps other updates away from a mailbox until this one ends. Without number, and where there is one writer,
	// it does nothing.
	Lock(num mailbox.Num)
	// Advise does the same for a name, which need not be in any row.
	Advise(kind string, name []byte)
	// Each runs a statement now and reads its rows.
	Each(sql string, scan func(R) error, args []any) error
	// Run runs a statement before the next one whose answer is needed.
	Run(sql string, args []any) error
	// Changed runs a statement now, and says how many rows it changed.
	Changed(sql string, args []any) (int64, error)
}

// Word is a text of ours, such as a state. A string is text from outside.
type Word string

// Queries are the statements of a connection.
type Queries[R rows.Row] struct{ conn Conn[R] }

// New returns the statements of a connection.
func New[R rows.Row](conn Conn[R]) Queries[R] { return Queries[R]{conn} }

// values puts the parameters of a statement into the forms that every store binds.
func values(args []any) []any {
	for i, a := range args {
		switch v := a.(type) {
		case int:
			args[i] = int64(v)
		case mailbox.Num:
			args[i] = int64(v)
		case time.Time:
			args[i] = rows.Millis(v)
		case int64, bool, string, Word, []byte, mailbox.ID, nil:
		default:
			panic(fmt.Sprintf("a parameter is a %T", a)) // whenever its statement is run
		}
	}
	return args
}

// each is a statement that is not yet run.
func (q Queries[R]) each(sql string, args []any) rows.Each[R] {
	return func(scan func(R) error) error { return q.conn.Each(sql, scan, values(args)) }
}

// scan reads the single row of a statement.
func (q Queries[R]) scan(sql string, scan func(R), args ...any) error {
	return q.each(sql, args).One(scan)
}

func (q Queries[R]) run(sql string, args ...any) error { return q.conn.Run(sql, values(args)) }

func all[R rows.Row, T any](q Queries[R], scan func(R) T, sql string, args ...any) ([]T, error) {
	return rows.All(q.each(sql, args), scan)
}

func one[R rows.Row, T any](q Queries[R], scan func(R) T, sql string, args ...any) (T, error) {
	return rows.One(q.each(sql, args), scan)
}

func orZero[R rows.Row, T any](q Queries[R], scan func(R) T, sql string, args ...any) (T, error) {
	return rows.OrZero(q.each(sql, args), scan)
}

func (q Queries[R]) changed(sql string, args ...any) (int64, error) {
	return q.conn.Changed(sql, values(args))
}

// changeOne runs a statement that must change something.
func (q Queries[R]) changeOne(sql string, args ...any) error {
	n, err := q.changed(sql, args...)
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	return err
}

// Trim deletes what is from before a time, at most so many rows. It says how many it deleted, and whether there may be
// more.
func (q Queries[R]) Trim(sql string, before time.Time, limit int) (removed int, more bool, err error) {
	n, err := q.changed(sql, before, limit)
	return int(n), n >= int64(limit), err
}
