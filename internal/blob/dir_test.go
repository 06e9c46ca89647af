package blob

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func openDir(t testing.TB) *Dir {
	t.Helper()
	d, err := OpenDir(filepath.Join(t.TempDir(), "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// put stores raw under the keys.
func put(t testing.TB, s Store, raw []byte, keys ...string) {
	t.Helper()
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(t.Context(), keys...); err != nil {
		t.Fatal(err)
	}
}

// files lists the files in the store, drafts included.
func files(t testing.TB, d *Dir) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(d.root, func(name string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(d.root, name)
		if err == nil && !e.IsDir() {
			names = append(names, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func wantFiles(t testing.TB, d *Dir, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, files(t, d)); diff != "" {
		t.Errorf("files in the store (-want +got):\n%s", diff)
	}
}

func wantObject(t testing.TB, s Store, key string, raw []byte) {
	t.Helper()
	o, err := s.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	got, err := readAll(o)
	if err != nil || !bytes.Equal(got, raw) {
		t.Errorf("object %s is not what went in: %d of %d bytes, %v", key, len(got), len(raw), err)
	}
}

func TestDirPermissions(t *testing.T) {
	d := openDir(t)
	put(t, d, []byte("hello"), "7/a")
	for name, want := range map[string]fs.FileMode{
		"": 0o700, "tmp": 0o700, "07": 0o700, "07/7": 0o700, "07/7/a": 0o600,
	} {
		st, err := os.Stat(filepath.Join(d.root, name))
		if err != nil || st.Mode().Perm() != want {
			t.Errorf("%q: %v, %v; want %v", name, st.Mode(), err, want)
		}
	}
}

// A file that shrinks while it is read must not look like one that ends.
func TestReadOfShrunkFile(t *testing.T) {
	d := openDir(t)
	put(t, d, randomBytes(5000), "1/a")
	o, err := d.Open(t.Context(), "1/a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := os.Truncate(filepath.Join(d.root, "01/1/a"), 100); err != nil {
		t.Fatal(err)
	}
	if _, err := o.ReadAt(make([]byte, 10), 0); !errors.Is(err, ErrCorrupt) || errors.Is(err, io.EOF) {
		t.Errorf("%v, want ErrCorrupt", err)
	}
}

func TestOpenDamagedFile(t *testing.T) {
	d := openDir(t)
	put(t, d, textBytes(5000), "1/a")
	if err := os.Truncate(filepath.Join(d.root, "01/1/a"), 100); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Open(t.Context(), "1/a"); !errors.Is(err, ErrCorrupt) {
		t.Errorf("%v, want ErrCorrupt", err)
	}
}

func TestKeysShareBytes(t *testing.T) {
	d := openDir(t)
	raw := textBytes(5000)
	put(t, d, raw, "1/a", "2/b", "1/c")
	wantFiles(t, d, "01/1/a", "01/1/c", "02/2/b")
	first, _ := os.Stat(filepath.Join(d.root, "01/1/a"))
	for _, name := range []string{"01/1/c", "02/2/b"} {
		if st, err := os.Stat(filepath.Join(d.root, name)); err != nil || !os.SameFile(first, st) {
			t.Errorf("%s is a file of its own: %v", name, err)
		}
	}
	if err := d.Delete(t.Context(), "1/a", "1/c"); err != nil {
		t.Fatal(err)
	}
	wantObject(t, d, "2/b", raw)
}

// An object that is open outlives its key, and a mailbox's folder its last object no longer than need be.
func TestDeleteWhileOpen(t *testing.T) {
	d := openDir(t)
	put(t, d, textBytes(5000), "1/a", "2/a")
	o, err := d.Open(t.Context(), "1/a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := d.Delete(t.Context(), "1/a", "2/a"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(d.root, "02/2")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("empty mailbox folder stays: %v", err)
	}
	if got, err := readAll(o); err != nil || len(got) != 5000 {
		t.Errorf("open object after Delete: %d bytes, %v", len(got), err)
	}
}

func TestPingMissingFolder(t *testing.T) {
	d := openDir(t)
	if err := os.RemoveAll(d.root); err != nil {
		t.Fatal(err)
	}
	if err := d.Ping(t.Context()); err == nil {
		t.Error("Ping finds nothing wrong with a missing folder")
	}
}
