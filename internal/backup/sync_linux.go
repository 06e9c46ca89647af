package backup

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncTree makes everything durable that was written to the file system that a folder is on: cheaper than file by file,
// of which there may be millions.
func syncTree(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}
