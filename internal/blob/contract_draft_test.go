package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The taken key may be the first or another one, and the message small or large.
func TestCommitKeepsExistingObject(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		put(t, s, []byte("first"), "2/b")
		for _, n := range []int{0, 6 << 20} {
			for _, keys := range [][]string{{"2/b"}, {"2/b", "1/a"}, {"1/a", "2/b", "3/c"}, {"1/a", "1/a"}} {
				t.Run(fmt.Sprintf("%d bytes to %s", n, strings.Join(keys, " ")), func(t *testing.T) {
					w := s.draft(t)
					writeChunks(t, w, randomBytes(n))
					if err := w.Commit(t.Context(), keys...); !errors.Is(err, fs.ErrExist) {
						t.Errorf("%v, want fs.ErrExist", err)
					}
					s.want(t, "02/2/b")
					wantObject(t, s, "2/b", []byte("first"))
				})
			}
		}
	})
}

func TestCommitWithoutKeys(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		if err := s.draft(t).Commit(t.Context()); err == nil {
			t.Error("an object without a key is taken")
		}
		s.want(t)
	})
}

func TestAbort(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		for name, n := range map[string]int{"empty": 0, "in memory": 1000, "begun": 6<<20 + 5} {
			t.Run(name, func(t *testing.T) {
				w := s.draft(t)
				writeChunks(t, w, randomBytes(n))
				if begun := len(s.files(t)) > 0; begun != (n > 1000) {
					t.Errorf("in the store before Abort: %v", s.files(t))
				}
				w.Abort()
				w.Abort()
				s.want(t)
				if _, err := w.Write([]byte("x")); err == nil {
					t.Error("Write after Abort is taken")
				}
				if err := w.Commit(t.Context(), "1/a"); err == nil {
					t.Error("Commit after Abort is taken")
				}
			})
		}
	})
}

func TestAbortAfterCommit(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		w := s.draft(t)
		if err := w.Commit(t.Context(), "1/a"); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		wantObject(t, s, "1/a", nil)
		if err := w.Commit(t.Context(), "1/b"); err == nil {
			t.Error("a second Commit is taken")
		}
	})
}

func TestConcurrentCommits(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		raw := textBytes(5000)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for j := range 10 {
					key := fmt.Sprintf("1/%d-%d", i, j)
					put(t, s, raw, key)
					wantObject(t, s, key, raw)
					if err := s.Delete(t.Context(), key); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		s.want(t)
	})
}

func TestSweep(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		for _, key := range []string{"1/kept", "1/orphan", "2/orphan", "3/young"} {
			put(t, s, []byte(key), key)
		}
		foreign := []string{"01/1/Foreign", "01/Foreign/x", "02/1/misplaced", "lost+found/x", "note"}
		s.foreign(t, append(foreign, "tmp/OLD", "tmp/YOUNG")...)
		for _, name := range append(foreign, "tmp/OLD", "01/1/kept", "01/1/orphan", "02/2/orphan") {
			s.age(t, name)
		}
		var asked []string
		n, err := s.Sweep(t.Context(), time.Hour, func(keys []string) ([]string, error) {
			asked = append(asked, keys...)
			return []string{"1/kept"}, nil
		})
		if n != 3 || err != nil {
			t.Errorf("%d, %v; want 3", n, err)
		}
		slices.Sort(asked)
		if diff := cmp.Diff([]string{"1/kept", "1/orphan", "2/orphan"}, asked); diff != "" {
			t.Errorf("asked for (-want +got):\n%s", diff)
		}
		s.want(t, "01/1/Foreign", "01/1/kept", "01/Foreign/x", "02/1/misplaced", "03/3/young", "lost+found/x", "note",
			"tmp/YOUNG")
	})
}

func TestSweepStopsWhenKeepFails(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		put(t, s, []byte("x"), "1/a")
		s.age(t, "01/1/a")
		broken := errors.New("database is gone")
		n, err := s.Sweep(t.Context(), time.Hour, func([]string) ([]string, error) { return nil, broken })
		if n != 0 || !errors.Is(err, broken) {
			t.Errorf("%d, %v", n, err)
		}
		s.want(t, "01/1/a")
	})
}

// A draft that Sweep took for a leftover fails its Commit; it does not lose the message silently.
func TestCommitAfterSweep(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		w := s.draft(t)
		writeChunks(t, w, randomBytes(6<<20))
		if n, err := s.Sweep(t.Context(), time.Hour, keepNone); n != 0 || err != nil {
			t.Fatalf("a young draft: %d, %v", n, err)
		}
		if n, err := s.Sweep(t.Context(), -time.Hour, keepNone); n != 1 || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
		if err := w.Commit(t.Context(), "1/a"); err == nil {
			t.Error("commit succeeds without its draft")
		}
		s.want(t)
	})
}
