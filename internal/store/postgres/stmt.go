package postgres

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/query"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// queries are the statements of one transaction: the Reader and Tx of the contract. Which of the two a caller gets
// decides what it may call. They have a context of their own, and not that of each call: a caller who gives up must not
// break off what was begun.
//
// A statement that nobody waits for stays in the queue until one is asked whose answer is needed, or until the commit;
// they then go out together. The error of one that waited is the error of whatever is asked next, and of the
// transaction.
type queries struct {
	query.Queries[row]
	ctx    context.Context
	caller context.Context // ends the wait for a connection
	db     *DB
	conn   *pgxpool.Conn   // nil: none is needed yet, or there is none
	locks  *locks          // nil: a View, which locks nothing
	turns  []mailbox.Num   // at whose gates it is its turn
	inRoom bool            // it has a place in the room behind them
	loner  bool            // its transaction is its own
	places int64           // given out
	mail   bool            // a message was stored
	audits []mailbox.Audit // to be written at the end
	ticket ticket

	queue      []*stmt
	bytes      int   // of their arguments
	loose      bool  // there is no transaction
	elsewhere  bool  // a standby is asked
	begun      bool  // the server is in the transaction
	answered   bool  // somebody has seen a row
	committing bool  // the commit was sent
	otherEra   bool  // the server is on another timeline than it was known to be
	failed     error // of the statement that ended the transaction

	shared  *group      // the transaction that it was handed; nil: it has begun its own
	own     int         // where its own statements begin in the queue
	asked   mailbox.Num // whose lock it needs and does not know to have; 0: none
	wrote   bool        // a change of its own was sent
	refusal error       // of its function, while the transaction goes on for others
}

const (
	queueMost  = 256
	queueBytes = 4 << 20
)

// stmt is a statement while its parameters are bound one after the other.
type stmt struct {
	q    *queries
	code string
	args []any
	size int
	scan func(row) error // nil: it has no rows, or none that are looked at
	tag  pgconn.CommandTag
}

func (q *queries) sql(code string) *stmt { return &stmt{q: q, code: code} }

func (b *stmt) bind(v any, size int) *stmt {
	b.args, b.size = append(b.args, v), b.size+size
	return b
}

func (b *stmt) int(v int64) *stmt       { return b.bind(v, 8) }
func (b *stmt) num(v mailbox.Num) *stmt { return b.bind(int64(v), 8) }
func (b *stmt) bool(v bool) *stmt       { return b.bind(v, 1) }
func (b *stmt) time(t time.Time) *stmt  { return b.int(rows.Millis(t)) }
func (b *stmt) null() *stmt             { return b.bind(nil, 0) }
func (b *stmt) id(v mailbox.ID) *stmt   { return b.bind(pgtype.UUID{Bytes: v, Valid: true}, 16) }

// text binds text from outside, which is bytes to the database.
func (b *stmt) text(v string) *stmt { return b.bind([]byte(v), len(v)) }

// word binds one of our own words.
func (b *stmt) word(v string) *stmt { return b.bind(v, len(v)) }

// blob binds bytes; nothing is not null. Long ones are not copied: whose they are leaves them as they are until its
// function ends.
func (b *stmt) blob(v []byte) *stmt {
	if len(v) <= 64 {
		v = append([]byte{}, v...)
	}
	return b.bind(v, len(v))
}

// ints binds a list, which is empty and not null when it is nil.
func (b *stmt) ints(v []int64) *stmt { return b.bind(append([]int64{}, v...), 8*len(v)) }

func (b *stmt) texts(v []string) *stmt {
	list, size := make([][]byte, len(v)), 0
	for i, s := range v {
		list[i], size = []byte(s), size+len(s)
	}
	return b.bind(list, size)
}

// run leaves a statement that changes something in the queue.
func (b *stmt) run() error {
	q := b.q
	if q.asked != 0 && b.scan == nil { // nothing is changed before that is known
		_ = q.flush()
	}
	if q.failed != nil {
		return q.failed
	}
	q.queue, q.bytes = append(q.queue, b), q.bytes+b.size
	if len(q.queue) >= queueMost || q.bytes >= queueBytes {
		return q.flush()
	}
	return nil
}

// later leaves a question in the queue, whose rows are read when it is sent.
func (b *stmt) later(scan func(row)) {
	b.scan = func(r row) error { scan(r); return nil }
	_ = b.run() // an error is that of the next to be sent
}

// changed runs a statement at once and says how many rows it has changed.
func (b *stmt) changed() (int64, error) {
	err := b.each(nil)
	return b.tag.RowsAffected(), err
}

func (b *stmt) one(scan func(row)) error { return rows.Each[row](b.each).One(scan) }

func all[T any](b *stmt, scan func(row) T) ([]T, error) { return rows.All(b.each, scan) }

func one[T any](b *stmt, scan func(row) T) (T, error) { return rows.One(b.each, scan) }

func orZero[T any](b *stmt, scan func(row) T) (T, error) { return rows.OrZero(b.each, scan) }

// each sends everything that is in the queue with this statement, and reads its rows. scan must ask nothing.
func (b *stmt) each(scan func(row) error) error {
	b.scan = scan
	if b.q.failed == nil {
		b.q.queue = append(b.q.queue, b)
	}
	return b.q.flush()
}

// flush sends the queue and reads all answers. An error ends the transaction.
func (q *queries) flush() error {
	if q.failed != nil || len(q.queue) == 0 {
		return q.failed
	}
	list := q.queue
	q.queue, q.bytes = nil, 0
	q.noteSent(list)
	first := !q.begun
	err := q.exchange(list)
	if err != nil && first {
		err = q.reconnect(list, err)
	}
	if err != nil {
		q.failed = q.fault(err)
	} else if q.otherEra && !q.committing {
		q.failed = errEra
	}
	q.gotLock()
	return q.failed
}

// exchange is one round trip, or two where a statement is new to the connection.
func (q *queries) exchange(list []*stmt) error {
	if q.conn == nil {
		conn, err := q.db.acquire(q.caller)
		if err != nil {
			return err
		}
		q.conn = conn
	}
	var batch pgx.Batch
	if !q.begun && !q.loose {
		batch.Queue(q.beginning())
	}
	for _, b := range list {
		batch.Queue(b.code, b.args...)
	}
	results := q.conn.SendBatch(q.ctx, &batch)
	err := q.receive(results, list)
	if e := results.Close(); err == nil {
		err = e
	}
	return err
}

func (q *queries) beginning() string {
	if q.locks == nil {
		return `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	}
	return `BEGIN ISOLATION LEVEL READ COMMITTED`
}

func (q *queries) receive(results pgx.BatchResults, list []*stmt) error {
	if !q.begun && !q.loose {
		if _, err := results.Exec(); err != nil {
			return err
		}
		q.begun = true
	}
	for _, b := range list {
		if err := b.receive(results); err != nil {
			return err
		}
	}
	return nil
}

func (b *stmt) receive(results pgx.BatchResults) error {
	rows, err := results.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		b.q.answered = true
		if b.scan == nil {
			continue
		}
		if err := b.scan(rows.RawValues()); err != nil {
			return err
		}
	}
	rows.Close()
	b.tag = rows.CommandTag()
	return rows.Err()
}

// row is a result row in the server's binary form; columns count from 0. It is valid inside of its scan.
type row [][]byte

func (r row) Null(i int) bool      { return r[i] == nil }
func (r row) Text(i int) string    { return string(r[i]) }
func (r row) Blob(i int) []byte    { return append([]byte{}, r[i]...) }
func (r row) Time(i int) time.Time { return rows.FromMillis(r.Int(i)) }
func (r row) Bool(i int) bool      { return len(r[i]) == 1 && r[i][0] != 0 }

func (r row) Num(i int) mailbox.Num { return mailbox.Num(r.Int(i)) }

func (r row) Int(i int) int64 {
	switch b := r[i]; len(b) {
	case 8:
		return int64(binary.BigEndian.Uint64(b))
	case 4:
		return int64(int32(binary.BigEndian.Uint32(b)))
	}
	return 0
}

func (r row) ID(i int) (id mailbox.ID) {
	copy(id[:], r[i])
	return id
}

func (r row) Bytes32(i int) (d [32]byte) {
	copy(d[:], r[i])
	return d
}

func (r row) Bytes16(i int) (s [16]byte) {
	copy(s[:], r[i])
	return s
}
