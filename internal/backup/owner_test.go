package backup

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mailkin/mailkin/internal/datadir"
)

// A first backup by root leaves nothing that the server's user may not use.
func TestBackupByRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("it needs root")
	}
	const user = 12345
	d, above := newDeployment(t), t.TempDir()
	d.small(1)
	d.large(2)
	to := filepath.Join(above, "repositories", "one")
	d.Must(os.Chown(above, user, user))
	d.Must(os.Chown(d.Config.DataDir, user, user))
	d.add(to)
	want := func(path string) {
		info, err := os.Lstat(path)
		d.Must(err)
		if got := info.Sys().(*syscall.Stat_t).Uid; got != user {
			t.Errorf("%s belongs to %d", path, got)
		}
	}
	for _, name := range []string{stageLock, datadir.LastBackup, datadir.BackupKey} {
		want(filepath.Join(d.Config.DataDir, name))
	}
	d.Must(filepath.WalkDir(above, func(path string, _ fs.DirEntry, err error) error {
		want(path)
		return err
	}))
}
