package sqlite

import (
	"fmt"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/query"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// queries are the statements of one connection: the Reader and Tx of the contract. Which of the two a caller gets
// decides what it may call.
type queries struct {
	query.Queries[row]
	conn   *sqlite.Conn
	wrote  bool   // since the writer last set it back
	erased bool   // rows were deleted since the writer last set it back
	doc    int64  // the highest number of a doc
	group  []*job // what the writer commits now
	used   used   // what a job asked last, for the message that it inserts

	mostPages int64 // that the file may have, as the connection was told; 0: it was told nothing

	payload *payload
}

// stmt is a prepared statement while its parameters are bound one after the other.
type stmt struct {
	q   *queries
	s   *sqlite.Stmt
	n   int
	err error

	deletes bool // it deletes rows
}

// sql returns a statement of the connection, prepared at its first use.
func (q *queries) sql(text string) *stmt {
	s, err := q.conn.Prepare(text)
	return &stmt{q: q, s: s, err: err, deletes: strings.HasPrefix(text, "DELETE")}
}

func (b *stmt) next() int { b.n++; return b.n }

func (b *stmt) int(v int64) *stmt {
	if b.err == nil {
		b.s.BindInt64(b.next(), v)
	}
	return b
}

func (b *stmt) bool(v bool) *stmt {
	if v {
		return b.int(1)
	}
	return b.int(0)
}

func (b *stmt) text(v string) *stmt {
	if b.err == nil {
		b.s.BindText(b.next(), v)
	}
	return b
}

func (b *stmt) blob(v []byte) *stmt {
	if b.err == nil {
		b.s.BindBytes(b.next(), v)
	}
	return b
}

func (b *stmt) null() *stmt {
	if b.err == nil {
		b.s.BindNull(b.next())
	}
	return b
}

func (b *stmt) num(v mailbox.Num) *stmt { return b.int(int64(v)) }

func (b *stmt) id(v mailbox.ID) *stmt { return b.blob(v[:]) }

func (b *stmt) time(t time.Time) *stmt { return b.int(rows.Millis(t)) }

// run executes a statement that gives no rows: one that changes something.
func (b *stmt) run() error {
	b.q.wrote = true
	return b.each(func(row) error { return nil })
}

func (b *stmt) one(scan func(row)) error { return rows.Each[row](b.each).One(scan) }

func all[T any](b *stmt, scan func(row) T) ([]T, error) { return rows.All(b.each, scan) }

func one[T any](b *stmt, scan func(row) T) (T, error) { return rows.One(b.each, scan) }

func orZero[T any](b *stmt, scan func(row) T) (T, error) { return rows.OrZero(b.each, scan) }

// each reads every row of a statement.
func (b *stmt) each(scan func(row) error) error {
	if b.err != nil {
		return fmt.Errorf("prepare: %w", b.err)
	}
	defer b.s.Reset()
	for {
		more, err := b.s.Step()
		if err != nil || !more {
			b.q.erased = b.q.erased || b.deletes && err == nil && b.q.conn.Changes() > 0
			return err
		}
		if err := scan(row{s: b.s}); err != nil {
			return err
		}
	}
}

// row is a result row; columns count from 0, or from where those of another table begin.
type row struct {
	s     *sqlite.Stmt
	first int
}

// From returns the row from a column on.
func (r row) From(column int) row { return row{r.s, r.first + column} }

func (r row) Int(i int) int64       { return r.s.ColumnInt64(r.first + i) }
func (r row) Num(i int) mailbox.Num { return mailbox.Num(r.Int(i)) }
func (r row) Bool(i int) bool       { return r.s.ColumnInt64(r.first+i) != 0 }
func (r row) Text(i int) string     { return r.s.ColumnText(r.first + i) }
func (r row) Time(i int) time.Time  { return rows.FromMillis(r.s.ColumnInt64(r.first + i)) }
func (r row) Null(i int) bool       { return r.s.ColumnIsNull(r.first + i) }

func (r row) Blob(i int) []byte {
	b := make([]byte, r.s.ColumnLen(r.first+i))
	r.s.ColumnBytes(r.first+i, b)
	return b
}

func (r row) ID(i int) (id mailbox.ID) {
	r.s.ColumnBytes(r.first+i, id[:])
	return id
}

func (r row) Bytes32(i int) (d [32]byte) {
	r.s.ColumnBytes(r.first+i, d[:])
	return d
}

func (r row) Bytes16(i int) (s [16]byte) {
	r.s.ColumnBytes(r.first+i, s[:])
	return s
}

// pack makes the key of a row that is clustered by mailbox.
func pack(num mailbox.Num, n int64) int64 { return int64(num)<<32 | n }

func unpack(pk int64) (mailbox.Num, int64) { return mailbox.Num(pk >> 32), pk & last }

// last is the highest number that a key has room for. Numbers that a caller may have made up are cut to it: a higher
// one would be a key of another mailbox.
const last = 1<<32 - 1

// span is the range of keys of a mailbox, both ends included; below a number if before is not 0.
func span(num mailbox.Num, before int64) (low, high int64) {
	if before <= 0 || before > last {
		return pack(num, 0), pack(num, last)
	}
	return pack(num, 0), pack(num, before-1)
}

// keysAfter is the range of keys of a mailbox that follow a number, without its low end.
func keysAfter(num mailbox.Num, after int64) (low, high int64) {
	return pack(num, min(max(after, 0), last)), pack(num, last)
}
