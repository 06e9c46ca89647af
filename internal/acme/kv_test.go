package acme

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// table is a KV in memory.
type table struct {
	mu     sync.Mutex
	values map[string][]byte
	leases map[string]tableLease
	broken error
}

type tableLease struct {
	owner string
	until time.Time
}

func newTable() *table { return &table{values: map[string][]byte{}, leases: map[string]tableLease{}} }

func (t *table) Load(_ context.Context, key string) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.values[key]; ok {
		return bytes.Clone(v), nil
	}
	return nil, fs.ErrNotExist
}

func (t *table) Store(_ context.Context, key string, value []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.values[key] = bytes.Clone(value)
	return nil
}

func (t *table) Delete(_ context.Context, key string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.values, func(k string, _ []byte) bool { return k == key || strings.HasPrefix(k, key+"/") })
	return nil
}

func (t *table) List(_ context.Context, prefix string) (keys []string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for k := range t.values {
		if prefix == "" || strings.HasPrefix(k, prefix+"/") {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

func (t *table) Stat(ctx context.Context, key string) (int64, time.Time, error) {
	v, err := t.Load(ctx, key)
	return int64(len(v)), time.Now(), err
}

func (t *table) Lease(_ context.Context, what, holder string, ttl time.Duration) (int64, bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.broken != nil {
		return 0, false, t.broken
	}
	if l, ok := t.leases[what]; ok && l.owner != holder && time.Now().Before(l.until) {
		return 0, false, nil
	}
	t.leases[what] = tableLease{holder, time.Now().Add(ttl)}
	return 1, true, nil
}

func (t *table) Unlease(_ context.Context, what, holder string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.leases[what].owner == holder {
		delete(t.leases, what)
	}
	return nil
}

func share(t *testing.T, kv KV, secret string) *shared {
	t.Helper()
	return Shared(kv, func() [][]byte { return [][]byte{[]byte(secret)} },
		slog.New(slog.DiscardHandler)).(*shared)
}

// What is shared is a file tree, encrypted.
func TestShared(t *testing.T) {
	ctx := t.Context()
	kv := newTable()
	s := share(t, kv, "secret")
	for _, key := range []string{"a/b/one", "a/b/two", "a/three", "ab/four"} {
		if err := s.Store(ctx, key, []byte("value of "+key)); err != nil {
			t.Fatal(err)
		}
	}
	for key, value := range kv.values {
		if bytes.Contains(value, []byte("value")) {
			t.Errorf("%s is kept as it is", key)
		}
	}
	if v, err := share(t, kv, "secret").Load(ctx, "a/b/one"); err != nil || string(v) != "value of a/b/one" {
		t.Errorf("another node loads %q, %v", v, err)
	}
	for _, tt := range []struct {
		path      string
		recursive bool
		want      []string
	}{
		{"a", false, []string{"a/b", "a/three"}},
		{"a", true, []string{"a/b/one", "a/b/two", "a/three"}},
		{"", false, []string{"a", "ab"}},
		{"a/b", false, []string{"a/b/one", "a/b/two"}},
	} {
		got, err := s.List(ctx, tt.path, tt.recursive)
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("list %q: %v (-want +got):\n%s", tt.path, err, diff)
		}
	}
	if info, err := s.Stat(ctx, "a/b/one"); err != nil || !info.IsTerminal ||
		info.Size != int64(len("value of a/b/one")) || info.Modified.IsZero() {
		t.Errorf("stat of a value: %+v, %v", info, err)
	}
	if info, err := s.Stat(ctx, "a/b"); err != nil || info.IsTerminal {
		t.Errorf("stat of a path: %+v, %v", info, err)
	}
	for key, want := range map[string]bool{"a": true, "a/b": true, "a/b/one": true, "a/b/on": false, "x": false} {
		if s.Exists(ctx, key) != want {
			t.Errorf("exists %s: %v", key, !want)
		}
	}
	if err := s.Delete(ctx, "a"); err != nil || s.Exists(ctx, "a") || !s.Exists(ctx, "ab/four") {
		t.Errorf("after deleting a: %v, %v", err, slices.Collect(maps.Keys(kv.values)))
	}
}

func TestSharedMissing(t *testing.T) {
	ctx := t.Context()
	kv := newTable()
	s := share(t, kv, "secret")
	if err := s.Store(ctx, "kept", []byte("value")); err != nil {
		t.Fatal(err)
	}
	kv.values["moved"] = kv.values["kept"]
	other := share(t, kv, "another secret")
	for name, try := range map[string]func() error{
		"load":                   func() error { _, err := s.Load(ctx, "none"); return err },
		"stat":                   func() error { _, err := s.Stat(ctx, "none"); return err },
		"list":                   func() error { _, err := s.List(ctx, "none", false); return err },
		"load by another secret": func() error { _, err := other.Load(ctx, "kept"); return err },
		"load from another key":  func() error { _, err := s.Load(ctx, "moved"); return err },
	} {
		if err := try(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if other.Exists(ctx, "kept") {
		t.Error("it exists, but cannot be read")
	}
	if err := s.Delete(ctx, "none"); err != nil {
		t.Error(err)
	}
}

// One at a time over all nodes; a lock lives as long as its owner.
func TestLock(t *testing.T) {
	t.Run("waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			kv := newTable()
			one, two := share(t, kv, "s"), share(t, kv, "s")
			must(t, one.Lock(t.Context(), "x"))
			must(t, two.Lock(t.Context(), "other"))
			got := make(chan error, 2)
			go func() { got <- two.Lock(t.Context(), "x") }()
			time.Sleep(10 * time.Minute) // many times as long as a lease
			select {
			case err := <-got:
				t.Fatalf("locked twice: %v", err)
			default:
			}
			if ok, err := one.TryLock(t.Context(), "x"); ok || err != nil {
				t.Fatalf("locked twice in one process: %v", err)
			}
			must(t, one.Unlock(t.Context(), "x"))
			must(t, <-got)
			must(t, two.Unlock(t.Context(), "x"))
			must(t, two.Unlock(t.Context(), "other"))
			if len(kv.leases) > 0 {
				t.Errorf("left: %v", kv.leases)
			}
		})
	})
	t.Run("of a node that died", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			kv := newTable()
			if _, ok, err := kv.Lease(t.Context(), leasePrefix+"x", "the dead", leaseLength); !ok || err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			s := share(t, kv, "s")
			must(t, s.Lock(t.Context(), "x"))
			if waited := time.Since(began); waited < leaseLength || waited > leaseLength+leasePoll {
				t.Errorf("after %v", waited)
			}
			must(t, s.Unlock(t.Context(), "x"))
		})
	})
	t.Run("is given up with its context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			kv := newTable()
			s := share(t, kv, "s")
			must(t, s.Lock(t.Context(), "x"))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := s.Lock(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Lock: %v", err)
			}
			must(t, s.Unlock(t.Context(), "x"))
			if err := s.Unlock(t.Context(), "x"); err == nil {
				t.Error("unlocked twice")
			}
		})
	})
	t.Run("a table out of reach", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			kv := newTable()
			s := share(t, kv, "s")
			must(t, s.Lock(t.Context(), "x"))
			kv.mu.Lock()
			kv.broken = fmt.Errorf("the database is away")
			kv.mu.Unlock()
			time.Sleep(time.Minute)
			if err := s.Lock(t.Context(), "y"); !errors.Is(err, kv.broken) {
				t.Errorf("Lock: %v", err)
			}
			must(t, s.Unlock(t.Context(), "x"))
		})
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
