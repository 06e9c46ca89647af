package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mailkin/mailkin/internal/store"
)

// A store that is closed has no log, however its connections end.
func TestCloseLeavesNoLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mail.db")
	for range 100 {
		db, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(t.Context(), func(tx store.Tx) error {
			return tx.(*queries).sql(`UPDATE ping SET n = n + 1`).run()
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path + "-wal"); !os.IsNotExist(err) {
			t.Fatalf("the log is still there: %v", err)
		}
	}
}
