package postgres

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/query"
)

// Lock implements query.Conn.
func (q *queries) Lock(num mailbox.Num) { q.lock(num) }

// Advise implements query.Conn.
func (q *queries) Advise(kind string, name []byte) { q.advise(kind, name) }

// Each implements query.Conn.
func (q *queries) Each(sql string, scan func(row) error, args []any) error {
	return q.bound(sql, args).each(scan)
}

// Run implements query.Conn.
func (q *queries) Run(sql string, args []any) error { return q.bound(sql, args).run() }

// Changed implements query.Conn.
func (q *queries) Changed(sql string, args []any) (int64, error) { return q.bound(sql, args).changed() }

// dollars is a statement with the server's names of parameters.
func dollars(sql string) string { return strings.ReplaceAll(sql, "?", "$") }

// bound is a statement with its parameters.
func (q *queries) bound(sql string, args []any) *stmt {
	b := q.sql(dollars(sql))
	for _, a := range args {
		switch v := a.(type) {
		case int64:
			b.int(v)
		case bool:
			b.bool(v)
		case string:
			b.text(v)
		case query.Word:
			b.word(string(v))
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
