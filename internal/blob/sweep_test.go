package blob

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Sweep removes the folders that it empties, and those that a crash left empty.
func TestSweepRemovesFolders(t *testing.T) {
	d := openDir(t)
	put(t, d, []byte("x"), "2/orphan")
	backdate(t, filepath.Join(d.root, "02/2/orphan"))
	put(t, d, []byte("young"), "3/young")
	if err := os.Mkdir(filepath.Join(d.root, "03/103"), 0o700); err != nil {
		t.Fatal(err)
	}
	if n, err := d.Sweep(t.Context(), time.Hour, keepNone); n != 1 || err != nil {
		t.Errorf("%d, %v; want 1", n, err)
	}
	for _, folder := range []string{"02/2", "03/103"} {
		if _, err := os.Stat(filepath.Join(d.root, folder)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("empty folder %s stays: %v", folder, err)
		}
	}
	wantFiles(t, d, "03/3/young")
}
