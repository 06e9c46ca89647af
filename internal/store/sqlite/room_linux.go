package sqlite

import (
	"os"

	"golang.org/x/sys/unix"
)

// keepRoom has the file system keep a given number of bytes for a file, from a place in it on. The file does not grow.
func keepRoom(f *os.File, from, n int64) error {
	return unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, from, n)
}
