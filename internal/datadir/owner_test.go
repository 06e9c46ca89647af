package datadir_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mailkin/mailkin/internal/datadir"
)

// What root makes in a folder of another user belongs to that user, but nothing that has a name elsewhere.
func TestFilesOfRootAreGiven(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("it needs root")
	}
	const user = 12345
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	for _, err := range []error{
		os.WriteFile(elsewhere, nil, 0o600), os.Link(elsewhere, path("linked")), os.Chown(dir, user, user),
		datadir.WriteFile(path("secret"), nil), datadir.MakeFolders(path("a/b")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path("linked"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := datadir.Give(f, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]uint32{"secret": user, "a": user, "a/b": user, "linked": 0} {
		info, err := os.Stat(path(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Sys().(*syscall.Stat_t).Uid; got != want {
			t.Errorf("%s belongs to %d, want %d", name, got, want)
		}
	}
}
