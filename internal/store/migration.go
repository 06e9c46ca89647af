package store

import (
	"fmt"
	"log/slog"
	"path"
	"strings"
	"time"
)

// Migration is a script that changes the tables of a store.
type Migration struct {
	Number int
	Name   string // of its file
	Text   string
}

// NewMigration is the script of a file.
func NewMigration(number int, file string, text []byte) Migration {
	return Migration{Number: number, Name: strings.TrimSuffix(path.Base(file), ".sql"), Text: string(text)}
}

// Purpose is what the script is for: the comment that it begins with.
func (m Migration) Purpose() string {
	var words []string
	for line := range strings.Lines(m.Text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "--")
		if !ok {
			break
		}
		words = append(words, strings.TrimSpace(comment))
	}
	return strings.Join(words, " ")
}

// LogMigration tells what was done to the tables of a store that has data, and how long it took.
func LogMigration(log *slog.Logger, m Migration, took time.Duration) {
	log.Info("changed the tables", "migration", m.Name, "purpose", m.Purpose(), "took", took.Round(time.Millisecond))
}

// NewerError says that a store was made by a newer version than this program.
func NewerError(have, know int) error {
	return fmt.Errorf("it was made by a newer version of mailkin (its tables are at %d, this program knows %d): start "+
		"that version again, or restore the backup from before the upgrade; tables are never changed back", have, know)
}
