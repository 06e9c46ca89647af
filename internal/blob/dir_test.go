package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
func put(t testing.TB, d *Dir, raw []byte, keys ...string) {
	t.Helper()
	w, err := d.Create(t.Context())
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

func wantObject(t testing.TB, d *Dir, key string, raw []byte) {
	t.Helper()
	o, err := d.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	got, err := readAll(o)
	if err != nil || !bytes.Equal(got, raw) {
		t.Errorf("object %s is not what went in: %d of %d bytes, %v", key, len(got), len(raw), err)
	}
}

func TestDirRoundTrip(t *testing.T) {
	d := openDir(t)
	eachContent(t, func(t *testing.T, raw []byte) {
		w, err := d.Create(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		writeChunks(t, w, raw)
		if w.Size() != int64(len(raw)) {
			t.Errorf("size %d, want %d", w.Size(), len(raw))
		}
		key := strings.ToLower(strings.ReplaceAll(t.Name()[len("TestDirRoundTrip/"):], "/", "-"))
		if err := w.Commit(t.Context(), "12345/"+key); err != nil {
			t.Fatal(err)
		}
		wantObject(t, d, "12345/"+key, raw)
	})
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

func TestInvalidKeys(t *testing.T) {
	d := openDir(t)
	for _, key := range []string{
		"", "/", "1", "1/", "/1", "1/2/3", "../1", "1/..", "1/.", "./1", "/etc/passwd", "1/A", "1/a.b", "1/a b", "1/ä",
		"1/a\x00", "1//a", "1/a/", `1\a`, "1/" + strings.Repeat("a", 65), strings.Repeat("1", 65) + "/a",
	} {
		t.Run(fmt.Sprintf("%q", key), func(t *testing.T) {
			if _, err := d.Open(t.Context(), key); err == nil || errors.Is(err, ErrNotFound) {
				t.Errorf("Open: %v", err)
			}
			if err := d.Delete(t.Context(), "1/a", key); err == nil {
				t.Error("Delete takes it")
			}
			w, _ := d.Create(t.Context())
			if err := w.Commit(t.Context(), "1/a", key); err == nil {
				t.Error("Commit takes it")
			}
		})
	}
	wantFiles(t, d)
}

func TestOpenMissing(t *testing.T) {
	d := openDir(t)
	put(t, d, nil, "1/a")
	for _, key := range []string{"1/b", "2/a", "101/a"} {
		if _, err := d.Open(t.Context(), key); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", key, err)
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

func TestDelete(t *testing.T) {
	d := openDir(t)
	put(t, d, textBytes(5000), "1/a", "1/b", "2/a")
	o, err := d.Open(t.Context(), "1/a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := d.Delete(t.Context(), "1/a", "1/missing", "3/missing", "2/a"); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, d, "01/1/b")
	if _, err := os.Stat(filepath.Join(d.root, "02/2")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("empty mailbox folder stays: %v", err)
	}
	if got, err := readAll(o); err != nil || len(got) != 5000 {
		t.Errorf("open object after Delete: %d bytes, %v", len(got), err)
	}
	if err := d.Delete(t.Context()); err != nil {
		t.Errorf("no keys: %v", err)
	}
}

func TestDeletePrefix(t *testing.T) {
	for _, prefix := range []string{"23", "23/"} {
		t.Run(prefix, func(t *testing.T) {
			d := openDir(t)
			put(t, d, []byte("x"), "23/a", "23/b", "23/c", "123/a", "3/a", "2/a", "234/a")
			n, err := d.DeletePrefix(t.Context(), prefix)
			if n != 3 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
			wantFiles(t, d, "02/2/a", "03/3/a", "23/123/a", "34/234/a")
			if n, err := d.DeletePrefix(t.Context(), prefix); n != 0 || err != nil {
				t.Errorf("again: %d, %v", n, err)
			}
		})
	}
}

func TestDeletePrefixRefuses(t *testing.T) {
	d := openDir(t)
	put(t, d, []byte("x"), "1/a")
	for _, prefix := range []string{"", "/", ".", "..", "../1", "1/a", "1//", "tmp/..", "A"} {
		if _, err := d.DeletePrefix(t.Context(), prefix); err == nil {
			t.Errorf("%q is taken", prefix)
		}
	}
	wantFiles(t, d, "01/1/a")
}

func TestPingAndFree(t *testing.T) {
	d := openDir(t)
	if err := d.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	wantFiles(t, d)
	if free, total, err := d.Free(); err != nil || free == 0 || total < free {
		t.Errorf("free %d of %d, %v", free, total, err)
	}
	if err := os.RemoveAll(d.root); err != nil {
		t.Fatal(err)
	}
	if err := d.Ping(t.Context()); err == nil {
		t.Error("Ping finds nothing wrong with a missing folder")
	}
}

func TestCancelled(t *testing.T) {
	d := openDir(t)
	put(t, d, []byte("x"), "1/a")
	w, err := d.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, createErr := d.Create(ctx)
	_, openErr := d.Open(ctx, "1/a")
	_, prefixErr := d.DeletePrefix(ctx, "1")
	_, sweepErr := d.Sweep(ctx, 0, keepNone)
	for name, err := range map[string]error{
		"Create": createErr, "Commit": w.Commit(ctx, "1/b"), "Open": openErr, "Delete": d.Delete(ctx, "1/a"),
		"DeletePrefix": prefixErr, "Sweep": sweepErr,
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantFiles(t, d, "01/1/a")
}
