package sqlite

import (
	"zombiezen.com/go/sqlite"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/query"
)

// newQueries returns the statements of a connection.
func newQueries(c *sqlite.Conn) *queries {
	q := &queries{conn: c}
	q.Queries = query.New[row](q)
	return q
}

// Lock does nothing: there is one writer.
func (q *queries) Lock(mailbox.Num) {}

// Advise does nothing either.
func (q *queries) Advise(string, []byte) {}

// Each implements query.Conn.
func (q *queries) Each(sql string, scan func(row) error, args []any) error {
	return q.bound(sql, args).each(scan)
}

// Run implements query.Conn.
func (q *queries) Run(sql string, args []any) error { return q.bound(sql, args).run() }

// Changed implements query.Conn.
func (q *queries) Changed(sql string, args []any) (int64, error) {
	err := q.bound(sql, args).run()
	return int64(q.conn.Changes()), err
}

// bound is a statement with its parameters.
func (q *queries) bound(sql string, args []any) *stmt {
	b := q.sql(sql)
	for _, a := range args {
		switch v := a.(type) {
		case int64:
			b.int(v)
		case bool:
			b.bool(v)
		case string:
			b.text(v)
		case query.Word:
			b.text(string(v))
		case []byte:
			b.blob(v)
		case mailbox.ID:
			b.id(v)
		case nil:
			b.null()
		}
	}
	return b
}
