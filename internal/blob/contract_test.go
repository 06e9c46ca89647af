package blob

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// shop is a store whose inside a test can see. Names are those of files or objects, such as 45/12345/abc.
type shop struct {
	Store
	files   func(t testing.TB) []string         // all there are; a draft that is not yet a file is "draft"
	age     func(t testing.TB, name string)     // makes it two hours old
	foreign func(t testing.TB, names ...string) // puts something there past the store
}

// eachShop runs a test of the contract on every kind of store.
func eachShop(t *testing.T, fn func(t *testing.T, s shop)) {
	t.Run("dir", func(t *testing.T) { fn(t, dirShop(t)) })
	t.Run("bucket", func(t *testing.T) { fn(t, bucketShop(t)) })
}

func dirShop(t testing.TB) shop {
	d := openDir(t)
	return shop{
		Store: d,
		files: func(t testing.TB) []string { return files(t, d) },
		age:   func(t testing.TB, name string) { backdate(t, filepath.Join(d.root, name)) },
		foreign: func(t testing.TB, names ...string) {
			for _, name := range names {
				writeFile(t, filepath.Join(d.root, name))
			}
		},
	}
}

// want checks what there is in the store.
func (s shop) want(t testing.TB, names ...string) {
	t.Helper()
	if diff := cmp.Diff(names, s.files(t), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("in the store (-want +got):\n%s", diff)
	}
}

func (s shop) draft(t testing.TB) Draft {
	t.Helper()
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// backdate sets back the time of a file.
func backdate(t testing.TB, name string) {
	t.Helper()
	then := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(name, then, then); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t testing.TB, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("left by a crash"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func keepNone([]string) ([]string, error) { return nil, nil }

// Bytes that cannot be compressed are the ones that make the sizes; what packing does to others is tested without a
// store.
func TestRoundTrip(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		contents := [][]byte{textBytes(2 << 20)}
		for _, n := range sizes {
			contents = append(contents, randomBytes(n))
		}
		for i, raw := range contents {
			w := s.draft(t)
			writeChunks(t, w, raw)
			if w.Size() != int64(len(raw)) {
				t.Errorf("size %d, want %d", w.Size(), len(raw))
			}
			key := fmt.Sprintf("12345/m%d", i)
			if err := w.Commit(t.Context(), key); err != nil {
				t.Fatal(err)
			}
			wantObject(t, s, key, raw)
		}
	})
}

// Small for more keys than are worked on at once, and large for some.
func TestManyKeys(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		for n, count := range map[int]int{5000: 12, 6 << 20: 3} {
			raw := randomBytes(n)
			var keys, names []string
			for i := range count {
				keys = append(keys, fmt.Sprintf("%d/m%d", 30+i, n))
				names = append(names, fmt.Sprintf("%d/%d/m%d", 30+i, 30+i, n))
			}
			put(t, s, raw, keys...)
			s.want(t, names...)
			if err := s.Delete(t.Context(), keys[1:]...); err != nil {
				t.Fatal(err)
			}
			wantObject(t, s, keys[0], raw)
			if err := s.Delete(t.Context(), keys[0]); err != nil {
				t.Fatal(err)
			}
		}
		s.want(t)
	})
}

func TestInvalidKeys(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		for _, key := range []string{
			"", "/", "1", "1/", "/1", "1/2/3", "../1", "1/..", "1/.", "./1", "/etc/passwd", "1/A", "1/a.b", "1/a b",
			"1/ä",
			"1/a\x00", "1//a", "1/a/", `1\a`, "1/" + strings.Repeat("a", 65), strings.Repeat("1", 65) + "/a",
		} {
			t.Run(fmt.Sprintf("%q", key), func(t *testing.T) {
				if _, err := s.Open(t.Context(), key); err == nil || errors.Is(err, ErrNotFound) {
					t.Errorf("Open: %v", err)
				}
				if err := s.Delete(t.Context(), "1/a", key); err == nil {
					t.Error("Delete takes it")
				}
				if err := s.draft(t).Commit(t.Context(), "1/a", key); err == nil {
					t.Error("Commit takes it")
				}
			})
		}
		s.want(t)
	})
}

func TestOpenMissing(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		put(t, s, nil, "1/a")
		for _, key := range []string{"1/b", "2/a", "101/a"} {
			if _, err := s.Open(t.Context(), key); !errors.Is(err, ErrNotFound) {
				t.Errorf("%s: %v, want ErrNotFound", key, err)
			}
		}
	})
}

func TestOpenForeign(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.foreign(t, "01/1/a")
		if _, err := s.Open(t.Context(), "1/a"); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%v, want ErrCorrupt", err)
		}
	})
}

func TestDelete(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		put(t, s, textBytes(5000), "1/a", "1/b", "2/a")
		if err := s.Delete(t.Context(), "1/a", "1/missing", "3/missing", "2/a"); err != nil {
			t.Fatal(err)
		}
		s.want(t, "01/1/b")
		if err := s.Delete(t.Context(), "1/missing"); err != nil {
			t.Errorf("a missing key alone: %v", err)
		}
		if err := s.Delete(t.Context()); err != nil {
			t.Errorf("no keys: %v", err)
		}
	})
}

func TestDeletePrefix(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		for _, prefix := range []string{"23", "23/"} {
			t.Run(prefix, func(t *testing.T) {
				put(t, s, []byte("x"), "23/a", "23/b", "23/c", "123/a", "3/a", "2/a", "234/a")
				n, err := s.DeletePrefix(t.Context(), prefix)
				if n != 3 || err != nil {
					t.Errorf("%d, %v", n, err)
				}
				s.want(t, "02/2/a", "03/3/a", "23/123/a", "34/234/a")
				if n, err := s.DeletePrefix(t.Context(), prefix); n != 0 || err != nil {
					t.Errorf("again: %d, %v", n, err)
				}
				if err := s.Delete(t.Context(), "123/a", "3/a", "2/a", "234/a"); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

func TestDeletePrefixRefuses(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		put(t, s, []byte("x"), "1/a")
		for _, prefix := range []string{"", "/", ".", "..", "../1", "1/a", "1//", "tmp/..", "A"} {
			if _, err := s.DeletePrefix(t.Context(), prefix); err == nil {
				t.Errorf("%q is taken", prefix)
			}
		}
		s.want(t, "01/1/a")
	})
}

func TestPing(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		if err := s.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		s.want(t)
		if free, total, err := s.Free(); err != nil || free == 0 || total < free {
			t.Errorf("free %d of %d, %v", free, total, err)
		}
	})
}

func TestCancelled(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		put(t, s, []byte("x"), "1/a")
		w := s.draft(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, createErr := s.Create(ctx)
		_, openErr := s.Open(ctx, "1/a")
		_, prefixErr := s.DeletePrefix(ctx, "1")
		_, sweepErr := s.Sweep(ctx, 0, keepNone)
		for name, err := range map[string]error{
			"Create": createErr, "Commit": w.Commit(ctx, "1/b"), "Open": openErr, "Delete": s.Delete(ctx, "1/a"),
			"DeletePrefix": prefixErr, "Sweep": sweepErr,
		} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
		s.want(t, "01/1/a")
	})
}
