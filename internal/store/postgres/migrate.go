package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// schema is the form of the tables that this program works with. Within one, scripts only add: a node that does not
// know the newest goes on working alongside those that do. It is raised with a script that takes something away, for
// which all nodes have to be stopped.
const schema = 1

// migrate brings the tables up to date: the numbered scripts in order, forward only, each in a transaction that also
// notes its number. One node at a time does so, and the others find it done.
func migrate(ctx context.Context, pool *pgxpool.Pool, scripts fs.FS, partitions int, log *slog.Logger) error {
	files, err := fs.Glob(scripts, "migrations/*.sql")
	if err != nil {
		return err
	}
	steps := migrator{scripts: scripts, files: files, partitions: partitions}
	for try, done := 1, false; !done; try++ {
		steps.ran = nil
		began := time.Now()
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) (err error) {
			done, err = steps.next(ctx, tx)
			return err
		})
		if busy := code(err); try <= migrateTries && (busy == "55P03" || busy == "40P01") {
			pause(ctx, migratePause)
			continue
		}
		if err != nil {
			return fmt.Errorf("bring the tables up to date: %w", err)
		}
		if steps.ran != nil && !steps.fresh {
			store.LogMigration(log, *steps.ran, time.Since(began))
		}
	}
	return nil
}

const (
	// migrateLock is how long a script waits for a table that other nodes are at work on: for as long they wait behind
	// it. Then it lets them through, and is run again.
	migrateLock  = `SET LOCAL lock_timeout = '2s'`
	migrateTries = 100
	migratePause = 10 // as for the tenth attempt of an update
)

// migrator runs scripts.
type migrator struct {
	scripts    fs.FS
	files      []string
	partitions int
	fresh      bool             // the tables are new
	ran        *store.Migration // by the last step; nil: none
}

// next runs the next script, or says that there is none.
func (m *migrator) next(ctx context.Context, tx pgx.Tx) (done bool, err error) {
	if err := lockTables(ctx, tx); err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now());
		CREATE TABLE IF NOT EXISTS deployment (schema integer NOT NULL, partitions integer NOT NULL);`)
	if err != nil {
		return false, err
	}
	var have, number int
	err = tx.QueryRow(ctx, `SELECT schema, partitions FROM deployment`).Scan(&have, &m.partitions)
	if errors.Is(err, pgx.ErrNoRows) {
		have = schema
		_, err = tx.Exec(ctx, `INSERT INTO deployment VALUES ($1, $2)`, schema, m.partitions)
	}
	if err == nil {
		err = tx.QueryRow(ctx, `SELECT coalesce(max(number), 0) FROM migrations`).Scan(&number)
	}
	switch {
	case err != nil:
		return false, err
	case have > schema:
		return false, store.NewerError(have, schema)
	case number >= len(m.files):
		return true, nil
	}
	m.fresh = m.fresh || number == 0
	return false, m.run(ctx, tx, m.files[number], number+1)
}

// lockTables lets one node at a time work on the tables as a whole, for as long as it takes.
func lockTables(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `SET LOCAL lock_timeout = 0`)
	if err == nil {
		_, err = tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, advisory("tables", nil))
	}
	return err
}

func (m *migrator) run(ctx context.Context, tx pgx.Tx, file string, number int) error {
	text, err := fs.ReadFile(m.scripts, file)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, migrateLock); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, cut(string(text), m.partitions)); err != nil {
		return fmt.Errorf("migration %s: %w", path.Base(file), err)
	}
	_, err = tx.Exec(ctx, `INSERT INTO migrations (number, name) VALUES ($1, $2)`, number,
		strings.TrimSuffix(path.Base(file), ".sql"))
	ran := store.NewMigration(number, file, text)
	m.ran = &ran
	return err
}

// cut makes partitions of a script's large tables: those whose last line says that they are partitioned by box. What
// that line sets about how a table is stored is set for each part.
func cut(script string, partitions int) string {
	if partitions <= 0 {
		return script
	}
	var out strings.Builder
	table := ""
	for line := range strings.Lines(script) {
		if name, ok := strings.CutPrefix(line, "CREATE TABLE "); ok {
			table, _, _ = strings.Cut(name, " ")
		}
		with, large := strings.CutSuffix(line, "; -- partitioned by box\n")
		if !large {
			out.WriteString(line)
			continue
		}
		out.WriteString(") PARTITION BY HASH (box);\n")
		for i := range partitions {
			fmt.Fprintf(&out, "CREATE TABLE %s_%d PARTITION OF %s FOR VALUES WITH (MODULUS %d, REMAINDER %d)%s;\n",
				table, i, table, partitions, i, strings.TrimPrefix(with, ")"))
		}
	}
	return out.String()
}
