package sqlite

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// The index never takes the rest of a disk: its log is kept short where little is free, and is not copied where the copy
// would fill the disk. All that is in it can be made again from the messages.

// logIsLong tells whether the log takes much of what is left of the disk, and should give that back.
func (x *Index) logIsLong() bool {
	log, free := logAndFree(x.path)
	return log > free/8
}

// logFills tells whether the disk would be all but full when the log is copied into the file.
func (x *Index) logFills() bool {
	log, free := logAndFree(x.path)
	return log > free/2
}

// MakeRoom removes an index that is not open where it would leave less than that of the disk free: what is left is for
// the store, without which there is nothing.
func MakeRoom(index string, leave uint64) error {
	if log, free := logAndFree(index); free >= log+int64(min(leave, 1<<62)) {
		return nil
	}
	return RemoveIndex(index)
}

// logAndFree gives the length of an index's log, and how much of the disk is free.
func logAndFree(index string) (log, free int64) {
	if f, err := os.Stat(index + "-wal"); err == nil {
		log = f.Size()
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(index), &disk); err != nil {
		return 0, 1 << 62 // nothing is known against it
	}
	return log, int64(disk.Bavail) * int64(disk.Bsize)
}
