package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// notExported is what another store does not need: its own order makes up for docs' numbers.
var notExported = []string{"ping.n", "gone.number", "sqlite_sequence.name", "sqlite_sequence.seq", "messages.pk",
	"messages.doc",
	"docs.doc", "docs.message", "forgotten.doc", "events.pk",
	"bases.box", "bases.seq", "bases.base"}

// A column that a migration adds must be exported too, or be named here.
func TestExportHasEveryColumn(t *testing.T) {
	s := snapshotOf(t, newDB(t))
	exported := map[string]bool{}
	for _, table := range Tables() {
		for _, c := range table.Columns() {
			exported[table.Name+"."+c] = true
		}
	}
	err := s.sql(`SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`).each(func(r row) error {
		if c := r.Text(0); !exported[c] && !slices.Contains(notExported, c) {
			t.Errorf("%s is not exported", c)
		}
		return nil
	})
	mustWork(t)(err)
}

func snapshotOf(t *testing.T, db *DB) *Snapshot {
	t.Helper()
	s, err := OpenSnapshot(db.path)
	mustWork(t)(err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Rows read in pieces of any size are the rows of the table, once each and as they were stored.
func TestExportInPieces(t *testing.T) {
	db := newDB(t)
	a, b := newBox(t, db, "a@x.org"), newBox(t, db, "b@x.org")
	odd := []string{"", "\x00", "a\x00b", "\xff\xfe", "a", "a b"}
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
		for i, text := range odd {
			for _, num := range []mailbox.Num{b, a} {
				m := mailbox.Message{ID: mailbox.ID{byte(num), byte(i)}, Mailbox: num, Subject: text,
					MessageID: "<" + text + ">"}
				err := errors.Join(tx.InsertMessage(t.Context(), &m, store.Content{Packed: []byte(text)}),
					tx.InsertContact(t.Context(), num, text, false))
				if err != nil {
					return err
				}
			}
		}
		return nil
	}))
	s := snapshotOf(t, db)
	for _, table := range Tables() {
		want := pieces(t, s, table, 1000)
		if n, err := s.Count(table); err != nil || int(n) != len(want) {
			t.Errorf("%s: %d rows are counted, %d read: %v", table.Name, n, len(want), err)
		}
		for size := 1; size < 4; size++ {
			if got := pieces(t, s, table, size); !slices.Equal(got, want) {
				t.Errorf("%s in pieces of %d:\n%s\nwant\n%s", table.Name, size, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
		}
	}
	if contacts := pieces(t, s, tableNamed("contacts"), 5); len(contacts) != 2*len(odd) ||
		!slices.Contains(contacts, fmt.Sprintf("%q", []any{int64(a), "a\x00b", int64(0)})) {
		t.Errorf("contacts %q", contacts)
	}
}

func tableNamed(name string) Table {
	all := Tables()
	return all[slices.IndexFunc(all, func(t Table) bool { return t.Name == name })]
}

// pieces reads a table a given number of rows at a time.
func pieces(t *testing.T, s *Snapshot, table Table, size int) (list []string) {
	t.Helper()
	full := errors.New("full")
	for after, more := []any(nil), true; more; {
		n := 0
		err := s.Rows(table, after, func(key, row []any) error {
			if n == size {
				return full
			}
			n++
			after = key
			list = append(list, fmt.Sprintf("%q", row))
			return nil
		})
		if more = errors.Is(err, full); err != nil && !more {
			t.Fatal(err)
		}
	}
	return list
}
