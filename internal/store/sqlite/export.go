package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"zombiezen.com/go/sqlite"
)

// Table is a table of the store as another store takes it over. Rows come in the order of the table's key; their values
// are int64, string, []byte or nil, as they are stored here: a truth is 0 or 1, an id 16 bytes, a time milliseconds.
type Table struct {
	Name    string
	columns []string // "expression AS name" where the name alone would not do
	key     []string // columns of ours that order the rows
	box     string   // the mailbox of a row; empty: it is nobody's
	where   string   // which rows there are; empty: all
}

// Columns are the names that the other store has for them.
func (t Table) Columns() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		if at := strings.LastIndex(c, " AS "); at >= 0 {
			c = c[at+len(" AS "):]
		}
		names[i] = c
	}
	return names
}

// OfMailboxes tells whether each row is some mailbox's.
func (t Table) OfMailboxes() bool { return t.box != "" }

// Tables are all tables but those that are derived or that hold one number (see Numbers).
func Tables() []Table { return append([]Table{}, exported...) }

// Rows calls fn with every row after a key, nil for all, and with the key of that row. An error of fn ends it and is
// given back.
func (s *Snapshot) Rows(t Table, after []any, fn func(key, row []any) error) error {
	if after != nil && len(after) != len(t.key) {
		return fmt.Errorf("read %s: a key of %d columns", t.Name, len(after))
	}
	// in full: a column may have the name of one that is made of it
	key := t.Name + `.` + strings.Join(t.key, `, `+t.Name+`.`)
	conditions := t.conditions()
	if after != nil {
		conditions = append(conditions, `(`+key+`) > (?`+strings.Repeat(`, ?`, len(t.key)-1)+`)`)
	}
	b := s.sql(`SELECT ` + key + `, ` + strings.Join(t.columns, ", ") + ` FROM ` + t.Name + where(conditions) +
		` ORDER BY ` + key)
	for _, v := range after {
		bindAny(b, v)
	}
	return b.each(func(r row) error {
		values := make([]any, len(t.key)+len(t.columns))
		for i := range values {
			var err error
			if values[i], err = r.any(i); err != nil {
				return fmt.Errorf("read %s: %w", t.Name, err)
			}
		}
		return fn(values[:len(t.key)], values[len(t.key):])
	})
}

// Count is how many rows a table has.
func (s *Snapshot) Count(t Table) (n int64, err error) {
	err = s.sql(`SELECT count(*) FROM ` + t.Name + where(t.conditions())).one(func(r row) { n = r.Int(0) })
	return n, err
}

// CountByMailbox calls fn with how many rows each mailbox has that has any, in the order of their numbers.
func (s *Snapshot) CountByMailbox(t Table, fn func(box, rows int64) error) error {
	return s.sql(`SELECT ` + t.box + `, count(*) FROM ` + t.Name + where(t.conditions()) + ` GROUP BY 1 ORDER BY 1`).
		each(func(r row) error { return fn(r.Int(0), r.Int(1)) })
}

// Numbers are what a store has counted up to, and must not count again.
type Numbers struct {
	Gone  int64            // the highest number of an event of a mailbox that was removed
	Given map[string]int64 // by table: the highest number that a row ever had
}

// Numbers returns them.
func (s *Snapshot) Numbers() (n Numbers, err error) {
	n.Given = make(map[string]int64)
	if err := s.sql(`SELECT number FROM gone`).one(func(r row) { n.Gone = r.Int(0) }); err != nil {
		return n, fmt.Errorf("read gone: %w", err)
	}
	err = s.sql(`SELECT name, seq FROM sqlite_sequence`).each(
		func(r row) error { n.Given[r.Text(0)] = r.Int(1); return nil })
	return n, err
}

func (s *Snapshot) sql(text string) *stmt { return newQueries(s.conn).sql(text) }

func (t Table) conditions() []string {
	if t.where == "" {
		return nil
	}
	return []string{t.where}
}

func where(conditions []string) string {
	if len(conditions) == 0 {
		return ``
	}
	return ` WHERE ` + strings.Join(conditions, ` AND `)
}

// any returns a value as it is stored.
func (r row) any(i int) (any, error) {
	switch r.s.ColumnType(i) {
	case sqlite.TypeNull:
		return nil, nil
	case sqlite.TypeInteger:
		return r.Int(i), nil
	case sqlite.TypeText:
		return r.Text(i), nil
	case sqlite.TypeBlob:
		return r.Blob(i), nil
	}
	return nil, errors.New("a value of a type that none of ours has")
}

func bindAny(b *stmt, v any) {
	switch v := v.(type) {
	case int64:
		b.int(v)
	case string:
		b.text(v)
	case []byte:
		b.blob(v)
	default:
		b.null()
	}
}
