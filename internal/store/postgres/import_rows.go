package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// shape is how the values of an imported table become those of the database: by the types of its columns. Values of the
// other store are int64, string, []byte and nil; a truth is 0 or 1 there, an id 16 bytes.
type shape struct {
	columns []string // of the other store
	written []string // these, and what is made from them
	types   []uint32
	address int // where the sender of a message is; -1: there is none
	name    int
}

// shape looks at a table, once.
func (m *Import) shape(ctx context.Context, table string, columns []string) (*shape, error) {
	if s := m.shapes[table]; s != nil && slices.Equal(s.columns, columns) {
		return s, nil
	}
	rows, err := m.pool.Query(ctx, `SELECT `+quotedAll(columns)+` FROM `+quoted(table)+` LIMIT 0`)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", table, explain(err))
	}
	defer rows.Close()
	s := &shape{columns: columns, written: columns, address: -1}
	for _, f := range rows.FieldDescriptions() {
		s.types = append(s.types, f.DataTypeOID)
	}
	rows.Close()
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("look at %s: %w", table, explain(err))
	}
	if table == "messages" { // filters look for the sender in lower case
		s.written = append(slices.Clone(columns), "from_lower")
		s.address, s.name = slices.Index(columns, "from_addr"), slices.Index(columns, "from_name")
	}
	m.shapes[table] = s
	return s, nil
}

// source returns rows as the database takes them.
func (s *shape) source(rows [][]any) pgx.CopyFromSource {
	return pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) { return s.values(rows[i]) })
}

func (s *shape) values(row []any) ([]any, error) {
	if len(row) != len(s.types) {
		return nil, fmt.Errorf("a row of %d columns instead of %d", len(row), len(s.types))
	}
	out := make([]any, len(row), len(row)+1)
	for i, v := range row {
		var err error
		if out[i], err = valueFor(s.types[i], v); err != nil {
			return nil, fmt.Errorf("column %s: %w", s.columns[i], err)
		}
	}
	if s.address < 0 {
		return out, nil
	}
	lower, as := lowered(mailbox.Address{Address: text(row[s.address]), Name: text(row[s.name])})
	if as {
		return append(out, nil), nil
	}
	return append(out, []byte(lower)), nil
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

var errValue = errors.New("a value that does not fit its column")

// valueFor makes a value of the other store one of a column's type. Text from outside is bytea (see the migrations), so
// whatever it holds fits; our own words are text.
func valueFor(oid uint32, v any) (any, error) {
	number, isNumber := v.(int64)
	switch {
	case v == nil:
		return nil, nil
	case isNumber && oid == pgtype.BoolOID && (number == 0 || number == 1):
		return number == 1, nil
	case isNumber && (oid == pgtype.Int8OID || oid == pgtype.Int4OID):
		return number, nil
	case isNumber:
		return nil, errValue
	}
	switch t := text(v); {
	case oid == pgtype.ByteaOID:
		return []byte(t), nil
	case oid == pgtype.TextOID:
		return t, nil
	case oid == pgtype.UUIDOID && len(t) == 16:
		return pgtype.UUID{Bytes: [16]byte([]byte(t)), Valid: true}, nil
	}
	return nil, errValue
}

// Rows calls fn with every row of a table, in any order, with values as the other store has them. They are valid inside
// of fn.
func (m *Import) Rows(ctx context.Context, table string, columns []string, fn func([]any) error) error {
	return m.each(ctx, table, `SELECT `+quotedAll(columns)+` FROM `+quoted(table), func(types []uint32, raw row) error {
		values := make([]any, len(raw))
		for i := range raw {
			values[i] = plainValue(types[i], raw, i)
		}
		return fn(values)
	})
}

// plainValue is the other way round than valueFor.
func plainValue(oid uint32, r row, i int) any {
	switch {
	case r.Null(i):
		return nil
	case oid == pgtype.BoolOID:
		if r.Bool(i) {
			return int64(1)
		}
		return int64(0)
	case oid == pgtype.Int8OID, oid == pgtype.Int4OID:
		return r.Int(i)
	}
	return r[i]
}

// Count is how many rows a table has.
func (m *Import) Count(ctx context.Context, table string) (n int64, err error) {
	err = m.pool.QueryRow(ctx, `SELECT count(*) FROM `+quoted(table)).Scan(&n)
	return n, explain(err)
}

// CountByMailbox calls fn with how many rows each mailbox has that has any, in the order of their numbers.
func (m *Import) CountByMailbox(ctx context.Context, table string, fn func(box, rows int64) error) error {
	box := "box"
	if table == "mailboxes" {
		box = "num"
	}
	return m.each(ctx, table, `SELECT `+box+`, count(*) FROM `+quoted(table)+` GROUP BY 1 ORDER BY 1`,
		func(_ []uint32, r row) error {
			return fn(r.Int(0), r.Int(1))
		})
}

// each reads the rows of a question as they come.
func (m *Import) each(ctx context.Context, table, sql string, fn func(types []uint32, raw row) error) error {
	rows, err := m.pool.Query(ctx, sql)
	if err != nil {
		return fmt.Errorf("read %s: %w", table, explain(err))
	}
	defer rows.Close()
	var types []uint32
	for _, f := range rows.FieldDescriptions() {
		if f.Format != pgx.BinaryFormatCode && f.DataTypeOID != pgtype.TextOID { // whose bytes are the same in both
			return fmt.Errorf("read %s: the server answers in another form than was asked for", table)
		}
		types = append(types, f.DataTypeOID)
	}
	for rows.Next() {
		if err := fn(types, rows.RawValues()); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read %s: %w", table, explain(err))
	}
	return nil
}
