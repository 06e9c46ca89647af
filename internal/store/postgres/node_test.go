package postgres

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// Nodes are listed while they say that they are there, and until they leave.
func TestNodes(t *testing.T) {
	db, err := Open(t.Context(), pgtest.URL(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	pool := db.pool
	started := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	names := func() (names []string) {
		t.Helper()
		list, err := db.Nodes(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range list {
			names = append(names, n.Name+" "+n.Version)
			if !n.Started.Equal(started) || time.Since(n.Seen).Abs() > time.Minute {
				t.Errorf("%+v", n)
			}
		}
		return names
	}
	see := func(name, version string) {
		t.Helper()
		if err := db.SeeNode(t.Context(), mailbox.Node{Name: name, Version: version, Started: started}); err != nil {
			t.Fatal(err)
		}
	}
	is := func(want ...string) {
		t.Helper()
		if got := names(); len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
			t.Errorf("nodes %q, want %q", got, want)
		}
	}
	see("a", "v1")
	see("b", "v1")
	see("a", "v2")
	is("a v2", "b v1")
	if err := db.LeaveNode(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	is("b v1")
	if _, err := pool.Exec(t.Context(), `UPDATE nodes SET seen_at = seen_at - interval '25 hours'`); err != nil {
		t.Fatal(err)
	}
	see("c", "v2")
	is("c v2")
}
