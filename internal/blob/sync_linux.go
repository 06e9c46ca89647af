package blob

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData makes the file's bytes durable, and of its attributes only the length: times would cost more.
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if err != unix.EINTR {
			return os.NewSyscallError("fdatasync", err)
		}
	}
}
