package postgres

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// newCerts returns an empty table of certificates.
func newCerts(t *testing.T) *Certs {
	t.Helper()
	pool, _ := indexPool(t)
	tables, err := os.ReadFile("migrations/0007_certs.sql")
	if err == nil {
		_, err = pool.Exec(t.Context(), string(tables))
	}
	if err != nil {
		t.Fatal(err)
	}
	return NewCerts(pool)
}

func TestCerts(t *testing.T) {
	c, ctx := newCerts(t), t.Context()
	for _, key := range []string{"a/b/one", "a/b/two", "a/three", "a.b/x", "a0/x", "ab/four", "a%/five", "a"} {
		if err := c.Store(ctx, key, []byte("old")); err != nil {
			t.Fatal(err)
		}
	}
	value := []byte("new\x00value")
	if err := c.Store(ctx, "a/b/one", value); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Load(ctx, "a/b/one"); err != nil || string(got) != string(value) {
		t.Errorf("load: %q, %v", got, err)
	}
	if size, changed, err := c.Stat(ctx, "a/b/one"); err != nil || size != int64(len(value)) ||
		time.Since(changed).Abs() > time.Hour {
		t.Errorf("stat: %d, %v, %v", size, changed, err)
	}
	wantKeys(t, c, "a", "a/b/one", "a/b/two", "a/three")
	wantKeys(t, c, "a/b", "a/b/one", "a/b/two")
	wantKeys(t, c, "a%", "a%/five")
	wantKeys(t, c, "a/b/one")
	if err := c.Delete(ctx, "a"); err != nil {
		t.Error(err)
	}
	wantKeys(t, c, "", "a%/five", "a.b/x", "a0/x", "ab/four")
	for name, err := range map[string]error{
		"load": second(c.Load(ctx, "a/b/one")), "stat": func() error { _, _, err := c.Stat(ctx, "none"); return err }(),
	} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of what is not there: %v", name, err)
		}
	}
	if err := c.Delete(ctx, "none"); err != nil {
		t.Errorf("delete of what is not there: %v", err)
	}
}

func second(_ []byte, err error) error { return err }

func wantKeys(t *testing.T, c *Certs, prefix string, want ...string) {
	t.Helper()
	got, err := c.List(t.Context(), prefix)
	if diff := cmp.Diff(append([]string{}, want...), append([]string{}, got...)); err != nil || diff != "" {
		t.Errorf("list %q: %v (-want +got):\n%s", prefix, err, diff)
	}
}

func TestCertsGivenUp(t *testing.T) {
	c := newCerts(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Store(ctx, "a", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("store: %v", err)
	}
	if _, err := c.List(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("list: %v", err)
	}
}
