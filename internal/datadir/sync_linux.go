package datadir

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// SyncTree makes everything durable that was written to the file system that a folder is on: cheaper than file by file,
// of which there may be millions.
func SyncTree(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}
