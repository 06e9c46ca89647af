package sqlite

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the tables up to date: the numbered scripts in order, forward only, each in a transaction that also
// notes its number. A store that has data is copied first.
func migrate(c *sqlite.Conn, path string, scripts fs.FS, log *slog.Logger) error {
	files, err := fs.Glob(scripts, "migrations/*.sql")
	if err != nil {
		return err
	}
	version, err := sqlitex.ResultInt(c.Prep(`PRAGMA user_version`))
	if err != nil {
		return err
	}
	if version > len(files) {
		return store.NewerError(version, len(files))
	}
	for n := version; n < len(files); n++ {
		if n > 0 && n == version {
			to := fmt.Sprintf("%s.before-%04d", path, n+1)
			log.Info("the tables are brought up to date", "from", version, "to", len(files), "copy", to)
			if err := backup(c, to); err != nil {
				return err
			}
		}
		text, err := fs.ReadFile(scripts, files[n])
		if err != nil {
			return err
		}
		began := time.Now()
		script := fmt.Sprintf("%s\nPRAGMA user_version = %d;", text, n+1)
		if err := sqlitex.ExecuteScript(c, script, nil); err != nil {
			return fmt.Errorf("migration %s: %w", files[n], err)
		}
		if version > 0 { // a new store is not worth a line
			store.LogMigration(log, store.NewMigration(n+1, files[n], text), time.Since(began))
		}
	}
	return nil
}

// backup copies the store to a file, in the place of one that an interrupted start may have left.
func backup(c *sqlite.Conn, to string) error {
	if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // empty, and nobody else's to read
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return err
	}
	err = sqlitex.ExecuteTransient(c, `VACUUM INTO ?`, &sqlitex.ExecOptions{Args: []any{to}})
	if err != nil {
		// half a copy takes room for nothing
		return errors.Join(fmt.Errorf("backup before migration: %w", err), os.Remove(to))
	}
	return nil
}
