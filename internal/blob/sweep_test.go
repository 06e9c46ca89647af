package blob

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func keepNone(string) (bool, error) { return false, nil }

// age sets back the time of a file in the store.
func age(t *testing.T, d *Dir, name string) {
	t.Helper()
	then := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Join(d.root, name), then, then); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, d *Dir, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(d.root, name)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.root, name), []byte("left by a crash"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSweep(t *testing.T) {
	d := openDir(t)
	for _, name := range []string{"1/kept", "1/orphan", "2/orphan"} {
		put(t, d, []byte(name), name)
	}
	for _, name := range []string{"tmp/OLD", "tmp/YOUNG", "lost+found/x", "01/Foreign/x", "01/1/Foreign", "02/1/misplaced", "note"} {
		writeFile(t, d, name)
	}
	for _, name := range []string{
		"tmp/OLD", "lost+found/x", "01/Foreign/x", "01/1/Foreign", "02/1/misplaced", "note",
		"01/1/kept", "01/1/orphan", "02/2/orphan",
	} {
		age(t, d, name)
	}
	put(t, d, []byte("young"), "3/young")
	if err := os.Mkdir(filepath.Join(d.root, "03/103"), 0o700); err != nil {
		t.Fatal(err)
	}
	var asked []string
	n, err := d.Sweep(t.Context(), time.Hour, func(key string) (bool, error) {
		asked = append(asked, key)
		return key == "1/kept", nil
	})
	if n != 3 || err != nil {
		t.Errorf("%d, %v; want 3", n, err)
	}
	want := []string{"1/kept", "1/orphan", "2/orphan"}
	if diff := cmp.Diff(want, asked, cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	wantFiles(t, d, "01/1/Foreign", "01/1/kept", "01/Foreign/x", "02/1/misplaced", "03/3/young", "lost+found/x", "note", "tmp/YOUNG")
	for _, folder := range []string{"02/2", "03/103"} {
		if _, err := os.Stat(filepath.Join(d.root, folder)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("empty folder %s stays: %v", folder, err)
		}
	}
}

func TestSweepStopsWhenKeepFails(t *testing.T) {
	d := openDir(t)
	put(t, d, []byte("x"), "1/a")
	age(t, d, "01/1/a")
	broken := errors.New("database is gone")
	if n, err := d.Sweep(t.Context(), time.Hour, func(string) (bool, error) { return false, broken }); n != 0 || !errors.Is(err, broken) {
		t.Errorf("%d, %v", n, err)
	}
	wantFiles(t, d, "01/1/a")
}

// A draft that Sweep took for a leftover fails its Commit; it does not lose the message silently.
func TestCommitAfterSweep(t *testing.T) {
	d := openDir(t)
	w := newDraft(d)
	writeChunks(t, w, randomBytes(2<<20))
	if n, err := d.Sweep(t.Context(), -time.Hour, keepNone); n != 1 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if err := w.Commit(t.Context(), "1/a"); err == nil {
		t.Error("commit succeeds without its file")
	}
	wantFiles(t, d)
}
