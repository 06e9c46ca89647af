package postgres

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The set-up for Citus names every table, and distributes those only whose unique keys hold the mailbox, which Citus
// demands. It is run with a function in the place of Citus's.
func TestCitusSetup(t *testing.T) {
	db := newStore(t, Options{})
	script, err := os.ReadFile("../../../deploy/citus.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.pool.Exec(t.Context(), `CREATE SCHEMA citus; CREATE TABLE citus.spread (name text PRIMARY KEY);
		CREATE FUNCTION create_distributed_table(name text, key text, shard_count int DEFAULT 0, colocate_with text DEFAULT '')
			RETURNS void LANGUAGE sql AS 'INSERT INTO citus.spread VALUES (name)';`+string(script))
	if err != nil {
		t.Fatal(err)
	}
	list := func(sql string) []string {
		t.Helper()
		rows, err := db.pool.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	for _, index := range list(`SELECT i.indexrelid::regclass::text FROM pg_index i JOIN citus.spread s ON i.indrelid = s.name::regclass
		WHERE i.indisunique AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = 'box'
			AND a.attnum = ANY(i.indkey))`) {
		t.Errorf("the unique index %s has no mailbox", index)
	}
	_, kept, _ := strings.Cut(string(script), "The coordinator keeps")
	named := slices.Concat(list(`SELECT name FROM citus.spread`), regexp.MustCompile(`\w+`).FindAllString(kept, -1))
	for _, table := range list(`SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'`) {
		if !slices.Contains(named, table) {
			t.Errorf("the table %s is not named", table)
		}
	}
}
