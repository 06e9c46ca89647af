package test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A newer node changes the tables while older ones are at work, as it does within a release: by adding to them. The
// older go on, and can be restarted, one after the other, and clients notice nothing. Only tables of a
// form that is above its own are refused, at the start and with a word that says so.
//
// With an older program in MAILKIN_TEST_BINARY and a newer one in MAILKIN_TEST_NEWER_BINARY it is these two, side by
// side, and what the newer does to the tables.
func TestNodesUpgrade(t *testing.T) {
	t.Parallel()
	f, to, hooks := newFaults(t, 2, 1)
	d := f.d
	conn, err := pgx.Connect(t.Context(), d.database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	stop := f.begin(t)
	f.some(t)
	newer := os.Getenv("MAILKIN_TEST_NEWER_BINARY")
	if newer == "" {
		addToTables(t, conn)
	}
	f.some(t)
	f.mu.Lock()
	if f.refused+f.broken > 0 {
		t.Errorf("%d calls were refused and %d broken off while the tables were added to", f.refused, f.broken)
	}
	f.mu.Unlock()
	for i := range d.nodes {
		d.move(i, place{}) // the balancer is told first
		d.nodes[i].stop(t)
		f.some(t)
		if newer != "" {
			d.nodes[i].wrap = []string{"sh", "-c", `exec "$0" serve`, newer}
		}
		d.start(i)
		f.some(t)
	}
	stop()
	f.finish(t, to, hooks)

	if _, err := conn.Exec(t.Context(), `UPDATE deployment SET schema = schema + 1`); err != nil {
		t.Fatal(err)
	}
	d.nodes[0].deliver(t, mail("on a node that was there before"), f.boxes[0].address)
	status, _, stderr := run(t, d.nodes[1].environ, "serve")
	if status != 1 || !strings.Contains(stderr, "newer version") || strings.Count(stderr, "\n") > 2 {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// addToTables does what the script of a later version may do: a column for every table, with and without a value, an
// index, a table, and the note that it was done.
func addToTables(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	rows, err := conn.Query(t.Context(), `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'
		AND NOT (SELECT relispartition FROM pg_class WHERE oid = tablename::regclass) ORDER BY tablename`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 20 {
		t.Fatalf("tables %v: %v", tables, err)
	}
	var script []string
	for _, name := range tables { // each for itself: together they would meet what holds one and wants another
		script = append(script, fmt.Sprintf(`ALTER TABLE %s ADD COLUMN novel text, ADD COLUMN novelty bigint NOT NULL DEFAULT 7`, pgx.Identifier{name}.Sanitize()))
	}
	script = append(script, `CREATE TABLE novels (box bigint PRIMARY KEY)`,
		`CREATE INDEX novels_of ON messages (box, novelty)`,
		`INSERT INTO migrations (number, name) VALUES (9999, '9999_novel')`)
	for _, line := range script {
		if _, err := conn.Exec(t.Context(), line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// some waits until more mail has come and gone.
func (f *faults) some(t *testing.T) {
	t.Helper()
	count := func() (int, int) {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.accepted), len(f.keys)
	}
	mails, sends := count()
	eventually(t, func() error {
		if m, s := count(); m < mails+20 || s < sends+10 {
			return fmt.Errorf("%d mails and %d sends more", m-mails, s-sends)
		}
		return nil
	})
}
